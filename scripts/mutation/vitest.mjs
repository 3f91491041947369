/*
 * The parts of vitest that the core's tests use, without its processes and module loading: `describe` and `it` collect
 * the tests of the bundle, and vitest's `expect` checks.
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

export function it(name, body) {
  const { file, all } = globalThis.__tests;
  const title = [...names, name].join(' > ');
  const same = all.filter((test) => test.title === title && test.file === file).length;
  all.push({ id: `${relative(process.cwd(), file)} > ${title}${same === 0 ? '' : ` #${same}`}`, title, file, body });
}
it.each = each(it);

function each(define) {
  return (rows) => (name, body, timeout) => {
    rows.forEach((row, index) => {
      const cells = Array.isArray(row) ? row : [row];
      define(`${name} [${index}]`, () => body(...cells), timeout);
    });
  };
}
