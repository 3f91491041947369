import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { type Import, type SourceFile, importsOf, read, root, sourceFiles } from './source.ts';

/**
 * The imports allowed to each folder of the core. From a folder in `types`, only types may be imported.
 * docs/ARCHITECTURE.md has the reasons.
 */
const folders: Record<string, { may: string[]; types?: string[] }> = {
  kernel: { may: [] },
  contracts: { may: ['kernel'] },
  rules: { may: ['kernel', 'contracts'] },
  workflows: { may: ['kernel', 'contracts', 'rules'] },
  register: { may: ['kernel', 'contracts', 'rules', 'workflows'] },
  laws: { may: ['kernel', 'contracts', 'rules', 'log', 'register'] },
  log: { may: ['kernel', 'contracts', 'rules'], types: ['workflows', 'register'] },
  views: { may: ['kernel', 'contracts', 'rules', 'log', 'register'] },
};
const everyFolder = Object.keys(folders);
folders['exports'] = { may: [...everyFolder, 'root'] };
folders['root'] = { may: everyFolder };

/** The files at the root of the core. They compose the folders, so they may import all of them. */
const rootFiles = ['index.ts', 'genesis.ts', 'ledger.ts', 'engine.ts', 'submit.ts', 'prepare.ts', 'payments.ts'];

/**
 * The layers of a package, lowest first. A file may import its own folder and lower layers. Folders of the
 * same layer are independent.
 */
const layersOf: Record<string, readonly (readonly string[])[]> = {
  'packages/sim/src': [
    ['hash'],
    ['saved.ts'],
    ['input'],
    ['scenario'],
    ['chance'],
    ['streams'],
    ['policies'],
    ['metrics'],
    ['world'],
    ['log'],
    ['run'],
    ['stats'],
    ['replay'],
    ['validate'],
    ['files'],
    ['index.ts', 'files.ts'],
  ],
  'packages/http/src': [
    ['nearest.ts'],
    ['field-fault.ts'],
    ['config.ts', 'problem.ts', 'recent-texts.ts', 'request.ts', 'route-parts.ts', 'schema-metadata.ts'],
    ['history', 'host', 'observe'],
    ['wire'],
    ['gates'],
    ['network'],
    ['worlds'],
    ['apis/admin', 'apis/dev', 'apis/ledger', 'apis/operations', 'apis/registry', 'apis/scan', 'apis/wallet'],
    ['apis/index.ts'],
    ['app.ts'],
    ['world-apps.ts'],
    ['validator-apps.ts'],
    ['create-server.ts'],
    ['websockets.ts'],
    ['listener.ts'],
    ['conform'],
    ['node-server.ts', 'testing.ts'],
    ['index.ts'],
  ],
};

/** The packages that each place may import, always by their public entries. */
const places: Record<string, string[]> = {
  'packages/collections/src': [],
  'packages/core/src': ['collections'],
  'packages/automation/src': ['core'],
  'packages/automation/examples': ['core', 'automation', 'testing'],
  'packages/testing/src': ['core', 'automation'],
  'packages/core/examples': ['core', 'testing'],
  'packages/testing/examples': ['core', 'testing'],
  'packages/store/src': ['core'],
  'packages/http/src': ['core', 'automation', 'testing'],
  'packages/sim/src': ['core', 'automation'],
  'packages/sim/examples': ['core', 'sim'],
  'packages/lab/src': ['core', 'sim'],
  'packages/web/src': ['core'],
  'packages/cli/src': ['core', 'http', 'sim', 'lab', 'store', 'testing'],
  bench: ['core', 'automation', 'http', 'sim', 'lab', 'store', 'testing'],
  test: ['collections', 'core', 'automation', 'http', 'sim', 'lab', 'store', 'cli', 'testing'],
};

/** The entries of the test kit for test runners. No other file of the kit may import a runner. */
const runners: Record<string, string> = {
  'packages/testing/src/vitest.ts': 'vitest',
  'packages/testing/src/jest.ts': 'expect',
};

/** The libraries that the core may import: ADR 0002 and 0006. */
const libraries = /^(immer|@noble\/hashes\/.+|@noble\/curves\/ed25519\.js)$/;

