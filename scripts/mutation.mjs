// Mutation testing in a copy of this checkout. Stryker is installed in the copy: npm test does not need it.
//   npm run mutation                                          every area of the core, one after the other: about three hours of one core
//   npm run mutation -- --area kernel                         one area: a folder of packages/core/src, `root` for the files at its root, or `automation` or `collections`
//   npm run mutation -- --area laws --sample 0.25             a quarter of its mutants, always the same ones
//   npm run mutation -- --mutate 'packages/core/src/rules/transfer/fees.ts:10-20'
//   npm run mutation -- --mutate … --tests 'test/core/(rules|workflows)/'       only tests in these files
//   npm run mutation -- --area contracts --static             also mutants that act while a module is loaded: seconds each
//   npm run mutation -- --package store --files lock.ts,file-store.ts     all mutants of files or folders of packages/store/src, in one program
//   npm run mutation -- --package http --files gates,host,wire --count 300 --seed 1     a sample drawn by the seed, with its interval
//   npm run mutation -- --package sim --count 300 --workers 1     one mutant at a time; the default is two; --patience 30: seconds of CPU for each
//   npm run mutation -- --package sim --count 300 --workers 1 --again     only mutants that the last run did not find or not try
//   npm run mutation -- --doc                                 no mutants: writes the table of docs/reference/mutation.md from the reports
// scripts/mutation/accepted.json lists the survivors without a visible effect, with the reason; the others are printed.
// An area with a report in dist/mutation is skipped unless it is named or --fresh is given, so an interrupted run continues.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeTables } from './mutation/doc.mjs';
import { leftOver, merged, tell } from './mutation/report.mjs';
import { SWITCHED, tryPackage } from './mutation/switched.mjs';

const STRYKER = ['@stryker-mutator/core@^9.6.1', '@stryker-mutator/api@^9.6.1'];
const NOT_COPIED = new Set(['node_modules', 'dist', 'coverage', '.git', '.failures', '.tmp']);
const SOURCE = 'packages/core/src';
/** Packages that are areas of their own. */
const PACKAGES = ['automation', 'collections'];
/** Folder of the entries. Its files contain only exports, so they have no mutants. */
const NOT_MUTATED = ['exports'];

