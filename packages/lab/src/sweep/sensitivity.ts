import { Streams, type Cell, type Table } from '@coinlab/sim';
import { coordinatesOf } from './design.js';
import { morrisEffects } from './designs/morris.js';
import { sobolIndices } from './designs/sobol.js';
import type { Heading } from './part.js';
import type { SweepFile } from './schema.js';
import { intervalAt, type SweepRuns } from './tables.js';

/** The effect of one parameter on one metric. */
export interface Sensitivity {
  readonly metric: string;
  readonly parameter: string;
  /**
   * Morris designs have `effect` (mean effect of the whole range), `size` (mean absolute effect) and `deviation` (dependence on
   * other parameters); Sobol designs have `first` and `total`, shares of the variance.
   */
  readonly index: 'effect' | 'size' | 'deviation' | 'first' | 'total';
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly observations: number;
}

/**
 * Returns the effect of each parameter on each metric for a Morris or Sobol design; empty for other designs. Metrics that never
 * vary have no rows.
 */
export function sensitivitiesOf(runs: SweepRuns): readonly Sensitivity[] {
  const { heading } = runs;
  const { design, parameters, seed } = heading.definition;
  if (!design.morris && !design.sobol) return [];
  const rows = coordinatesOf(designOf(heading));
  return heading.metrics.flatMap(({ name: metric }, i): Sensitivity[] => {
    const found = rows.map((_, point) => intervalAt(runs, point, i)?.mean ?? null);
    const named = (parameter: number): Pick<Sensitivity, 'metric' | 'parameter'> => ({
      metric,
      parameter: parameters[parameter]?.name ?? '',
    });
    if (design.morris)
      return morrisEffects(rows, found, parameters.length).flatMap((effect, parameter): Sensitivity[] => {
        if (!effect) return [];
        const { mean, size, deviation, effects: observations } = effect;
        const exact = { ...named(parameter), low: null, high: null, observations };
        return [
          { ...exact, index: 'effect', value: mean },
          { ...exact, index: 'size', value: size.mean, low: size.low, high: size.high },
          ...(deviation === null ? [] : [{ ...exact, index: 'deviation' as const, value: deviation }]),
        ];
      });
    const resamples = design.sobol?.resamples ?? 0;
    const indices = sobolIndices(found, parameters.length, { streams: new Streams(seed), resamples });
    return (indices ?? []).flatMap(({ first, total, samples }, parameter) => [
      { ...named(parameter), index: 'first' as const, ...first, observations: samples },
      { ...named(parameter), index: 'total' as const, ...total, observations: samples },
    ]);
  });
}

export function sensitivityTable(sensitivities: readonly Sensitivity[]): Table {
  return {
    columns: [
      { name: 'metric', kind: 'text' },
      { name: 'parameter', kind: 'text' },
      { name: 'index', kind: 'text' },
      { name: 'value', kind: 'ratio' },
      { name: 'low', kind: 'ratio' },
      { name: 'high', kind: 'ratio' },
      { name: 'observations', kind: 'count' },
    ],
    rows: sensitivities.map(({ metric, parameter, index, value, low, high, observations }): Cell[] => [
      metric,
      parameter,
      index,
      value,
      low,
      high,
      observations,
    ]),
  };
}

/** Generating the design needs no scenario. */
function designOf({ definition }: Heading): SweepFile {
  return { ...definition, scenario: {} };
}
