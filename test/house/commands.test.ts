import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source.ts';

/** Matches a command that a `program.ts` declares on the program itself. */
const DECLARED = /\bprogram\s*\.command\('([\w-]+)'/g;

describe('the commands of coinlab', () => {
  const files = sourceFiles('packages/cli/src');
  const commands = files.flatMap(({ path, text }) =>
    [...text.matchAll(DECLARED)].map(([, name]) => ({ name, folder: posix.dirname(path) })),
  );

  it('are declared on the program', () => {
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(['replay', 'run', 'sweep', 'join']));
    expect(commands.length).toBeGreaterThan(15);
  });

  it('have one file each, named after the command, in the folder of program.ts', () => {
    const paths = new Set(files.map(({ path }) => path));
    expect(commands.filter(({ name, folder }) => !paths.has(`${folder}/${name}-command.ts`))).toEqual([]);
  });
});