const { values } = parseArgs({
  options: {
    area: { type: 'string' },
    mutate: { type: 'string' },
    sample: { type: 'string', default: '1' },
    tests: { type: 'string', default: '' },
    fresh: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    doc: { type: 'boolean', default: false },
    static: { type: 'boolean', default: false },
    package: { type: 'string' },
    files: { type: 'string', default: '' },
    count: { type: 'string' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    patience: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  const lines = readFileSync(fileURLToPath(import.meta.url), 'utf8').split('\n');
  console.log(lines.slice(0, 14).join('\n').replaceAll('// ', ''));
  process.exit();
}
const root = fileURLToPath(new URL('../', import.meta.url));
if (values.package !== undefined) {
  const places = values.files.split(',').filter((place) => place !== '');
  const count = values.count === undefined ? null : Number(values.count);
  const { package: name, seed, tests, fresh, again } = values;
  if (!(name in SWITCHED)) {
    console.error(`--package ${name}: expected one of ${Object.keys(SWITCHED).join(', ')}`);
    process.exit(1);
  }
  await tryPackage({
    root,
    name,
    places,
    count,
    seed,
    workers: Number(values.workers),
    patience: Number(values.patience),
    tests,
    fresh,
    again,
  });
  process.exit();
}
const reports = join(root, 'dist', 'mutation');
mkdirSync(reports, { recursive: true });
const areas = readdirSync(join(root, SOURCE), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NOT_MUTATED.includes(entry.name))
  .map((entry) => entry.name)
  .concat(PACKAGES, 'root');
if (values.area !== undefined && !areas.includes(values.area)) {
  console.error(`--area ${values.area}: expected one of ${areas.join(', ')}`);
  process.exit(1);
}

const reportOf = (name) => join(reports, `${name}.json`);
const read = (names) => names.map((name) => JSON.parse(readFileSync(reportOf(name), 'utf8')));
const reported = () => areas.filter((area) => existsSync(reportOf(area)));
if (values.doc) {
  if (reported().length === 0) {
    console.error('there is no report in dist/mutation: npm run mutation makes them');
    process.exit(1);
  }
  await writeTables(join(root, 'docs', 'reference', 'mutation.md'), read(reported()));
  process.exit();
}
const pieces = values.mutate
  ? [['chosen', values.mutate]]
  : (values.area ? [values.area] : areas.filter((area) => values.fresh || !existsSync(reportOf(area)))).map((area) => [
      area,
      patternOf(area),
    ]);

if (pieces.length > 0) {
  console.log(
    `areas: ${pieces.map(([name]) => name).join(', ')}. All have 13,000 mutants; two or three are tried in a second.`,
  );
  const copy = copied();
  for (const [name, pattern] of pieces) writeFileSync(reportOf(name), JSON.stringify(tried(copy, name, pattern)));
}
tell(read(values.mutate ? ['chosen'] : reported()));

function patternOf(area) {
  if (area !== 'root' && !PACKAGES.includes(area)) return `${SOURCE}/${area}/**/*.ts`;
  const folder = area === 'root' ? SOURCE : `packages/${area}/src`;
  return `${folder}/*.ts,!${folder}/index.ts`;
}

/**
 * Tries all mutants of the files, then again those that did not meet all their tests or timed out, since load causes
 * timeouts. On request, mutants of module loading come last.
 */
function tried(copy, name, pattern) {
  const first = stryker(copy, pattern, { patience: 3, timeout: 15 });
  const left = leftOver(first);
  if (left.length > 0) console.log(`${name}: ${left.length} places once more, with all tests`);
  const both = left.length === 0 ? first : merged(first, stryker(copy, left.join(), { patience: 600, timeout: 120 }));
  return values.static ? merged(both, stryker(copy, pattern, { patience: 4, timeout: 60, isStatic: true })) : both;
}

function stryker(copy, pattern, { patience, timeout, isStatic = false }) {
  const env = {
    COINLAB_RUNS: 'x0.1',
    MUTATION_PATIENCE: patience,
    MUTATION_SAMPLE: values.sample,
    MUTATION_TESTS: values.tests,
    MUTATION_STATIC: isStatic ? '1' : '',
  };
  const report = join(copy, 'reports', 'mutation', 'mutation.json');
  rmSync(report, { force: true });
  const config = join(copy, 'scripts', 'mutation', 'stryker.json');
  const words = [isStatic ? forStatic(config) : config, '--mutate', pattern, '--timeoutMS', String(timeout * 1000)];
  run(copy, 'npx', ['stryker', 'run', ...words], { ...process.env, ...env });
  if (!existsSync(report)) process.exit(1);
  return JSON.parse(readFileSync(report, 'utf8'));
}

/** The configuration for mutants of module loading. Loaded modules stay in memory, so the runner restarts regularly. */
function forStatic(config) {
  const other = config.replace('stryker.json', 'static.json');
  const settings = JSON.parse(readFileSync(config, 'utf8'));
  writeFileSync(other, JSON.stringify({ ...settings, ignoreStatic: false, maxTestRunnerReuse: 30 }));
  return other;
}

function copied() {
  const copy = mkdtempSync(join(tmpdir(), 'coinlab-mutation-'));
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(signal === 'SIGINT' ? 130 : 1));
  for (const name of readdirSync(root))
    if (!NOT_COPIED.has(name))
      cpSync(join(root, name), join(copy, name), {
        recursive: true,
        filter: (path) => !NOT_COPIED.has(path.split(/[\\/]/).at(-1)),
      });
  // In the copy, the workspace links in node_modules refer to the copy's packages.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  for (const words of [
    ['ci', ...quiet],
    ['install', '--no-save', ...quiet, ...STRYKER],
  ])
    if (run(copy, 'npm', words) !== 0) process.exit(1);
  return copy;
}

function run(cwd, command, words, env = process.env) {
  const { status } = spawnSync(command, words, { cwd, env, stdio: 'inherit', shell: process.platform === 'win32' });
  return status ?? 1;
}
