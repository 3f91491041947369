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

it('every law holds in the ledger after every command, as the auditor confirms', async () => {
  const check = { system: ledgerSystem(), runs: runs(600), seed, writeLog } as const;
  const { coverage, predictedShare } = await checkConformance({ ...check, expectCovered: 'all' });
  // The commands of the suite cover every kind of update too.
  expect(coverage.neverHappened).toEqual([]);
  expect(predictedShare).toBeGreaterThan(0.45);
});

it('every law holds in the engine after every command, as the auditor confirms', async () => {
  const { commands } = await checkConformance({ system: engineSystem(), runs: runs(150), seed, writeLog });
  expect(commands).toBeGreaterThan(1000);
});
