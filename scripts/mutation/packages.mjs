/*
 * Mutation testing of the store and the server, in copies of this checkout: each mutant is one changed file, tried with
 * vitest on the test files that reach its line. Stryker runs the core's synchronous tests in one process; these tests
 * start servers and processes. Called by scripts/mutation.mjs.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeText } from './accepted.mjs';
import { copied, filesBelow } from './copy.mjs';
import { proportion } from './proportion.mjs';
import { sampleOf } from './sample.mjs';

/** Test folders that reach a package in process, and slow files in them that find little. */
export const TESTS = {
  store: {
    folders: ['test/store', 'test/cli'],
    slow: /cli\/(bundle|tutorial|run-policy|replay|results|validate|program|trust)/,
  },
  http: { folders: ['test/http'], slow: /http\/(rounds|fuzz|races|published|slow-clients|shutdown)/ },
};
/** The maximum number of test files per mutant, the likeliest first: the first run finds nearly all. */
const MOST_FILES = 16;
const FIRST_FILES = 4;
/** Timeout as a multiple of the time without a mutant, plus milliseconds. */
const PATIENCE = 4;
const START_MILLIS = 30_000;

const children = new Set();

/**
 * Tries mutants and prints the results.
 * @param {object} options
 * @param {string} options.root this checkout
 * @param {'store' | 'http'} options.name the package
 * @param {readonly string[]} options.places files and folders below its src; empty: everything
 * @param {number | null} options.count sample size; null: all mutants
 * @param {string} options.seed of the sample
 * @param {number} options.workers number of parallel runs
 * @param {boolean} options.fresh measures the coverage of the tests again
 */
export async function tryPackage({ root, name, places, count, seed, workers, fresh }) {
  const { source, drawn, all } = sampleOf({ root, name, places, count, seed });
  const copies = Array.from({ length: workers }, () => copied(root));
  process.on('exit', () => {
    for (const child of children) endGroup(child);
    for (const copy of copies) rmSync(copy, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  const tests = await reachOf({ root, name, source, copies, fresh });
  const results = [];
  const began = Date.now();
  await inParallel(copies, drawn, async (copy, mutant) => {
    const outcome = await tried(copy, source, mutant, testsFor(tests, mutant));
    results.push({ ...mutant, outcome });
    const { file, line, was, replacement } = mutant;
    if (outcome === 'survived' || outcome === 'not reached')
      console.log(`${outcome}  ${file}:${line}  ${changeText(was, replacement)}`);
    if (results.length % 25 === 0)
      console.log(`${results.length} of ${drawn.length}, ${Math.round((Date.now() - began) / 60_000)} min`);
  });
  const found = results.filter(({ outcome }) => outcome === 'found' || outcome === 'endless').length;
  console.log(`${name}: ${proportion(found, results.length)} in ${Math.round((Date.now() - began) / 60_000)} min`);
  mkdirSync(join(root, 'dist/mutation'), { recursive: true });
  writeFileSync(join(root, `dist/mutation/${name}.json`), JSON.stringify({ seed, all, results }, null, 1));
}

/** Lines that each test file reaches, and its duration: measured once, cached in dist/mutation. */
async function reachOf({ root, name, source, copies, fresh }) {
  const kept = join(root, `dist/mutation/${name}-tests.json`);
  if (!fresh && existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'));
  const { folders, slow } = TESTS[name];
  const files = folders
    .flatMap((folder) => filesBelow(root, folder))
    .filter((file) => file.endsWith('.test.ts') && !slow.test(file));
  console.log(`${name}: measures what ${files.length} test files reach`);
  const tests = [];
  await inParallel(copies, files, async (copy, file) => {
    const began = Date.now();
    const words = [
      '--coverage',
      `--coverage.include=${source}/**/*.ts`,
      '--coverage.reporter=json',
      '--coverage.reportsDirectory=coverage',
    ];
    const ended = await vitest(copy, [file, ...words], 300_000);
    if (ended !== 'passed') return console.log(`left out: ${file} ${ended} without a mutant`);
    const reached = Object.entries(JSON.parse(readFileSync(join(copy, 'coverage/coverage-final.json'), 'utf8'))).map(
      ([path, { statementMap, s }]) => {
        const lines = new Set();
        for (const [id, { start, end }] of Object.entries(statementMap))
          if (s[id] > 0) for (let line = start.line; line <= end.line; line++) lines.add(line);
        return [path.split(`${source}/`)[1], [...lines]];
      },
    );
    tests.push({ file, millis: Date.now() - began, reached: Object.fromEntries(reached) });
  });
  mkdirSync(join(root, 'dist/mutation'), { recursive: true });
  writeFileSync(kept, JSON.stringify(tests));
  return tests;
}

/** The test files that reach a mutant: those with the name of its file first, then the fastest. */
function testsFor(tests, { file, line }) {
  const words = file.replace(/\.ts$/, '').split('/');
  const isNamed = (test) => words.some((word) => test.file.split('/').at(-1).startsWith(word));
  return tests
    .filter(({ reached }) => reached[file]?.includes(line))
    .sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)) || a.millis - b.millis)
    .slice(0, MOST_FILES);
}

async function tried(copy, source, { file, from, to, replacement }, tests) {
  if (tests.length === 0) return 'not reached';
  const path = join(copy, source, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, from) + replacement + text.slice(to));
  try {
    for (const some of [tests.slice(0, FIRST_FILES), tests.slice(FIRST_FILES)]) {
      if (some.length === 0) continue;
      const millis = some.reduce((sum, test) => sum + test.millis, 0);
      const ended = await vitest(
        copy,
        [...some.map((test) => test.file), '--bail=1'],
        START_MILLIS + millis * PATIENCE,
      );
      if (ended !== 'passed') return ended === 'failed' ? 'found' : 'endless';
    }
    return 'survived';
  } finally {
    writeFileSync(path, text);
  }
}

/** Runs test files sequentially; returns `endless` after the timeout. */
function vitest(copy, words, millis) {
  const all = ['node_modules/vitest/vitest.mjs', 'run', ...words, '--maxWorkers=1', '--reporter=dot'];
  const env = { ...process.env, COINLAB_RUNS: 'x0.3' };
  const child = spawn(process.execPath, all, { cwd: copy, env, stdio: 'ignore', detached: true });
  children.add(child);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(child);
  }, millis);
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      clearTimeout(timer);
      children.delete(child);
      // End servers that a failed test has left running.
      endGroup(child);
      resolve(isLate ? 'endless' : code === 0 ? 'passed' : 'failed');
    });
  });
}

/** The process group includes the workers of vitest and the servers of the tests. */
function endGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}

async function inParallel(copies, items, work) {
  const rest = [...items];
  await Promise.all(
    copies.map(async (copy) => {
      for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(copy, item);
    }),
  );
}
