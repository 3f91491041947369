/*
 * The parts of vitest that the tests of the core, the simulator and the lab use, without its processes and module
 * loading: `describe` and `it` collect the tests of the bundle, and vitest's `expect` checks.
 */
import { GLOBAL_EXPECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend, getState, setState } from '@vitest/expect';
import * as chai from 'chai';
import { relative } from 'node:path';

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

export const expect = (value, message) => chai.expect(value, message);
Object.assign(expect, chai.expect);
expect.getState = () => getState(expect);
expect.setState = (state) => setState(state, expect);
expect.extend = (matchers) => chai.expect.extend(expect, matchers);
globalThis[GLOBAL_EXPECT] = expect;
setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null }, expect);

const names = [];

export function describe(name, body) {
  names.push(name);
  body();
  names.pop();
}
describe.each = each(describe);
describe.skipIf = (isSkipped) => (isSkipped ? () => {} : describe);

export function it(name, body) {
  const { file, all } = globalThis.__tests;
  const title = [...names, name].join(' > ');
  const same = all.filter((test) => test.title === title && test.file === file).length;
  all.push({ id: `${relative(process.cwd(), file)} > ${title}${same === 0 ? '' : ` #${same}`}`, title, file, body });
}
it.each = each(it);
it.skipIf = (isSkipped) => (isSkipped ? () => {} : it);

export const beforeAll = (body) => hook('beforeAll', body);
export const afterAll = (body) => hook('afterAll', body);
export const beforeEach = (body) => hook('beforeEach', body);
export const afterEach = (body) => hook('afterEach', body);

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
