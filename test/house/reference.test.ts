import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { read, repositoryFiles, root, sourceFiles } from './source.ts';

describe('the reference pages', () => {
  it('are what npm run reference writes, and every command says who acts', () => {
    // In a process of its own, as a person runs it: the script is no room of the ledger and is imported by none.
    const script = ['--conditions=source', '--import=tsx', 'scripts/reference.ts', '--check'];
    const { stdout, stderr, status } = spawnSync(process.execPath, script, { cwd: root, encoding: 'utf8' });
    expect({ status, said: `${stdout}${stderr}` }).toEqual({ status: 0, said: '' });
  });

  it('show every endpoint with a request and what was answered', () => {
    const endpoints = [...read('docs/reference/endpoints.md').matchAll(/^\| `([A-Z]+ \S+)`/gm)].map(([, name]) => name);
    const pages = repositoryFiles().filter((path) => /^docs\/reference\/api\/[^/]+\.md$/.test(path));
    const sections = pages.flatMap((path) => read(path).split(/^## /m).slice(1));
    const shown = sections.filter((text) => /^```sh\ncurl [\s\S]*?^```(json|text)\n/m.test(text));
    expect(shown.map((text) => text.slice(0, text.indexOf('\n'))).sort()).toEqual(endpoints.sort());
  });

  it('name every command and every update kind', async () => {
    // By a name the compiler cannot follow, so that this file also compiles while the core does not.
    const door: string = '@coinlab/core';
    const core = (await import(door)) as { COMMAND_TYPES: readonly string[]; UPDATE_KINDS: readonly string[] };
    const commands = read('docs/reference/commands.md');
    const updates = read('docs/reference/updates.md');
    expect(core.COMMAND_TYPES.filter((type) => !commands.includes(`### ${type}\n`))).toEqual([]);
    expect(core.UPDATE_KINDS.filter((kind) => !new RegExp(`^###.*\\b${kind}\\b`, 'm').test(updates))).toEqual([]);
  });
});

describe('the assumptions', () => {
  const page = read('docs/assumptions.md');
  const numbers = [...page.matchAll(/^- \*\*(A-\d\d)\*\*/gm)].map((match) => match[1]);

  it('have numbers of their own', () => {
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });

  it('that the code names are written down', () => {
    const named = ['core', 'sim', 'store', 'http', 'cli'].flatMap((name) =>
      sourceFiles(`packages/${name}/src`).flatMap(({ path, text }) =>
        [...text.matchAll(/\bA-\d\d\b/g)].map(([number]) => ({ path, number })),
      ),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ number }) => !numbers.includes(number))).toEqual([]);
  });
});
