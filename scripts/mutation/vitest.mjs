/*
 * The parts of vitest that the tests use, without its processes and module loading: `describe` and `it` collect the
 * tests of the bundle, and vitest's `expect` checks.
 */
import { fn, restoreAllMocks, spyOn } from '@vitest/spy';
import { GLOBAL_EXPECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend, getState, setState } from '@vitest/expect';
import * as chai from 'chai';
import { relative } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

export const expect = (value, message) => chai.expect(value, message);
Object.assign(expect, chai.expect);
expect.getState = () => getState(expect);
expect.setState = (state) => setState(state, expect);
expect.extend = (matchers) => chai.expect.extend(expect, matchers);
expect.poll = (read, options) => polled(read, options, []);
globalThis[GLOBAL_EXPECT] = expect;
setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null }, expect);

const names = [];

export function describe(name, body) {
  names.push(name);
  body();
  names.pop();
}
describe.each = each(describe);
describe.skipIf = (isSkipped) => (isSkipped ? skip : describe);
describe.runIf = (isRun) => (isRun ? describe : skip);

export function it(name, ...rest) {
  const body = rest.find((one) => typeof one === 'function');
  const { file, all } = globalThis.__tests;
  const title = [...names, name].join(' > ');
  const same = all.filter((test) => test.title === title && test.file === file).length;
  all.push({ id: `${relative(process.cwd(), file)} > ${title}${same === 0 ? '' : ` #${same}`}`, title, file, body });
}
it.each = each(it);
it.skipIf = (isSkipped) => (isSkipped ? skip : it);
it.runIf = (isRun) => (isRun ? it : skip);

export const beforeAll = (body) => hook('beforeAll', body);
export const afterAll = (body) => hook('afterAll', body);
export const beforeEach = (body) => hook('beforeEach', body);
export const afterEach = (body) => hook('afterEach', body);

/** Real timers, except where a test replaces the date or the intervals. */
export const vi = {
  fn,
  spyOn,
  restoreAllMocks,
  useFakeTimers({ toFake, now }) {
    mock.timers.reset();
    mock.timers.enable({
      apis: toFake.filter((name) => !name.startsWith('clear')),
      ...(now === undefined ? {} : { now }),
    });
  },
  useRealTimers: () => mock.timers.reset(),
  async advanceTimersByTimeAsync(millis) {
    mock.timers.tick(millis);
    await turn();
  },
  stubGlobal(name, value) {
    if (!stubbed.has(name)) stubbed.set(name, globalThis[name]);
    globalThis[name] = value;
  },
  unstubAllGlobals() {
    for (const [name, value] of stubbed) globalThis[name] = value;
    stubbed.clear();
  },
  waitFor: (check, { timeout = 10_000 } = {}) => retried(check, { timeout }),
};
const stubbed = new Map();
// As the settings of vitest say.
globalThis.__tests.restore = () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
};

async function retried(check, { timeout = 600_000, interval = 50 } = {}) {
  const end = performance.now() + timeout;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await pause(interval);
  }
}

/** `expect.poll(read).not.toBe(1)`: a matcher of the last name retries the whole expectation. */
function polled(read, options, names) {
  return new Proxy(() => {}, {
    get: (_, name) => polled(read, options, [...names, name]),
    apply: (_, __, args) =>
      retried(async () => {
        const start = chai.expect(await read());
        const [matcher, holder] = [names.at(-1), names.slice(0, -1).reduce((at, name) => at[name], start)];
        holder[matcher](...args);
      }, options),
  });
}

function skip() {}
skip.each = () => skip;

/** Only the runner of packages runs them; the core's tests have none that matter. */
function hook(type, body) {
  const { file, hooks } = globalThis.__tests;
  hooks?.push({ type, body, file, group: names.join(' > ') });
}

function each(define) {
  return (rows) => (name, body, timeout) => {
    rows.forEach((row, index) => {
      const cells = Array.isArray(row) ? row : [row];
      define(`${name} [${index}]`, () => body(...cells), timeout);
    });
  };
}
