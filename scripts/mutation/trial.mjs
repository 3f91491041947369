/*
 * Runs tests of bundled test files in one process until one fails. Started by switched.mjs with a plan; the exit code is
 * 0 when all passed and 1 when a test failed; a test that does not end kills the process.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const FAILED = 1;
/** Processor time of a test, as a multiple of its time without a mutant, plus seconds. */
const [TIMES, EXTRA] = [10, 10];
/** Wall-clock seconds of a test that only waits. */
const LONGEST_WAIT = 1800;

/** `tests`: ids in order, null for all of `files`; `cpu`: seconds by id; `patience`: processor seconds of the process. */
const { folder, files, tests, cpu, patience, report } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const state = (globalThis.__mutants ??= { test: '', reached: new Map() });
globalThis.__tests = { file: '', all: [], hooks: [] };
const shared = new Float64Array(new SharedArrayBuffer(16));
const loaded = new Map();
const begun = new Set();
const done = [];

if (tests !== null) {
  // A test without end blocks this thread, so another one ends the process.
  const watch = `const { workerData } = require('node:worker_threads'); setInterval(() => {
    const { user, system } = process.cpuUsage();
    const [cpu, wall] = workerData;
    if ((user + system) / 1e6 > cpu || Date.now() > wall) process.kill(process.pid, 'SIGKILL');
  }, 500);`;
  limit(EXTRA);
  new Worker(watch, { eval: true, workerData: shared }).unref();
}

let code = 0;
if (tests === null)
  for (const file of files) {
    await load(file);
    for (const test of globalThis.__tests.all.filter((each) => each.file === file)) {
      const ended = await run(test);
      done.push({ ...ended, id: test.id, file });
    }
    await end(file);
  }
else
  for (const [id, file] of tests) {
    if (used() > patience) break;
    const isLoaded = await load(file).then(
      () => true,
      () => false,
    );
    const test = globalThis.__tests.all.find((each) => each.id === id);
    done.push(id);
    if (isLoaded && test !== undefined && (await run(test)).failure === null) continue;
    code = FAILED;
    break;
  }
for (const file of loaded.keys()) if (tests !== null) await end(file).catch(() => undefined);
writeFileSync(report, JSON.stringify(done));
process.exit(code);

async function load(file) {
  if (loaded.has(file)) return;
  told(`${file} > `);
  limit((cpu?.[file] ?? 5) * TIMES + EXTRA);
  globalThis.__tests.file = file;
  const before = used();
  await import(join(folder, `${file.replaceAll('/', '-')}.mjs`));
  loaded.set(file, used() - before);
}

/** Runs a test after the hooks of its groups. */
async function run({ id, file, title, body }) {
  const before = used();
  const wall = Date.now();
  try {
    for (const hook of globalThis.__tests.hooks) {
      if (hook.type !== 'beforeAll' || hook.file !== file || begun.has(hook)) continue;
      if (!title.startsWith(hook.group)) continue;
      // All tests of the file depend on it.
      told(`${file} > `);
      limit(60 * TIMES);
      begun.add(hook);
      await hook.body();
    }
    told(id);
    limit((cpu?.[id] ?? 60) * TIMES + EXTRA);
    const each = (type) =>
      globalThis.__tests.hooks.filter(
        (hook) => hook.type === type && hook.file === file && title.startsWith(hook.group),
      );
    for (const hook of each('beforeEach')) await hook.body();
    await body();
    for (const hook of each('afterEach')) await hook.body();
    return { failure: null, cpu: used() - before, wall: (Date.now() - wall) / 1000, load: loaded.get(file) };
  } catch (error) {
    return { failure: String(error?.message ?? error).slice(0, 300), cpu: used() - before, load: loaded.get(file) };
  }
}

async function end(file) {
  for (const { type, body, file: own } of globalThis.__tests.hooks)
    if (type === 'afterAll' && own === file) await body();
}

function told(test) {
  state.test = test;
  process.env.COINLAB_MUTANT_TEST = test;
}

function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function limit(seconds) {
  shared[0] = used() + seconds;
  shared[1] = Date.now() + LONGEST_WAIT * 1000;
}
