import { METRICS, type FieldFault, type MetricInfo } from '@coinlab/sim';
import { OBJECTIVES } from './pareto.js';
import type { SweepFile } from './schema.js';

/** A metric that a sweep keeps. */
export interface KeptMetric {
  /** As results name it: `merges`, or of a group `payers/merges`. */
  readonly name: string;
  readonly kind: MetricInfo['kind'];
}

/** The metrics that a sweep keeps, in the order in which it names them; all of the network where it names none. */
export function keptMetrics({ metrics }: SweepFile): readonly KeptMetric[] {
  if (!metrics) return METRICS.map(({ name, kind }) => ({ name, kind }));
  return metrics.flatMap((name) => {
    const info = infoOf(name);
    return info ? [{ name, kind: info.kind }] : [];
  });
}

/** Metrics that do not exist, are named twice, or are weighed and not kept. */
export function metricFaults({ metrics, objectives }: SweepFile, groups: readonly string[]): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  const check = (field: string, names: readonly string[]): void =>
    names.forEach((name, i) => {
      const group = name.includes('/') ? name.slice(0, name.indexOf('/')) : null;
      const fault = (expected: string): void =>
        void faults.push({ path: [field, i], reason: `got ${JSON.stringify(name)}, expected ${expected}` });
      if (names.indexOf(name) < i) fault('each metric once');
      else if (group !== null && !groups.includes(group)) fault(`a metric of one of the groups ${groups.join(', ')}`);
      else if (!infoOf(name)) fault(`one of ${METRICS.map((metric) => metric.name).join(', ')}`);
      else if (group !== null && infoOf(name)?.formula.startsWith('network only'))
        fault('a metric that groups have; this one is of the network only');
      else if (field === 'objectives' && metrics && !metrics.includes(name))
        fault('a metric that is kept: see metrics');
    });
  check('metrics', metrics ?? []);
  check('objectives', objectives ?? []);
  return faults;
}

function infoOf(name: string): MetricInfo | undefined {
  const own = name.slice(name.indexOf('/') + 1);
  return METRICS.find((metric) => metric.name === own);
}

/** What a sweep weighs of what it keeps. */
export function objectivesOf({ objectives, metrics }: SweepFile): readonly string[] {
  return objectives ?? OBJECTIVES.filter((name) => metrics === undefined || metrics.includes(name));
}
