/*
 * A test runner for Stryker. It loads the bundle of tests once and runs each mutant's tests in it until one fails. If
 * that test also fails without the mutant, the mutant has left state behind: the runner reloads the bundle and tries the
 * mutant again.
 */
import { createHash } from 'node:crypto';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { nameOf } from './accepted.mjs';

const bundle = pathToFileURL(join(process.cwd(), 'dist/mutation/tests.mjs')).href;
/** Seconds of CPU per mutant in the first round; the second round runs its remaining tests. */
const PATIENCE = Number(process.env.MUTATION_PATIENCE ?? 3);
/** The share of mutants to try, always the same ones; the others have no result. */
const SAMPLE = Number(process.env.MUTATION_SAMPLE ?? 1);
/** Whether to try only mutants of module loading, which need a reload each, or only the others. */
const STATIC = process.env.MUTATION_STATIC === '1';
/** The number of successful tests of a file that are tried first. */
const MOST_KILLERS = 40;

/** Milliseconds. Slower tests are not preferred, because a failure is confirmed without the mutant. */
const QUICK = 100;

Error.stackTraceLimit = 0;

const maps = new Set();
/** A weak map that can be cleared, so that no mutant sees cached results of another. */
globalThis.__ForgetfulMap = class {
  #inner = new WeakMap();

  constructor() {
    maps.add(new WeakRef(this));
  }

  get(key) {
    return this.#inner.get(key);
  }

  has(key) {
    return this.#inner.has(key);
  }

  set(key, value) {
    this.#inner.set(key, value);
    return this;
  }

  delete(key) {
    return this.#inner.delete(key);
  }

  forget() {
    this.#inner = new WeakMap();
  }
};

class BundleRunner {
  #stryker;
  #tests = new Map();
  #times = new Map();
  /** The tests that have found mutants of a file, the latest first. */
  #killers = new Map();
  #found = new Map();
  #loads = 0;

  constructor(namespace) {
    this.#stryker = globalThis[namespace] ??= {};
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    await this.#load();
  }

  async dryRun() {
    const stryker = this.#stryker;
    stryker.mutantCoverage = undefined;
    await this.#load();
    const tests = [];
    for (const test of this.#tests.values()) {
      stryker.currentTestId = test.id;
      const result = await this.#run(test);
      stryker.currentTestId = undefined;
      this.#times.set(test.id, result.timeSpentMs);
      tests.push(result);
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage: stryker.mutantCoverage };
  }

