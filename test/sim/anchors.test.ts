import {
  DEFAULT_SETTINGS,
  replayNetwork,
  replayStream,
  type NetworkReport,
  type RunReport,
  type StreamSettings,
} from '@coinlab/sim';
import { readInput, REAL_PAYMENTS, SAMPLE_NETWORK } from '@coinlab/sim/files';
import { describe, expect, it } from 'vitest';

const none = (): void => undefined;

function moneypotRun(settings: Partial<StreamSettings>): RunReport {
  const input = readInput(REAL_PAYMENTS);
  if (!input.ok || input.value.kind !== 'stream') throw new Error('moneypot.csv is a stream');
  return replayStream(input.value, { ...DEFAULT_SETTINGS, ...settings }, none);
}

function sampleRun(mergeThreshold: number | null): NetworkReport {
  const input = readInput(SAMPLE_NETWORK);
  if (!input.ok || input.value.kind !== 'network') throw new Error('the sample is a network');
  return replayNetwork(input.value, { ...DEFAULT_SETTINGS, mergeThreshold }, none).report;
}

describe('oldest-first on 36,248 rows of moneypot.csv reproduces the published row', () => {
  it('without an input cap, without merging, when payments above the balance wait', () => {
    expect(moneypotRun({ cap: null })).toMatchObject({
      rows: 36_248,
      receipts: 24_388,
      payments: 11_860,
      unpaid: 0,
      meanUtxos: 184.133966,
      maxUtxos: 473,
      finalUtxos: 283,
      changeCreated: 11_819,
      inputsSpent: 35_924,
      merges: 0,
      mergeInputs: 0,
    });
  });

  it('with a cap of 100 and merging above 10', () => {
    expect(moneypotRun({ mergeThreshold: 10 })).toMatchObject({
      meanUtxos: 5.093191,
      maxUtxos: 11,
      finalUtxos: 5,
      changeCreated: 11_822,
      inputsSpent: 18_895,
      merges: 1731,
      mergeInputs: 19_041,
    });
  });
});

describe('oldest-first on the bundled network reproduces the published row', () => {
  it('with merging above 10', () => {
    expect(sampleRun(10)).toMatchObject({
      rows: 15_595,
      receipts: 4460,
      transfers: 11_135,
      failed: 0,
      meanUtxos: 332.694902,
      maxUtxos: 451,
      finalUtxos: 426,
      changeCreated: 8651,
      inputsSpent: 17_840,
      merges: 598,
      mergeInputs: 6578,
      capMerges: 0,
    });
  });

  it('with merging at the cap only', () => {
    expect(sampleRun(null)).toMatchObject({
      meanUtxos: 2064.166592,
      maxUtxos: 3995,
      finalUtxos: 3585,
      changeCreated: 8651,
      inputsSpent: 19_572,
      merges: 11,
      mergeInputs: 1100,
      capMerges: 11,
    });
  });
});
