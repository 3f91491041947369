import type { Table } from '@coinlab/sim';
import { paretoFigures } from '../report/pareto-figures.js';
import { svgFile } from '../report/look.js';
import { differencesOf, differencesTable, isPaired } from './differences.js';
import { partIn, PartsFault, readParts, wholeOf } from './part.js';
import { sensitivitiesOf, sensitivityTable } from './sensitivity.js';
import { pointsTable, resultsTable, type SweepRuns } from './tables.js';
import { paretoTable, plottedPoints, weighedPoints } from './weighed.js';

/**
 * Merges the parts in a folder to the runs of the whole sweep; equal to the result of an undivided sweep. Throws a `PartsFault`
 * that names missing, duplicate, damaged or foreign parts.
 */
export function joinParts(folder: string): SweepRuns {
  return wholeOf(readParts(folder));
}

/** Like {@link joinParts}, from the texts of parts by name. */
export function joinTexts(texts: ReadonlyMap<string, string>): SweepRuns {
  const parts = [...texts].map(([name, text]) => {
    const part = partIn(name, text);
    if (!part) throw new PartsFault(`${name}: is damaged or incomplete`);
    return part;
  });
  return wholeOf(parts);
}

/**
 * Returns the tables of a sweep by name: `results` (point × replicate × metric), `points` (means with intervals), `pareto`
 * (non-dominated points), `differences` (to the first point, replicate by replicate) for grids and lists with replicates, and, for
 * a Morris or Sobol design, `sensitivity`.
 */
export function sweepTables(runs: SweepRuns): ReadonlyMap<string, Table> {
  const weighed = weighedPoints(runs);
  const sensitivities = sensitivitiesOf(runs);
  const differences = isPaired(runs) ? differencesOf(runs) : [];
  return new Map([
    ['results', resultsTable(runs)],
    ['points', pointsTable(runs)],
    ...(weighed.length > 0 ? [['pareto', paretoTable(runs, weighed)] as const] : []),
    ...(differences.length > 0 ? [['differences', differencesTable(runs, differences)] as const] : []),
    ...(sensitivities.length > 0 ? [['sensitivity', sensitivityTable(sensitivities)] as const] : []),
  ]);
}

/**
 * Returns the plots of a sweep as SVG files by name: UTXOs against merges and against traffic. Empty when the sweep lacks these
 * metrics.
 */
export async function sweepPlots({ heading, rows }: SweepRuns): Promise<ReadonlyMap<string, string>> {
  const figures = await paretoFigures(plottedPoints({ heading, rows }), heading.definition.name);
  return new Map(figures.map(({ id, svg }) => [`${id}.svg`, svgFile(svg)]));
}
