import type { Amount } from '@coinlab/core';
import { replayStream, type RunReport, type StreamSettings } from '@coinlab/sim';
import type { Rows } from './limits.js';
import type { Objective } from './worst.js';

/** Figures of a replayed stream that can be searched for. */
export const STREAM_METRICS = [
  'meanUtxos',
  'maxUtxos',
  'finalUtxos',
  'merges',
  'capMerges',
  'meanInputs',
  'inputsSpent',
  'changeCreated',
] as const satisfies readonly (keyof RunReport)[];

/** One of them. */
export type StreamMetric = (typeof STREAM_METRICS)[number];

/** What `coinlab replay` would say of a stream. */
export function replayObjective(settings: StreamSettings, metric: StreamMetric, unit: Amount): Objective {
  return (rows) => replayStream(streamOf(rows, unit), settings, () => undefined)[metric];
}

/** Rows as a stream file holds them, one a line. */
export function streamText(rows: Rows): string {
  return rows.map((row) => `${row}\n`).join('');
}

function streamOf(rows: Rows, unit: Amount): Parameters<typeof replayStream>[0] {
  return { kind: 'stream', file: 'search', unit, rows: rows.map((row) => BigInt(row) * unit) };
}
