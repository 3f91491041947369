import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkConformance, engineSystem, ledgerSystem, type ConformanceCheck } from '@coinlab/testing';
import { expect, it } from 'vitest';
import { runs, seed } from '../chance.ts';

const folder = join(import.meta.dirname, '../.failures');

/** Keeps the log of a failure beside the tests, and tells where. */
const writeLog: ConformanceCheck['writeLog'] = (name, text) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
  return `test/.failures/${name}`;
};

/** With another seed, or fewer runs, a rare command may stay uncovered. */
const isUsual = !process.env['COINLAB_SEED'] && !process.env['COINLAB_RUNS'];

it('every law holds in the ledger after every command, as the auditor confirms', async () => {
  const check = { system: ledgerSystem(), runs: runs(600), seed, writeLog } as const;
  const { coverage, predictedShare } = await checkConformance(isUsual ? { ...check, expectCovered: 'all' } : check);
  // The commands of the suite cover every kind of update too.
  if (isUsual) expect(coverage.neverHappened).toEqual([]);
  expect(predictedShare).toBeGreaterThan(0.45);
});

it('every law holds in the engine after every command, as the auditor confirms', async () => {
  const { commands } = await checkConformance({ system: engineSystem(), runs: runs(150), seed, writeLog });
  expect(commands).toBeGreaterThan(1000);
});
