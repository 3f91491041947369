import { Amount } from '@coinlab/core';
import {
  numberOf,
  replayStream,
  runScenario,
  type OwnPolicies,
  type RunReport,
  type StreamSettings,
} from '@coinlab/sim';
import { scenarioOfStream, type Playground } from './playground.js';
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
  return (rows) => replayStream(streamOf(rows, unit), settings, null)[metric];
}

/** What `coinlab run` would say of the wallet when the stream is what it gets and pays. Throws a RangeError for a metric that is none. */
export function scenarioObjective(
  playground: Playground,
  policies: OwnPolicies,
  metric: string,
  unit: Amount,
): Objective {
  return (rows) => {
    const { scenario, files } = scenarioOfStream(playground, streamText(rows), rows.length, Amount.short(unit));
    const { summary } = runScenario(scenario, { files, policies, isLogged: false, isHashed: false });
    const found = summary.get(`wallet/${metric}`) ?? summary.get(metric);
    if (found === undefined) throw new RangeError(`there is no metric ${metric}`);
    return numberOf(found);
  };
}

/** Rows as a stream file holds them, one a line. */
export function streamText(rows: Rows): string {
  return rows.map((row) => `${row}\n`).join('');
}

function streamOf(rows: Rows, unit: Amount): Parameters<typeof replayStream>[0] {
  return { kind: 'stream', file: 'search', unit, rows: rows.map((row) => BigInt(row) * unit) };
}
