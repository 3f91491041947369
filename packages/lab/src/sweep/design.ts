import { at } from '@coinlab/core/workflows';
import { Streams } from '@coinlab/sim';
import { latinHypercube } from './designs/latin-hypercube.js';
import { morrisTrajectories } from './designs/morris.js';
import { sobolSample } from './designs/sobol.js';
import { settingAt } from './range.js';
import type { Parameter, SweepFile } from './schema.js';

/** Values of the parameters at a point, in parameter order; undefined keeps the scenario's value. */
export type Settings = readonly unknown[];

export const MOST_POINTS = 1_000_000;

export function pointCount({ parameters, design }: SweepFile): number {
  if (design.grid) return parameters.reduce((product, { values = [] }) => product * values.length, 1);
  if (design.list) return design.list.length;
  if (design.latinHypercube) return design.latinHypercube.samples;
  if (design.morris) return design.morris.trajectories * (parameters.length + 1);
  return (design.sobol?.samples ?? 0) * (parameters.length + 2);
}

/** Returns the points of a sweep. Deterministic for a file. */
export function pointsOf(sweep: SweepFile): readonly Settings[] {
  const { parameters, design } = sweep;
  if (design.grid) return combinations(parameters);
  if (design.list) return design.list.map((settings) => parameters.map(({ name }) => settings[name]));
  return coordinatesOf(sweep).map((row) => parameters.map((parameter, i) => settingAt(parameter, at(row, i))));
}

/** Returns the points of a sampled design as coordinates from 0 to 1 in each parameter's range; empty for a grid or list. */
export function coordinatesOf({ parameters, design, seed }: SweepFile): readonly (readonly number[])[] {
  const streams = new Streams(seed);
  const names = parameters.map(({ name }) => name);
  if (design.latinHypercube) return latinHypercube(streams, 'latin-hypercube', names, design.latinHypercube.samples);
  if (design.morris) return morrisTrajectories(streams, names.length, design.morris.trajectories, design.morris.levels);
  if (design.sobol) return sobolSample(streams, names, design.sobol.samples);
  return [];
}

function combinations(parameters: readonly Parameter[]): readonly Settings[] {
  return parameters.reduce<readonly Settings[]>(
    (points, { values = [] }) => points.flatMap((point) => values.map((value) => [...point, value])),
    [[]],
  );
}
