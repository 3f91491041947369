import {
  DEFAULT_SETTINGS,
  parseNetwork,
  parseStream,
  replayNetwork,
  replayStream,
  type NetworkFile,
  type NetworkRun,
  type NetworkSettings,
  type RunReport,
  type StreamSettings,
} from '@coinlab/sim';
import { Amount } from '@coinlab/core';

/** Runs a stream of whole coins: `stream([5, -3])`. */
export function stream(rows: readonly number[], settings: Partial<StreamSettings> = {}): RunReport {
  return streamWithLog(rows, settings).report;
}

/** Like {@link stream}, and returns the log. */
export function streamWithLog(
  rows: readonly number[],
  settings: Partial<StreamSettings> = {},
): { readonly report: RunReport; readonly segments: readonly Uint8Array[] } {
  const parsed = parseStream(`${rows.join('\n')}\n`, 'hand.csv', Amount.one);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  const segments: Uint8Array[] = [];
  const report = replayStream(parsed.value, { ...DEFAULT_SETTINGS, ...settings }, (segment) => segments.push(segment));
  return { report, segments };
}

/** Runs a network given as rows: `network(['1 mint a 5', '1 a b 3'])`, each starting with its round. */
export function network(rows: readonly string[], settings: Partial<NetworkSettings> = {}): NetworkRun {
  return replayNetwork(networkFile(rows), { ...DEFAULT_SETTINGS, ...settings }, () => undefined);
}

export function networkFile(rows: readonly string[]): NetworkFile {
  const lines = rows.map((row, i) => {
    const [round, from, to, amount] = row.split(' ');
    return from === 'mint'
      ? `${i + 1},${round},mint,,${to},${amount}`
      : `${i + 1},${round},transfer,${from},${to},${amount}`;
  });
  const parsed = parseNetwork(['seq,round,kind,from,to,amount', ...lines, ''].join('\n'), 'hand.csv');
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}

export function coins(...whole: readonly number[]): readonly Amount[] {
  return whole.map((number) => Amount.ofWhole(number));
}