describe('the imports of the repository', () => {
  const files = Object.keys(places).flatMap(sourceFiles);

  it('include the imports of ledger.ts, so the check reads the right folder', () => {
    expect(files.map((file) => file.path)).toContain('packages/core/src/index.ts');
  });

  it('stay within the boundaries', () => {
    expect(files.flatMap(violations)).toEqual([]);
  });

  it('have no cycles', () => {
    expect(cycles(files)).toEqual([]);
  });

  it('match the project references of every tsconfig.json', () => {
    const wrong = Object.keys(places).flatMap((place) => {
      const project = place.replace(/\/src$/, '');
      if (project.endsWith('/examples') || !existsSync(join(root, project, 'tsconfig.json'))) return [];
      const config = ts.parseConfigFileTextToJson('tsconfig.json', read(`${project}/tsconfig.json`)).config;
      const references: string[] = (config.references ?? []).map((reference: { path: string }) => reference.path);
      return references
        .filter((path) => !places[place]?.includes(posix.basename(path.replace(/\/tsconfig\.\w+\.json$/, ''))))
        .map((path) => `${project}/tsconfig.json references ${path}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe('the boundary check', () => {
  const core = (path: string, text: string): SourceFile => ({ path: `packages/core/src/${path}`, text });
  const sim = (path: string, text: string): SourceFile => ({ path: `packages/sim/src/${path}`, text });

  it.each([
    ['a contract in the kernel', core('kernel/time.ts', `import type { Holding } from '../contracts/holding.js';`)],
    [
      'a rule that knows a workflow',
      core('rules/transfer/dust.ts', `import { decide } from '../../workflows/dust.js';`),
    ],
    ['a workflow that imports another', core('workflows/mint.ts', `import { x } from './offer.js';`)],
    ['a workflow that imports a part of another', core('workflows/mint.ts', `export * from './offer/accept.js';`)],
    ['a log that runs a workflow', core('log/codec.ts', `import { decide } from '../workflows/offer.js';`)],
    [
      'a folder that imports a file of the root',
      core('views/balance.ts', `import type { Ledger } from '../ledger.js';`),
    ],
    ['a core that needs the test kit', core('index.ts', `export * from '@coinlab/testing';`)],
    ['a core that needs its automation', core('engine.ts', `import { topUp } from '@coinlab/automation';`)],
    ['a collection that knows the core', { path: 'packages/collections/src/a.ts', text: `import '@coinlab/core';` }],
    [
      'a library in the collections',
      { path: 'packages/collections/src/a.ts', text: `import { produce } from 'immer';` },
    ],
    ['a library in the automation', { path: 'packages/automation/src/a.ts', text: `import { produce } from 'immer';` }],
    ['an internal module of the state', core('views/balance.ts', `import { x } from '../contracts/state/book.js';`)],
    ['a file in no folder', core('clock.ts', `import { x } from './kernel/time.js';`)],
    ['an unknown folder', core('services/mint.ts', `import { x } from '../kernel/time.js';`)],
    ['a library the core may not have', core('rules/fees.ts', `import Decimal from 'decimal.js';`)],
    [
      'automation that knows the test kit',
      { path: 'packages/automation/src/a.ts', text: `import '@coinlab/testing';` },
    ],
    ['a test kit tied to a runner', { path: 'packages/testing/src/given.ts', text: `import 'vitest';` }],
    ['an API that needs the test kit', { path: 'packages/http/src/app.ts', text: `import '@coinlab/testing';` }],
    [
      'a gate in the module of responses',
      { path: 'packages/http/src/wire/id.ts', text: `import { x } from '../gates/auth.js';` },
    ],
    ['an API that knows another', { path: 'packages/http/src/apis/dev/a.ts', text: `import '../scan/updates.js';` }],
    ['an API that knows the app', { path: 'packages/http/src/apis/dev/a.ts', text: `import '../../app.js';` }],
    ['a folder of the server in no layer', { path: 'packages/http/src/util/a.ts', text: `import '../app.js';` }],
    ['a sub-path that core does not have', { path: 'packages/sim/src/run.ts', text: `import '@coinlab/core/kernel';` }],
    ['a deep path', { path: 'packages/sim/src/run.ts', text: `import { x } from '@coinlab/core/src/ledger.ts';` }],
    ['a path into a package', { path: 'test/core/offer.test.ts', text: `import('../../packages/core/src/index.ts');` }],
    ['a metric that knows the world', sim('metrics/histogram.ts', `import { World } from '../world/world.js';`)],
    ['a run that touches the disk', sim('run/run.ts', `import type { X } from '../files/read.js';`)],
    ['a folder of sim outside the layers', sim('money/fees.ts', `import { x } from '../hash/sha256.js';`)],
    ['sim that knows http', { path: 'packages/sim/src/run.ts', text: `import type {} from '@coinlab/http';` }],
    ['http that knows sim', { path: 'packages/http/src/index.ts', text: `type X = import('@coinlab/sim').X;` }],
  ])('reports as a violation: %s', (_, file) => {
    expect(violations(file)).toHaveLength(1);
  });

  it.each([
    ['an API that uses a gate', { path: 'packages/http/src/apis/scan/a.ts', text: `import '../../gates/gate.js';` }],
    ['a workflow that is a folder', core('workflows/offer/accept.ts', `import { x } from './parts.js';`)],
    ['a workflow with a folder of the same name', core('workflows/offer.ts', `import { x } from './offer/accept.js';`)],
    ['automation that reads views', { path: 'packages/automation/src/a.ts', text: `import '@coinlab/core/views';` }],
    ['a log that reads types of commands', core('log/a.ts', `import type { C } from '../register/register.js';`)],
    ['the entry of the state', core('views/balance.ts', `import { find } from '../contracts/state.js';`)],
    ['a collection in the core', core('kernel/a.ts', `import { Column } from '@coinlab/collections';`)],
    ['an import within the state', core('contracts/state.ts', `import { x } from './state/book.js';`)],
    ['a sub-path of core', { path: 'packages/sim/src/run.ts', text: `import { x } from '@coinlab/core/views';` }],
    ['a lower layer of sim', sim('world/world.ts', `import { x } from '../scenario/scenario.js';`)],
    ['an entry of sim', sim('files.ts', `export { x } from './files/read.js';`)],
    ['the entry of http for tests', { path: 'packages/http/src/testing.ts', text: `import '@coinlab/testing';` }],
  ])('accepts as allowed: %s', (_, file) => {
    expect(violations(file)).toEqual([]);
  });

  it('reports a cycle of tsx files', () => {
    const web = (path: string, text: string): SourceFile => ({ path: `packages/web/src/${path}`, text });
    const ring = [web('app.tsx', `import './main.js';`), web('main.tsx', `import { App } from './app.js';`)];
    expect(cycles(ring)).toEqual(['packages/web/src/app.tsx → packages/web/src/main.tsx → back']);
  });

  it('reports a cycle once, with its path', () => {
    const ring = [core('kernel/a.ts', `import './b.js';`), core('kernel/b.ts', `import type { A } from './a.js';`)];
    expect(cycles(ring)).toEqual(['packages/core/src/kernel/a.ts → packages/core/src/kernel/b.ts → back']);
  });
});

function violations(file: SourceFile): string[] {
  return importsOf(file).flatMap((entry) => {
    const rule = entry.target === null ? brokenByName(file.path, entry) : brokenByPath(file.path, entry, entry.target);
    return rule === null ? [] : [`${file.path}:${entry.line} imports '${entry.specifier}': ${rule}`];
  });
}

function brokenByName(path: string, { specifier }: Import): string | null {
  const [scope, name, ...deeper] = specifier.split('/');
  if (scope === '@coinlab') {
    const place = placeOf(path);
    if (!places[place]?.includes(name ?? '')) return `${place} may import ${list(places[place] ?? [])} of ours`;
    const isForTests = path === 'packages/http/src/testing.ts' || path.startsWith('packages/http/src/conform/');
    if (place === 'packages/http/src' && name === 'testing' && !isForTests)
      return 'only the entry testing.ts of http and its folder conform need the test kit';
    return entries(name ?? '').includes(['.', ...deeper].join('/'))
      ? null
      : `@coinlab/${name} is imported by the entries of its package.json`;
  }
  if (runners[path] === specifier) return null;
  if (path.startsWith('packages/collections/src/')) return 'the collections have no dependency';
  if (path.startsWith('packages/automation/src/')) return 'the automation needs nothing but the core';
  if (path.startsWith('packages/testing/src/'))
    return specifier === 'fast-check' || specifier.startsWith('@noble/')
      ? null
      : 'the test kit needs the core, fast-check and noble, and no test runner';
  if (!path.startsWith('packages/core/src/') || libraries.test(specifier)) return null;
  return 'the core may import only immer, @noble/hashes and the ed25519 of @noble/curves';
}

function entries(name: string): readonly string[] {
  const { exports } = JSON.parse(read(`packages/${name}/package.json`)) as { exports: Record<string, unknown> };
  return Object.keys(exports);
}

function brokenByPath(path: string, entry: Import, target: string): string | null {
  const place = placeOf(path);
  // Tests may use types of a published package that it does not export.
  if (place === 'test' && target.startsWith('node_modules/') && entry.typeOnly) return null;
  if (placeOf(target) !== place) return `a relative import stays inside ${place}`;
  const layers = layersOf[place];
  if (layers) return brokenBetweenLayers(layers, posix.relative(place, path), posix.relative(place, target));
  return place === 'packages/core/src' ? brokenBetweenFolders(path, target, entry.typeOnly) : null;
}

function brokenBetweenLayers(layers: readonly (readonly string[])[], path: string, target: string): string | null {
  const [from, to] = [partOf(layers, path), partOf(layers, target)];
  if (!from || !to) return 'every file belongs to a layer; they are listed in test/house/boundaries.test.ts';
  if (from.part === to.part || to.layer < from.layer) return null;
  return `${from.part} may import ${list(layers.slice(0, from.layer).flat())}`;
}

function partOf(
  layers: readonly (readonly string[])[],
  file: string,
): { readonly part: string; readonly layer: number } | null {
  for (const [layer, parts] of layers.entries())
    for (const part of parts) if (file === part || file.startsWith(`${part}/`)) return { part, layer };
  return null;
}

function brokenBetweenFolders(path: string, target: string, typeOnly: boolean): string | null {
  const [from, to] = [folderOf(path), folderOf(target)];
  const folder = folders[from];
  if (!folder) return `${from} is not a folder of the core; test/house/boundaries.test.ts lists the folders`;
  if (target.includes('/contracts/state/') && from !== 'contracts')
    return 'import contracts/state.ts instead of its parts';
  if (from === 'workflows' && to === 'workflows' && storyOf(path) !== storyOf(target)) {
    return 'a workflow imports no other workflow: move shared code to rules';
  }
  if (from === to || folder.may.includes(to)) return null;
  if (!folder.types?.includes(to)) return `${from} may import ${list(folder.may)}`;
  return typeOnly ? null : `${from} may import types only from ${to}`;
}

function placeOf(path: string): string {
  return Object.keys(places).find((place) => path.startsWith(`${place}/`)) ?? posix.dirname(path);
}

function folderOf(path: string): string {
  const [first = '', ...rest] = path.slice('packages/core/src/'.length).split('/');
  if (rest.length > 0) return first;
  return rootFiles.includes(first) ? 'root' : first;
}

function storyOf(path: string): string {
  return (path.split('/workflows/')[1] ?? '').split('/')[0]?.replace(/\.ts$/, '') ?? '';
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}

/** Returns each cycle of relative imports once. Type imports count. */
function cycles(files: readonly SourceFile[]): string[] {
  const known = new Set(files.map((file) => file.path));
  const edges = new Map(
    files.map((file) => [
      file.path,
      importsOf(file).flatMap(({ target }) => (target && known.has(target) ? [target] : [])),
    ]),
  );
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), 'back'].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of known) visit(path, []);
  return found;
}
