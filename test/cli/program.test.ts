import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, main } from 'coinlab';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Starts the program like `npm start`. */
function start(...args: readonly string[]): {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
} {
  const command = [join(root, 'scripts/run.mjs'), 'packages/cli/src/main.ts', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

describe('the program as a process', () => {
  it('compares the policies on the bundled data when it has no arguments', () => {
    const { code, out, err } = start();
    expect({ code, err }).toEqual({ code: EXIT.ok, err: '' });
    const [verdict = ''] = out.trimEnd().split('\n').slice(-1);
    expect(verdict).toMatch(/^No policy alone keeps every user at 10 UTXOs .*; merging above 10 does, .*\.$/);
    // The README quotes this output exactly.
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(out);
    expect(out).toMatch(/^oldest-first +17\.20 +3,995 +12\.52 % +│ +2\.77 +451 +0\.00 % +598 +│ +11,135 +11,135$/m);
  });

  it('exits with code 2 for invalid usage', () => {
    expect(start('replay')).toMatchObject({ code: EXIT.badInput, out: '' });
  });
});

describe('the program in this process', () => {
  const run = (...args: readonly string[]): { readonly code: number; readonly out: string; readonly err: string } => {
    let out = '';
    let err = '';
    const write = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
    return { code: main(args, { ...write, isInteractive: false }), out, err };
  };

  it.each([[['--help']], [['replay', '--help']], [['help', 'replay']]])('prints help: %j', (args) => {
    const { code, out } = run(...args);
    expect(code).toBe(EXIT.ok);
    expect(out).toContain('Examples:');
    expect(out).toContain('Exit codes:');
  });

  it('prints its version', () => {
    expect(run('--version')).toMatchObject({
      code: EXIT.ok,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    });
  });

  it('exits with code 2 for an invalid file', () => {
    expect(run('replay', join(root, 'package.json'))).toMatchObject({ code: EXIT.badInput, out: '' });
  });

  it.each([[['replay']], [['--no-such-option']], [['run', '--replicates']], [['payments.csv']]])(
    'begins the error of invalid usage with its name: %j',
    (args) => {
      const { code, err } = run(...args);
      expect(code).toBe(EXIT.badInput);
      expect(err).toMatch(/^coinlab: /);
    },
  );

  it('refuses an unknown command and explains how to replay a file', () => {
    const { code, out, err } = run('payments.csv');
    expect({ code, out }).toEqual({ code: EXIT.badInput, out: '' });
    expect(err).toContain('coinlab replay payments.csv');
  });
});