  async mutantRun(options) {
    if (!isSampled(options.activeMutant) || (options.mutantActivation === 'static') !== STATIC)
      return { status: MutantRunStatus.Error, errorMessage: 'not in the sample' };
    if (STATIC) return this.#tryLoading(options);
    const first = await this.#try(options);
    if (!first.isSpoilt) return first.result;
    await this.#load();
    return (await this.#try(options)).result;
  }

  async #try({ activeMutant, testFilter, hitLimit, sandboxFileName }) {
    const stryker = this.#stryker;
    stryker.hitCount = hitLimit === undefined ? undefined : 0;
    stryker.hitLimit = hitLimit;
    stryker.activeMutant = activeMutant.id;
    const tests = [];
    const began = process.cpuUsage();
    for (const test of this.#inOrder(testFilter ?? [...this.#tests.keys()], sandboxFileName)) {
      if (process.cpuUsage(began).user > PATIENCE * 1e6) break;
      tests.push(await this.#run(test));
      if (tests.at(-1).status === TestStatus.Failed) break;
    }
    const endless = determineHitLimitReached(stryker.hitCount, hitLimit);
    stryker.activeMutant = undefined;
    stryker.hitCount = undefined;
    const result = toMutantRunResult(endless ?? { status: DryRunStatus.Complete, tests });
    if (endless) await this.#load();
    const last = tests.at(-1);
    if (endless || last?.status !== TestStatus.Failed) return { result, isSpoilt: false };
    this.#remember(sandboxFileName, last.id);
    // A test that also fails without the mutant proves nothing.
    const again = await this.#run(this.#tests.get(last.id));
    return { result, isSpoilt: again.status === TestStatus.Failed };
  }

  async #tryLoading({ activeMutant, sandboxFileName }) {
    const stryker = this.#stryker;
    stryker.activeMutant = activeMutant.id;
    const tests = [];
    const began = process.cpuUsage();
    try {
      await this.#load();
      for (const test of this.#inOrder([...this.#tests.keys()], sandboxFileName)) {
        if (process.cpuUsage(began).user > PATIENCE * 1e6) break;
        tests.push(await this.#run(test));
        if (tests.at(-1).status === TestStatus.Failed) break;
      }
    } catch (error) {
      // If the bundle fails to load, all tests fail.
      const failureMessage = String(error).slice(0, 2000);
      tests.push({
        id: [...this.#tests.keys()][0],
        name: 'loading',
        status: TestStatus.Failed,
        timeSpentMs: 0,
        failureMessage,
      });
    }
    stryker.activeMutant = undefined;
    const last = tests.at(-1);
    if (last?.status === TestStatus.Failed && last.name !== 'loading') this.#remember(sandboxFileName, last.id);
    return toMutantRunResult({ status: DryRunStatus.Complete, tests });
  }

  #remember(file, id) {
    const others = (this.#killers.get(file) ?? []).filter((other) => other !== id);
    this.#killers.set(file, [id, ...others].slice(0, MOST_KILLERS));
    this.#found.set(id, (this.#found.get(id) ?? 0) + 1);
  }

  /**
   * The order of tests: fast ones that have found mutants of this file, other fast ones of this file or folder, tests
   * that have found many mutants, slow ones of the folder, then one of each test file in turn, the fastest first.
   */
  #inOrder(ids, mutated) {
    const killers = this.#killers.get(mutated) ?? [];
    const own = nameOf(relative(process.cwd(), mutated).replaceAll('\\', '/')).split('/');
    const timeOf = ({ id }) => this.#times.get(id) ?? 0;
    const tests = ids.map((id) => this.#tests.get(id)).filter((test) => test !== undefined);
    const turns = new Map();
    const ranks = new Map();
    for (const test of tests.sort((a, b) => timeOf(a) - timeOf(b))) {
      const turn = (turns.get(test.file) ?? 0) + 1;
      turns.set(test.file, turn);
      const killed = killers.indexOf(test.id);
      const isOwn = own.some((name) => new RegExp(`^${name}[.-]`).test(basename(test.file)));
      const isQuick = timeOf(test) < QUICK;
      const rank = isOwn && isQuick ? 0 : isOwn ? 1 : turn / (1 + (this.#found.get(test.id) ?? 0));
      ranks.set(test, killed >= 0 && isQuick ? killed - killers.length : rank);
    }
    return tests.sort((a, b) => ranks.get(a) - ranks.get(b) || timeOf(a) - timeOf(b));
  }

  async #load() {
    this.#loads += 1;
    globalThis.__tests = { file: '', all: [] };
    await import(`${bundle}?${this.#loads}`);
    this.#tests = new Map(globalThis.__tests.all.map((test) => [test.id, test]));
  }

  async #run({ id, file, body }) {
    for (const map of maps) map.deref()?.forget();
    const began = performance.now();
    const ended = (result) => ({ id, name: id, fileName: file, timeSpentMs: performance.now() - began, ...result });
    try {
      await body();
      return ended({ status: TestStatus.Success });
    } catch (error) {
      const failureMessage = (error instanceof Error ? error.message : String(error)).slice(0, 2000);
      return ended({ status: TestStatus.Failed, failureMessage });
    }
  }
}

function isSampled({ fileName, location: { start, end }, mutatorName, replacement }) {
  const file = relative(process.cwd(), fileName);
  const text = [file, start.line, start.column, end.line, end.column, mutatorName, replacement].join(':');
  return createHash('sha256').update(text).digest().readUInt32BE() < SAMPLE * 2 ** 32;
}

const make = Object.assign((namespace) => new BundleRunner(namespace), { inject: tokens('namespace') });
const factory = Object.assign((injector) => injector.provideValue('namespace', '__stryker__').injectFunction(make), {
  inject: tokens(commonTokens.injector),
});

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'bundle', factory)];
