/*
 * Runs tests of bundled test files in one process until one fails. Started by switched.mjs with a plan; the exit code is
 * 0 when all passed and 1 when a test failed; a test that does not end kills the process. With `isShared`, the process
 * receives one mutant after the other as messages instead.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const FAILED = 1;
/** Processor time of a test, as a multiple of its time without a mutant, plus seconds. */
const [TIMES, EXTRA] = [10, 10];
/** Seconds that a test may only wait, beyond the same multiple of its time without a mutant. */
const LONGEST_WAIT = 30;
/** The same for the first run, and for hooks. */
const FIRST_WAIT = 180;

/** `tests`: ids in order, null for all of `files`; `cpu` and `wall`: seconds by id; `patience`: processor seconds of the process. */
const { folder, files, tests, cpu, wall, patience, report, isShared } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
);
const { MUTANT } = process.env;
const state = (globalThis.__mutants ??= { test: '', reached: new Map(), active: Number(MUTANT ?? -1) });
globalThis.__tests = { file: '', all: [], hooks: [], restore() {} };
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
  limit(EXTRA, FIRST_WAIT);
  new Worker(watch, { eval: true, workerData: shared }).unref();
}

let code = 0;
/** Number of errors that no test has caught. */
let uncaught = 0;
if (isShared) {
  for (const name of ['uncaughtException', 'unhandledRejection']) process.on(name, () => void (uncaught += 1));
  limit(Infinity, Infinity);
  for await (const mutant of messages()) process.send(await tried(mutant));
}
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

/** The mutants that the parent sends, each after the answer to the last one. */
async function* messages() {
  for (;;) yield await new Promise((resolve) => process.once('message', resolve));
}

/**
 * Tries a mutant. Files are loaded and `beforeAll` runs without it. `found` means that the failed test passes again
 * without the mutant; `unsure` that it does not: something that the tests share has changed.
 */
async function tried({ id, tests: own }) {
  const before = used();
  let count = 0;
  try {
    for (const [name, file] of own) {
      if (used() - before > patience) break;
      count += 1;
      await load(file);
      const test = globalThis.__tests.all.find((each) => each.id === name);
      if (await passes(test, id)) continue;
      return { outcome: (await passes(test)) ? 'found' : 'unsure', by: name, tried: count };
    }
    return { outcome: 'survived', by: null, tried: count };
  } finally {
    limit(Infinity, Infinity);
  }
}

async function passes(test, mutant) {
  const before = uncaught;
  const { failure } = await run(test, mutant);
  await turn();
  return failure === null && uncaught === before;
}

async function load(file) {
  if (loaded.has(file)) return;
  told(`load > ${file}`);
  limit((cpu?.[file] ?? 5) * TIMES + EXTRA, FIRST_WAIT);
  globalThis.__tests.file = file;
  const before = used();
  await import(join(folder, `${file.replaceAll('/', '-')}.mjs`));
  loaded.set(file, used() - before);
}

/** Runs a test after the hooks of its groups, with a mutant that they do not have. */
async function run({ id, file, title, body }, mutant = null) {
  let before = used();
  let began = performance.now();
  const ended = (failure) => ({
    failure,
    cpu: used() - before,
    wall: (performance.now() - began) / 1000,
    load: loaded.get(file),
  });
  try {
    for (const hook of globalThis.__tests.hooks) {
      if (hook.type !== 'beforeAll' || hook.file !== file || begun.has(hook)) continue;
      if (!title.startsWith(hook.group)) continue;
      // All tests of the file depend on it.
      told(`hook > ${file}`);
      const usual = cpu?.[file] ?? 60;
      limit(usual * TIMES + EXTRA, tests === null ? FIRST_WAIT : usual * TIMES + LONGEST_WAIT);
      begun.add(hook);
      await hook.body();
    }
    loaded.set(file, loaded.get(file) + used() - before);
    [before, began] = [used(), performance.now()];
    told(id);
    limit((cpu?.[id] ?? 60) * TIMES + EXTRA, (wall?.[id] ?? FIRST_WAIT) * TIMES + LONGEST_WAIT);
    const each = (type) =>
      globalThis.__tests.hooks.filter(
        (hook) => hook.type === type && hook.file === file && title.startsWith(hook.group),
      );
    if (mutant !== null) switchTo(mutant);
    for (const hook of each('beforeEach')) await hook.body();
    try {
      await (tests === null ? inTime(body) : body());
    } finally {
      for (const hook of each('afterEach')) await hook.body();
      globalThis.__tests.restore();
    }
    return ended(null);
  } catch (error) {
    return ended(String(error?.message ?? error).slice(0, 300));
  } finally {
    if (mutant !== null) switchTo(null);
  }
}

/** Child processes and threads have the mutant too. */
function switchTo(mutant) {
  state.active = mutant ?? -1;
  if (mutant === null) delete process.env.MUTANT;
  else process.env.MUTANT = String(mutant);
}

/** The first run has no worker that ends it. */
async function inTime(body) {
  const late = pause(FIRST_WAIT * 1000).then(() => Promise.reject(new Error('no end')));
  late.catch(() => undefined);
  await Promise.race([body(), late]);
}

async function end(file) {
  // As in vitest, the last hook comes first: the temporary folder of the file is the first.
  for (const { type, body, file: own } of [...globalThis.__tests.hooks].reverse())
    if (type === 'afterAll' && own === file) await body();
}

function told(test) {
  state.test = test;
  process.env.MUTANT_TEST = test;
}

function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function limit(seconds, waiting) {
  shared[0] = used() + seconds;
  shared[1] = performance.timeOrigin + performance.now() + waiting * 1000;
}
