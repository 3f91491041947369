import { knownMetrics, METRICS, nearestText, type FieldFault, type MetricInfo } from '@coinlab/sim';
import { OBJECTIVES } from './pareto.js';
import type { SweepFile } from './schema.js';

export interface KeptMetric {
  readonly name: string;
  readonly kind: MetricInfo['kind'];
}

export function keptMetrics({ metrics }: SweepFile): readonly KeptMetric[] {
  if (!metrics) return METRICS.map(({ name, kind }) => ({ name, kind }));
  return metrics.flatMap((name) => {
    const info = infoOf(name);
    return info ? [{ name, kind: info.kind }] : [];
  });
}

export function metricFaults({ metrics, objectives }: SweepFile, groups: readonly string[]): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  const check = (field: string, names: readonly string[]): void =>
    names.forEach((name, i) => {
      const group = name.includes('/') ? name.slice(0, name.indexOf('/')) : null;
      const fault = (expected: string): void =>
        void faults.push({ path: [field, i], reason: `got ${JSON.stringify(name)}, expected ${expected}` });
      if (names.indexOf(name) < i) fault('each metric once');
      else if (group !== null && !groups.includes(group))
        fault(`a metric of one of the groups ${groups.join(', ')}${nearestText(group, groups)}`);
      else if (!infoOf(name))
        fault(
          `a name of docs/reference/metrics.md${nearestText(name, knownMetrics(groups.map((known) => ({ name: known }))))}`,
        );
      else if (group !== null && infoOf(name)?.isNetworkOnly)
        fault('a metric that groups have; only the network has this one');
      else if (field === 'objectives' && metrics && !metrics.includes(name)) fault('one of the sweep’s metrics');
    });
  check('metrics', metrics ?? []);
  check('objectives', objectives ?? []);
  return faults;
}

function infoOf(name: string): MetricInfo | undefined {
  const own = name.slice(name.indexOf('/') + 1);
  return METRICS.find((metric) => metric.name === own);
}

export function objectivesOf({ objectives, metrics }: SweepFile): readonly string[] {
  return objectives ?? OBJECTIVES.filter((name) => metrics === undefined || metrics.includes(name));
}
