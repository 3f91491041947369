/*
 * Mutation testing of packages other than the core. All mutants of the sample are compiled into one program, each behind
 * a switch. A first run measures which tests reach which mutants. Then a process tries one mutant after the other with the
 * tests that reach it, the fastest first, until one fails. A mutant has a process of its own when tests reach it while
 * they load or in their hooks, and when the shared process does not find it. Called by scripts/mutation.mjs.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { changeText } from './accepted.mjs';
import { copied, filesBelow } from './copy.mjs';
import { proportion } from './proportion.mjs';
import { sampleOf } from './sample.mjs';
import { switched } from './switches.mjs';

/** Tests that reach a package in process, without slow ones that find little. */
export const SWITCHED = {
  sim: /^test\/(sim\/(?!anchors|lab\/coverage\.)|cli\/(before-the-run|log-copy|log-tools|replay|run-policy|trust|validate|verdicts)\.)/,
  lab: /^test\/(lab\/(?!notebook)|cli\/(import|results|sweep-flags|before-the-run|trust)\.)/,
  store:
    /^test\/(store|http\/(copy-log|damaged-record|durable-answers|full-disk|keep-snapshots|log|restart|snapshots|stored-reverts)\.|cli\/(log-copy|log-tools)\.)/,
  http: /^test\/http\/(?!browser|fuzz|published|races|rounds|shutdown|slow-clients)/,
};

/** A process ends after this number of mutants, because failed tests leave servers and timers behind. */
const MOST_IN_PROCESS = 50;

/**
 * Tries mutants and prints the results.
 * @param {object} options
 * @param {string} options.root this checkout
 * @param {keyof typeof SWITCHED} options.name the package
 * @param {readonly string[]} options.places files and folders below its src; empty: everything
 * @param {number | null} options.count sample size; null: all mutants
 * @param {string} options.seed of the sample
 * @param {number} options.workers number of parallel processes
 * @param {number} options.patience seconds of processor time for the tests of one mutant
 * @param {string} options.tests pattern of test files; empty: all that the package has
 * @param {boolean} options.fresh measures again which tests reach which mutants
 * @param {boolean} options.again tries only mutants of the sample that the last run did not find or not try
 */
