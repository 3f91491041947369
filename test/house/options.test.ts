import { expect, it } from 'vitest';
import { parseOptions } from '../../scripts/options.ts';

const USAGE = 'npm run something\n';
const parse = (...args: readonly string[]) => parseOptions(USAGE, { runs: 100, seed: 'fresh', write: false }, args);

it('the options of a script are its defaults and what is given', () => {
  expect(parse()).toEqual({ values: { runs: 100, seed: 'fresh', write: false } });
  expect(parse('--runs', '7', '--seed', '9', '--write')).toEqual({ values: { runs: 7, seed: '9', write: true } });
});

it.each([
  [['--help'], 0, USAGE],
  [['--runs', 'many'], 2, `--runs: got "many", expected a whole number\n${USAGE}`],
  [['--runs=-1'], 2, `--runs: got "-1", expected a whole number\n${USAGE}`],
  [['--rounds', '7'], 2, expect.stringMatching(/^Unknown option '--rounds'.*\nnpm run something\n$/)],
  [['7'], 2, expect.stringMatching(/^Unexpected argument '7'.*\nnpm run something\n$/)],
])('a script with %j ends with %i', (args, code, text) => {
  expect(parse(...args)).toEqual({ code, text });
});
