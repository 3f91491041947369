import type { Table } from '@coinlab/sim';
import { paretoFigures } from '../report/pareto-figures.js';
import { svgFile } from '../report/look.js';
import { readParts, wholeOf } from './part.js';
import { sensitivitiesOf, sensitivityTable } from './sensitivity.js';
import { pointsTable, resultsTable, type SweepRuns } from './tables.js';
import { paretoTable, plottedPoints, weighedPoints } from './weighed.js';

/**
 * The runs of a sweep from the parts in a folder, whoever played them: the same as of a sweep that was never divided. Throws a
 * `PartsFault` that names what is missing, doubled, damaged or of another sweep.
 */
export function mergeParts(folder: string): SweepRuns {
  return wholeOf(readParts(folder));
}

/**
 * The tables of a sweep by name: `results` (point × replicate × metric), `points` (means with intervals), `pareto` (points that none
 * dominates) and, of a Morris or Sobol design, `sensitivity`.
 */
export function sweepTables(runs: SweepRuns): ReadonlyMap<string, Table> {
  const weighed = weighedPoints(runs);
  const sensitivities = sensitivitiesOf(runs);
  return new Map([
    ['results', resultsTable(runs)],
    ['points', pointsTable(runs)],
    ...(weighed.length > 0 ? [['pareto', paretoTable(runs, weighed)] as const] : []),
    ...(sensitivities.length > 0 ? [['sensitivity', sensitivityTable(sensitivities)] as const] : []),
  ]);
}

/** The plots of a sweep as SVG files by name: UTXOs against merges and against traffic; none where these were not kept. */
export async function sweepPlots({ heading, rows }: SweepRuns): Promise<ReadonlyMap<string, string>> {
  const figures = await paretoFigures(plottedPoints({ heading, rows }), heading.definition.name);
  return new Map(figures.map(({ id, svg }) => [`${id}.svg`, svgFile(svg)]));
}
