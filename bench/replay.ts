import { existsSync, readFileSync } from 'node:fs';
import {
  DEFAULT_SETTINGS,
  parseStream,
  POLICY_NAMES,
  replayStream,
  type PaymentStream,
  type PolicyName,
} from '@coinlab/sim';
import type { Figure } from './figure.js';
import { median } from './measure.js';

/** The payments of a real hot wallet, included in the simulation. */
export const STREAM_FILE: string = 'packages/sim/data/payments/moneypot.csv';

/** The first replay of a policy also compiles its code, and V8 takes one of two ways with it: a single replay takes 0.3 or 0.45 s. */
const REPLAYS = 3;

/** M1: CPU time to replay a real stream through one wallet, median per policy; with metrics, log in memory. */
export function replayCosts(file: string): readonly Figure[] {
  if (!existsSync(file)) {
    process.stderr.write(`M1 is left out: there is no ${file}; name a stream with --stream FILE\n`);
    return [];
  }
  const stream = parseStream(readFileSync(file, 'utf8'), file);
  if (!stream.ok) throw new Error(`${file}: ${JSON.stringify(stream.error)}`);
  const figureOf = (policy: PolicyName): Figure => {
    const replays = Array.from({ length: REPLAYS }, () => replayOf(stream.value, policy));
    const seconds = median(replays.map((replay) => replay.seconds));
    return {
      goal: 'M1',
      what: `replay of ${stream.value.rows.length.toLocaleString('en')} payments, ${policy}, mean ${replays[0]?.meanUtxos} UTXOs`,
      ours: `${seconds.toFixed(2)} s CPU`,
      reference: '1 s',
      ratio: seconds,
      target: 'below 1 s',
    };
  };
  // The first replay also compiles the code. The last policy leaves little memory to sweep during the next replay.
  for (const policy of POLICY_NAMES.slice(-1)) replayOf(stream.value, policy);
  return POLICY_NAMES.map(figureOf);
}

function replayOf(stream: PaymentStream, policy: PolicyName): { seconds: number; meanUtxos: number } {
  const log: Uint8Array[] = [];
  globalThis.gc?.();
  const before = process.cpuUsage();
  const { meanUtxos } = replayStream(
    stream,
    { ...DEFAULT_SETTINGS, policy, cap: null, mergeThreshold: null },
    (segment) => void log.push(segment),
  );
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, meanUtxos };
}
