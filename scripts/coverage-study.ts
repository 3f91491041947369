import { writeFileSync } from 'node:fs';
import prettier from 'prettier';
import { coveragePage } from '../test/coverage-study/page.ts';
import { optionsOf } from './options.ts';

const USAGE = `Measures how often intervals contain the true value and verdicts are right, on series whose truth is known.
  npm run coverage-study                    prints the tables: about four minutes
  npm run coverage-study -- --whole         and the methods that coinlab does not use
  npm run coverage-study -- --write         writes docs/reference/coverage.md too
  npm run coverage-study -- --trials 200 --seed 7
`;

const { trials, seed, whole, write } = optionsOf(USAGE, { trials: 1_000, seed: 1, whole: false, write: false });
const file = 'docs/reference/coverage.md';
const settings = await prettier.resolveConfig(file);
const page = coveragePage(seed, trials, whole, (part) => console.error(part));
const text = await prettier.format(page, { ...settings, filepath: file });
console.log(text);
if (write && !whole) writeFileSync(file, text);
