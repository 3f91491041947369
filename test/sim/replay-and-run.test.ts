import { readFileSync } from 'node:fs';
import {
  DEFAULT_SETTINGS,
  parseInput,
  replayNetwork,
  replayStream,
  runScenario,
  scenarioFileOf,
  scenarioOf,
} from '@coinlab/sim';
import type { RunReport, SelectionName } from '@coinlab/sim';
import { REAL_PAYMENTS, SAMPLE_NETWORK } from '@coinlab/sim/files';
import { describe, expect, it } from 'vitest';

/** Rows of each file that are used. */
const ROWS = 4_000;

interface Wallet {
  readonly policy: SelectionName;
  readonly cap: number;
  readonly mergeThreshold: number | null;
}

const WALLETS: readonly Wallet[] = [
  { policy: 'oldest-first', cap: 100, mergeThreshold: null },
  { policy: 'largest-first', cap: 100, mergeThreshold: null },
  { policy: 'smallest-first', cap: 5, mergeThreshold: null },
  { policy: 'oldest-first', cap: 100, mergeThreshold: 10 },
  { policy: 'largest-first', cap: 20, mergeThreshold: 5 },
];

describe('a replay and a scenario run of the same file', () => {
  it.each(WALLETS)(
    'give the same figures for a payment stream with $policy, cap $cap, merging above $mergeThreshold',
    (wallet) => {
      const text = firstLines(REAL_PAYMENTS, ROWS);
      expect(ofRun(text, 1, wallet)).toEqual(ofReplay(text, wallet));
    },
  );

  it.each(WALLETS)(
    'give the same figures for a network with $policy, cap $cap, merging above $mergeThreshold',
    (wallet) => {
      const text = firstLines(SAMPLE_NETWORK, ROWS + 1);
      expect(ofRun(text, 120, wallet)).toEqual(ofReplay(text, wallet));
    },
  );

  it('give the same figures when a party pays itself', () => {
    const rows = ['mint,,a,5', 'transfer,a,a,1', 'transfer,a,b,1', 'transfer,a,b,4'];
    const text = ['seq,round,kind,from,to,amount', ...rows.map((row, i) => `${i + 1},1,${row}`), ''].join('\n');
    const wallet: Wallet = { policy: 'oldest-first', cap: 100, mergeThreshold: null };
    expect(ofRun(text, 2, wallet)).toEqual(ofReplay(text, wallet));
    expect(ofReplay(text, wallet)).toMatchObject({ maxUtxos: 3, finalUtxos: 2 });
  });
});

function firstLines(file: string, count: number): string {
  return `${readFileSync(file, 'utf8').split('\n').slice(0, count).join('\n')}\n`;
}

type Figures = Pick<RunReport, 'meanUtxos' | 'maxUtxos' | 'finalUtxos' | 'merges' | 'mergeInputs' | 'maxInputs'>;

function ofReplay(text: string, wallet: Wallet): Figures {
  const input = parseInput(text, 'recorded.csv');
  if (!input.ok) throw new Error(input.error.reason);
  const settings = { ...DEFAULT_SETTINGS, ...wallet };
  const report =
    input.value.kind === 'stream'
      ? replayStream(input.value, settings, null)
      : replayNetwork(input.value, settings, null).report;
  const { meanUtxos, maxUtxos, finalUtxos, merges, mergeInputs, maxInputs } = report;
  return { meanUtxos, maxUtxos, finalUtxos, merges, mergeInputs, maxInputs };
}

/** Runs the file as the payments of a group, with a payee outside it. */
function ofRun(text: string, count: number, { policy, cap, mergeThreshold }: Wallet): Figures {
  const scenario = scenarioOf({
    name: 'recorded',
    duration: { rounds: 200 },
    network: { maxInputs: cap, rewards: false, expiresDust: false },
    parties: [
      {
        name: 'wallets',
        count,
        opening: { coins: 0, amount: { constant: '1' } },
        wallet: { select: policy, merge: mergeThreshold === null ? { never: true } : { threshold: mergeThreshold } },
        payments: { arrivals: { trace: { file: 'recorded.csv' } }, to: { groups: ['payee'] }, whenShort: 'wait' },
      },
      {
        name: 'payee',
        count: 1,
        opening: { coins: 0, amount: { constant: '1' } },
        payments: null,
        wallet: { merge: { never: true } },
      },
    ],
  });
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.error));
  const files = new Map([['recorded.csv', scenarioFileOf('recorded.csv', new TextEncoder().encode(text))]]);
  const { summary } = runScenario(scenario.value, { files, isLogged: false, isHashed: false });
  const figure = (name: string): number => Number(summary.get(`wallets/${name}`));
  return {
    meanUtxos: Number(figure('utxos.mean').toFixed(6)),
    maxUtxos: figure('utxos.max'),
    finalUtxos: figure('utxos.final'),
    merges: figure('merges'),
    mergeInputs: figure('mergeInputs'),
    maxInputs: figure('inputsPerTransfer.max'),
  };
}