export async function tryPackage({ root, name, places, count, seed, workers, patience, tests, fresh, again }) {
  const { source, drawn, all } = sampleOf({ root, name, places, count, seed });
  const mutants = drawn.map((mutant, id) => ({ ...mutant, id }));
  const reports = join(root, 'dist/mutation');
  const known = again ? foundBefore(join(reports, `${name}.json`)) : new Map();
  const results = mutants.flatMap((mutant) =>
    known.has(keyOf(mutant)) ? [{ ...known.get(keyOf(mutant)), ...mutant }] : [],
  );
  const rest = mutants.filter((mutant) => !known.has(keyOf(mutant)));
  if (again) console.log(`${name}: ${results.length} were found before, ${rest.length} remain`);
  const began = Date.now();
  const minutes = () => Math.round((Date.now() - began) / 60_000);
  const children = new Set();
  const copy = copied(root);
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL');
    removed(copy);
  });
  // What an interrupted run has tried is a sample too: the mutants come in random order. Those found before count up to
  // the first mutant that remains.
  const share = () => {
    const tried = results.filter(({ id }) => id < (rest[0]?.id ?? mutants.length));
    return `${proportion(tried.filter(isFound).length, tried.length)}; ${minutes()} min`;
  };
  const finish = () => {
    console.log(`${name}: ${share()}`);
    mkdirSync(reports, { recursive: true });
    writeFileSync(join(reports, `${name}.json`), JSON.stringify({ seed, all, results }, null, 1));
  };
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      finish();
      process.exit(1);
    });
  const chosen = [SWITCHED[name], new RegExp(tests)];
  const { folder, files, loadedBy } = await program({ copy, chosen, source, mutants });
  const start = (plan, env, slot, ...channels) =>
    started({ copy, children, plan: { folder, files, ...plan }, env, slot, channels });

  const kept = join(reports, `${name}-reach.json`);
  const hash = hashOf(root, [...filesBelow(root, 'packages'), ...filesBelow(root, 'test')], [drawn, files]);
  let reach = !fresh && existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : null;
  if (reach?.hash !== hash) {
    console.log(`${name}: measures what ${files.length} test files reach`);
    reach = { hash, ...(await measured({ copy, start, loadedBy: (id) => loadedBy(mutants[id].file) })) };
    mkdirSync(reports, { recursive: true });
    writeFileSync(kept, JSON.stringify(reach));
    for (const { id, failure } of reach.failed) console.log(`left out, fails without a mutant: ${id}: ${failure}`);
    console.log(`${name}: measured in ${minutes()} min`);
  }

  const plan = { cpu: reach.cpu, wall: reach.wall, patience };
  const kills = new Map();
  const trySome = async (slot) => {
    for (let mutant = rest.shift(); mutant !== undefined; mutant = rest.shift()) {
      const tests = inOrder(reach, mutant, kills);
      const { outcome, by, tried } = await tryShared(mutant, tests, slot);
      for (const name of by === null ? [] : [by, tests.find(([test]) => test === by)?.[1]])
        kills.set(name, (kills.get(name) ?? 0) + 1);
      results.push({ ...mutant, outcome, by, tried, tests: tests.length });
      const { file, line, was, replacement } = mutant;
      if (outcome === 'survived' || outcome === 'not reached')
        console.log(
          `${outcome}  ${file}:${line}  ${changeText(was, replacement)}  (${tried} of ${tests.length} tests)`,
        );
      if (results.length % 25 === 0) console.log(share());
    }
  };
  const processes = new Map();
  let sharedProcesses = 0;
  const tryShared = async ({ id }, tests, slot) => {
    const direct = tests.filter(([test]) => reach.reached[id][test].isDirect);
    if (direct.length === 0) return tryOne({ id }, tests, slot);
    const shared =
      processes.get(slot) ?? sharedProcess({ ...plan, patience: patience / 4, tests: [], isShared: true }, slot);
    const answer = await shared({ id, tests: direct });
    // Objects that the tests share, such as a server that remembers tokens, may hide the mutant.
    return answer?.outcome === 'found' ? answer : tryOne({ id }, tests, slot);
  };
  const sharedProcess = (plan, slot) => {
    let count = 0;
    let answered = () => {};
    const { child, ended } = start(plan, {}, `shared-${slot}-${++sharedProcesses}`, 'ipc');
    const close = () => {
      processes.delete(slot);
      child.kill('SIGKILL');
    };
    child.on('message', (answer) => {
      if (answer.outcome === 'unsure' || ++count === MOST_IN_PROCESS) close();
      answered(answer);
    });
    ended.then(() => {
      if (processes.get(slot) === ask) processes.delete(slot);
      answered(null);
    });
    const ask = (mutant) =>
      new Promise((resolve) => {
        answered = resolve;
        child.send(mutant, () => undefined);
      });
    processes.set(slot, ask);
    return ask;
  };
  const tryOne = async ({ id }, tests, slot) => {
    if (tests.length === 0) return { outcome: 'not reached', by: null, tried: 0 };
    const { code, done } = await start({ ...plan, tests }, { MUTANT: String(id) }, slot).ended;
    if (code === 0) return { outcome: 'survived', by: null, tried: done.length };
    const by = done.at(-1);
    if (code !== 1 || by === undefined) return { outcome: 'endless', by: by ?? 'no end', tried: done.length };
    if (
      await passesWithoutMutant(
        done.map((test) => tests.find(([own]) => own === test)),
        slot,
      )
    )
      return { outcome: 'found', by, tried: done.length };
    // The test depends on tests of its file that were not run.
    return tryOne(
      { id },
      tests.filter(([test]) => test !== by),
      slot,
    );
  };
  const controls = new Map();
  const passesWithoutMutant = (done, slot) => {
    const [, file] = done.at(-1);
    const tests = done.filter(([, own]) => own === file);
    const key = tests.map(([test]) => test).join('\n');
    if (!controls.has(key))
      controls.set(
        key,
        start({ ...plan, tests }, {}, `control-${slot}`).ended.then(({ code }) => code === 0),
      );
    return controls.get(key);
  };
  await Promise.all(Array.from({ length: workers }, (_, slot) => trySome(slot)));
  for (const child of children) child.kill('SIGKILL');
  finish();
}

