/*
 * Measures how often intervals contain the true value and verdicts are right, on series whose truth is known:
 *
 *   npm run coverage-study                    print the tables: about four minutes
 *   npm run coverage-study -- --whole         also print the methods that coinlab does not use
 *   npm run coverage-study -- --write         also write docs/reference/coverage.md
 *   npm run coverage-study -- --trials 200 --seed 7
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import prettier from 'prettier';
import { coveragePage } from '../test/coverage-study/page.ts';

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    whole: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const file = 'docs/reference/coverage.md';
const settings = await prettier.resolveConfig(file);
const page = coveragePage(Number(values.seed), Number(values.trials), values.whole, (part) => console.error(part));
const text = await prettier.format(page, { ...settings, filepath: file });
console.log(text);
if (values.write && !values.whole) writeFileSync(file, text);
