import { replayNetwork } from '../replay/network.js';
import type { RunReport } from '../replay/report.js';
import { DEFAULT_SETTINGS } from '../replay/settings.js';
import { replayStream } from '../replay/stream.js';
import { exactly, type Check, type Subject, type Tick } from './check.js';
import { inputIn, paymentsIn, type ValidationData } from './data.js';

interface Anchor {
  readonly file: 'real payments' | 'made-up network';
  readonly cap: number | null;
  readonly mergeThreshold: number | null;
  readonly figures: Partial<RunReport>;
  readonly isQuick: boolean;
}

/** Figures for oldest-first without fees. Source: the data's README, "Conventions under which results are compared". */
const ANCHORS: readonly Anchor[] = [
  {
    file: 'real payments',
    cap: null,
    mergeThreshold: null,
    isQuick: true,
    figures: {
      meanUtxos: 184.133966,
      maxUtxos: 473,
      finalUtxos: 283,
      changeCreated: 11_819,
      inputsSpent: 35_924,
      merges: 0,
    },
  },
  {
    file: 'real payments',
    cap: 100,
    mergeThreshold: 10,
    isQuick: true,
    figures: {
      meanUtxos: 5.093191,
      maxUtxos: 11,
      finalUtxos: 5,
      changeCreated: 11_822,
      inputsSpent: 18_895,
      merges: 1731,
      mergeInputs: 19_041,
    },
  },
  {
    file: 'made-up network',
    cap: 100,
    mergeThreshold: 10,
    isQuick: true,
    figures: {
      meanUtxos: 332.694902,
      maxUtxos: 451,
      finalUtxos: 426,
      changeCreated: 8651,
      inputsSpent: 17_840,
      merges: 598,
      mergeInputs: 6578,
    },
  },
  {
    file: 'made-up network',
    cap: 100,
    mergeThreshold: null,
    isQuick: false,
    figures: {
      meanUtxos: 2064.166592,
      maxUtxos: 3995,
      finalUtxos: 3585,
      changeCreated: 8651,
      inputsSpent: 19_572,
      merges: 11,
      mergeInputs: 1100,
      capMerges: 11,
    },
  },
];

export function* conventionChecks(data: ValidationData, isQuick: boolean, tick: Tick): Generator<Check> {
  for (const anchor of anchorsOf(isQuick)) {
    const { file, cap, mergeThreshold, figures } = anchor;
    const told =
      mergeThreshold === null
        ? cap === null
          ? 'no cap'
          : `cap ${cap}`
        : `cap ${cap}, merging above ${mergeThreshold}`;
    const of: Subject = { part: 'conventions', subject: `${file}, oldest-first, ${told}` };
    const report = reportOf(data, anchor, tick);
    for (const [figure, expected] of Object.entries(figures))
      // `figures` is a partial report.
      yield exactly(of, figure, String(expected), String(report[figure as keyof RunReport]));
  }
}

export function conventionWork(isQuick: boolean): number {
  return anchorsOf(isQuick).reduce((sum, { file }) => sum + (file === 'real payments' ? 36_248 : 15_595), 0);
}

function anchorsOf(isQuick: boolean): readonly Anchor[] {
  return ANCHORS.filter((anchor) => anchor.isQuick || !isQuick);
}

function reportOf(data: ValidationData, { file, cap, mergeThreshold }: Anchor, tick: Tick): RunReport {
  const input = file === 'real payments' ? paymentsIn(data) : inputIn(data.sampleNetwork, file);
  const settings = { ...DEFAULT_SETTINGS, cap, mergeThreshold };
  let before = 0;
  const onProgress = (rows: number): void => {
    tick(rows - before);
    before = rows;
  };
  return input.kind === 'stream'
    ? replayStream(input, settings, null, { onProgress })
    : replayNetwork(input, settings, null, { onProgress }).report;
}
