import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from '@coinlab/http';
import { describe, expect, it } from 'vitest';
import { read, repositoryFiles, root, sourceFiles } from './source.ts';

interface Reference {
  readonly gaps: readonly string[];
  readonly referencePages: ReadonlyMap<string, string>;
}

describe('the reference pages', () => {
  it('equal the output of npm run reference, and each command lists its actors', async () => {
    // Runs in this process, in which other tests have already loaded the server and the core.
    const script = new URL('../../scripts/reference-pages.ts', import.meta.url).href;
    const { gaps, referencePages }: Reference = await import(script);
    expect(gaps).toEqual([]);
    const stale = [...referencePages].filter(([path, text]) => !existsSync(join(root, path)) || read(path) !== text);
    expect(
      stale.map(([path]) => path),
      'run npm run reference',
    ).toEqual([]);
  });

  it('show a request and its response for every endpoint, or link a copy to its original', async () => {
    const server = await createServer({ dev: true, clock: 'manual' });
    const document = (await (await server.app.request('/openapi.json')).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    await server.close();
    const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const texts = repositoryFiles()
      .filter((path) => /^docs\/reference\/api\/[^/]+\.md$/.test(path))
      .map(read);
    const sections = texts.flatMap((text) => text.split(/^## /m).slice(1));
    const shown = sections
      // A deprecated endpoint shows its request only.
      .filter((text) =>
        /^.*\n\n.*\(deprecated\)/.test(text)
          ? /^```sh\ncurl /m.test(text)
          : /^```sh\ncurl [\s\S]*?^(```(json|text)\n|The response equals that of \[)/m.test(text),
      )
      .map((text) => text.slice(0, text.indexOf('\n')));
    const paths = new Set(shown.map((name) => name.split(' ')[1]));
    const copies = texts
      .flatMap((text) => [...text.matchAll(/^- `([A-Z]+ \S+)` \(\w+\): \[(\S+?)\]\(/gm)])
      .filter(([, , original]) => paths.has(original))
      .map(([, name]) => name);
    expect([...shown, ...copies].sort()).toEqual(endpoints.sort());
  });

  it('list every command and every update kind', async () => {
    // A variable keeps the compiler from resolving the import, so this file compiles even when the core does not.
    const door: string = '@coinlab/core';
    const core = (await import(door)) as { COMMAND_TYPES: readonly string[]; UPDATE_KINDS: readonly string[] };
    const commands = read('docs/reference/commands.md');
    const updates = read('docs/reference/updates.md');
    expect(core.COMMAND_TYPES.filter((type) => !commands.includes(`### ${type}\n`))).toEqual([]);
    expect(core.UPDATE_KINDS.filter((kind) => !new RegExp(`^###.*\\b${kind}\\b`, 'm').test(updates))).toEqual([]);
  });
});

describe('the numbers of the assumptions', () => {
  const page = read('docs/assumptions.md');
  const numbers = [...page.matchAll(/^- \*\*(A-\d+)\*\*/gm)].map((match) => match[1]);

  it('are unique', () => {
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });

  it('include every assumption that the code cites', () => {
    const named = ['collections', 'core', 'automation', 'sim', 'store', 'http', 'cli', 'lab', 'testing', 'web'].flatMap(
      (name) =>
        sourceFiles(`packages/${name}/src`).flatMap(({ path, text }) =>
          [...text.matchAll(/\bA-\d+\b/g)].map(([number]) => ({ path, number })),
        ),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ number }) => !numbers.includes(number))).toEqual([]);
  });
});