function isFound({ outcome }) {
  return outcome === 'found' || outcome === 'endless';
}

function keyOf({ file, from, to, replacement }) {
  return [file, from, to, replacement].join(':');
}

function foundBefore(report) {
  const { results } = JSON.parse(readFileSync(report, 'utf8'));
  return new Map(results.filter(isFound).map((result) => [keyOf(result), result]));
}

/** Writes the mutants into the copy and bundles each test file with the sources. */
async function program({ copy, chosen, source, mutants }) {
  const place = join(copy, 'scripts/mutation');
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const path = join(copy, source, file);
    const own = mutants.filter((mutant) => mutant.file === file);
    writeFileSync(path, switched(readFileSync(path, 'utf8'), own, join(place, 'switch.mjs')));
  }
  const files = filesBelow(copy, 'test').filter(
    (file) => file.endsWith('.test.ts') && chosen.every((pattern) => pattern.test(file)),
  );
  const entries = join(copy, 'dist/entries');
  mkdirSync(entries, { recursive: true });
  for (const file of files) {
    const lines = [join(copy, 'test/setup.ts'), join(copy, file)].map((path) => `import ${JSON.stringify(path)};`);
    // Shrinking is unnecessary once a property has found a mutant.
    lines.push(`import fc from 'fast-check'; fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });`);
    writeFileSync(join(entries, `${file.replaceAll('/', '-')}.ts`), lines.join('\n'));
  }
  const folder = join(copy, 'dist/bundles');
  const { metafile } = await build({
    entryPoints: files.map((file) => join(entries, `${file.replaceAll('/', '-')}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    absWorkingDir: copy,
    bundle: true,
    metafile: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['source'],
    nodePaths: [join(copy, 'node_modules')],
    external: ['@observablehq/plot', 'linkedom', 'tsx', 'tsx/*', 'esbuild', '@duckdb/*', 'pg', 'playwright*'],
    alias: { vitest: join(place, 'vitest.mjs') },
    banner: {
      js: "import { createRequire as toRequire } from 'node:module'; const require = toRequire(import.meta.url);",
    },
    logLevel: 'error',
    plugins: [{ name: 'sources know their path', setup: tellPath }],
  });
  const inputs = new Map(
    files.map((file) => [file, inputsOf(metafile, `dist/entries/${file.replaceAll('/', '-')}.ts`)]),
  );
  const loadedBy = (own) => files.filter((file) => inputs.get(file).has(`${source}/${own}`));
  // The entries have the names of their test files without the last extension.
  return { folder, files, loadedBy };
}

function inputsOf({ inputs }, entry) {
  const found = new Set([entry]);
  for (const path of found) for (const { path: next } of inputs[path]?.imports ?? []) found.add(next);
  return found;
}

function tellPath({ onLoad }) {
  onLoad({ filter: /[\\/](test|packages)[\\/].*\.ts$/ }, ({ path }) => ({
    contents: readFileSync(path, 'utf8')
      .replaceAll('import.meta.dirname', JSON.stringify(join(path, '..')))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    loader: path.endsWith('x') ? 'tsx' : 'ts',
  }));
}

/** Runs all tests once: seconds of each and of loading each file, the tests that reach each mutant, and those that fail. */
async function measured({ copy, start, loadedBy }) {
  const record = join(copy, 'reached.jsonl');
  writeFileSync(record, '');
  const { done } = await start({ tests: null }, { MUTANT_REACHED: record }, 'first').ended;
  if (done.length === 0) throw new Error('the tests do not start');
  const cpu = Object.fromEntries(
    done.flatMap(({ id, file, cpu: own, load }) => [
      [id, own],
      [file, load],
    ]),
  );
  const wall = Object.fromEntries(done.map(({ id, wall: own }) => [id, own]));
  const passed = done.filter(({ failure }) => failure === null);
  const byFile = new Map();
  for (const test of passed) byFile.set(test.file, [...(byFile.get(test.file) ?? []), test]);
  const byTest = new Map(passed.map((test) => [test.id, test]));
  // Hooks belong to all tests of their file. Files share modules, which only the first one has loaded here.
  const testsOf = (place, mutant) => {
    const [kind, file] = place.split(' > ');
    if (kind === 'load') return loadedBy(mutant).flatMap((each) => byFile.get(each) ?? []);
    if (kind === 'hook') return byFile.get(file) ?? [];
    return byTest.has(place) ? [byTest.get(place)] : [];
  };
  const reached = {};
  for (const line of readFileSync(record, 'utf8').split('\n')) {
    if (line === '') continue;
    const [place, mutant] = JSON.parse(line);
    for (const { id, file } of testsOf(place, mutant))
      if (id === place || reached[mutant]?.[id] === undefined)
        (reached[mutant] ??= {})[id] = { file, isDirect: id === place };
  }
  return { cpu, wall, reached, failed: done.filter(({ failure }) => failure !== null) };
}

/**
 * The tests that reach a mutant. First come those of files named after its file, then those that reach it themselves, not
 * only in the hooks of their file; among equals those with little time for each mutant that they have found.
 */
function inOrder({ cpu, reached }, { id, file: source }, kills) {
  const words = source.replace(/\.tsx?$/, '').split('/');
  const isNamed = (file) => words.some((word) => file.split('/').at(-1).startsWith(word));
  const costOf = ([test, { file, isDirect }]) =>
    (((isDirect ? cpu[test] : 1) + (cpu[file] ?? 0) + 0.01) * (isDirect ? 1 : 10) * (isNamed(file) ? 0.1 : 1)) /
    (1 + 3 * (kills.get(test) ?? 0) + (kills.get(file) ?? 0));
  return Object.entries(reached[id] ?? {})
    .map((entry) => [costOf(entry), entry])
    .sort(([a], [b]) => a - b)
    .map(([, [test, { file }]]) => [test, file]);
}

function started({ copy, children, plan, env, slot, channels }) {
  const report = join(copy, `report-${slot}.json`);
  const path = join(copy, `plan-${slot}.json`);
  const temporary = join(copy, `tmp-${slot}`);
  rmSync(report, { force: true });
  removed(temporary);
  mkdirSync(temporary, { recursive: true });
  writeFileSync(path, JSON.stringify({ ...plan, report }));
  const child = spawn(process.execPath, ['--conditions=source', 'scripts/mutation/trial.mjs', path], {
    cwd: copy,
    env: { ...process.env, COINLAB_RUNS: 'x0.3', TMPDIR: temporary, ...env },
    stdio: ['ignore', 'ignore', plan.tests === null ? 'inherit' : 'ignore', ...channels],
  });
  children.add(child);
  const ended = new Promise((resolve) => {
    child.once('exit', (code) => {
      children.delete(child);
      const done = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : [];
      resolve({ code: code === null ? 3 : code === 0 && !existsSync(report) ? 1 : code, done });
    });
  });
  return { child, ended };
}

/** Tests that a mutant ends leave file systems mounted. */
function removed(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (error.code !== 'EBUSY') throw error;
  }
}

function hashOf(root, files, chosen) {
  const hash = createHash('sha256').update(JSON.stringify(chosen));
  for (const own of ['switched', 'trial', 'vitest']) hash.update(readFileSync(join(import.meta.dirname, `${own}.mjs`)));
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}
