import { Amount } from '@coinlab/core';
import {
  numberOf,
  replayStream,
  runScenario,
  type OwnPolicies,
  type RunReport,
  type StreamSettings,
} from '@coinlab/sim';
import { scenarioOfStream, type SearchSetup } from './setup.js';
import type { Rows } from './limits.js';
import type { Objective } from './worst.js';

/** Figures of a replayed stream that a search can maximise. */
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

/** The name of a figure that a stream search can maximise. */
export type StreamMetric = (typeof STREAM_METRICS)[number];

/** Returns an objective that replays the stream as `coinlab replay` does. */
export function replayObjective(settings: StreamSettings, metric: StreamMetric, unit: Amount): Objective {
  return (rows) => replayStream(streamOf(rows, unit), settings, null)[metric];
}

/**
 * Returns an objective that simulates a wallet with the stream as `coinlab run` does. It throws a RangeError for an unknown
 * metric.
 */
export function scenarioObjective(setup: SearchSetup, policies: OwnPolicies, metric: string, unit: Amount): Objective {
  return (rows) => {
    const { scenario, files } = scenarioOfStream(setup, streamText(rows), rows.length, Amount.short(unit));
    const { summary } = runScenario(scenario, { files, policies, isLogged: false, isHashed: false });
    const found = summary.get(`wallet/${metric}`) ?? summary.get(metric);
    if (found === undefined) throw new RangeError(`there is no metric ${metric}`);
    return numberOf(found);
  };
}

/** Formats rows as a stream file, one per line. */
export function streamText(rows: Rows): string {
  return rows.map((row) => `${row}\n`).join('');
}

function streamOf(rows: Rows, unit: Amount): Parameters<typeof replayStream>[0] {
  return { rows: rows.map((row) => BigInt(row) * unit) };
}
