import { ALL, intervalOf } from '@coinlab/sim';
import { comparisonFigures } from './comparison-figures.js';
import { slug, type Figure } from './figure.js';
import { paretoFigures, type ParetoPoint } from './pareto-figures.js';
import { foundOf, groupsOf, histogramOf, type ReportRun } from './run.js';
import { ecdfFigure, histogramFigure } from './spread-figures.js';
import { flowFigure, utxoFigures } from './time-figures.js';

export interface Chapter {
  readonly title: string;
  readonly figures: readonly Figure[];
}

export async function chaptersOf(runs: readonly ReportRun[]): Promise<readonly Chapter[]> {
  const chapters: Chapter[] = [];
  if (runs.length > 1) chapters.push({ title: 'Runs side by side', figures: await compared(runs) });
  for (const run of runs)
    chapters.push({ title: runs.length > 1 ? run.label : 'Over time and among parties', figures: await alone(run) });
  return chapters;
}

async function compared(runs: readonly ReportRun[]): Promise<readonly Figure[]> {
  const histograms = runs.map((run) => ({ label: run.label, histogram: histogramOf(run, 'utxosPerParty') }));
  return [
    ...(await comparisonFigures(runs)),
    await ecdfFigure(histograms, {
      id: 'beside-ecdf',
      title: 'Distribution of UTXOs per party',
      run: 'all runs',
      unit: 'UTXOs per party',
      of: 'parties and rounds',
    }),
    ...(await flows(
      runs.map((run) => ({ label: run.label, run, group: ALL })),
      'all runs',
    )),
    ...(await paretoFigures(runs.map(pointOf), 'all runs')),
  ];
}

async function alone(run: ReportRun): Promise<readonly Figure[]> {
  const groups = groupsOf(run);
  const shown = groups.length > 1 ? [ALL, ...groups] : [ALL];
  const name = (what: string): string => slug(`${what} ${run.label}`);
  const inputs = histogramOf(run, 'inputsPerTransfer');
  return [
    ...(await utxoFigures(run)),
    await histogramFigure(histogramOf(run, 'utxosPerParty'), {
      id: name('histogram utxos'),
      title: 'UTXOs per party',
      run: run.label,
      unit: 'UTXOs per party',
      of: 'parties and rounds',
    }),
    await ecdfFigure(
      shown.map((group) => ({
        label: group === ALL ? run.of : group,
        histogram: histogramOf(run, 'utxosPerParty', group),
      })),
      {
        id: name('ecdf utxos'),
        title: 'Distribution of UTXOs per party',
        run: run.label,
        unit: 'UTXOs per party',
        of: 'parties and rounds',
      },
    ),
    ...(inputs.samples === 0
      ? []
      : [
          await histogramFigure(inputs, {
            id: name('histogram inputs'),
            title: 'Inputs per transfer',
            run: run.label,
            unit: 'inputs',
            of: 'transfers and offers',
          }),
        ]),
    // Show groups only: their flows add up to the flow of all parties.
    ...(await flows(
      (groups.length > 0 ? groups : [ALL]).map((group) => ({ label: group === ALL ? run.of : group, run, group })),
      run.label,
    )),
  ];
}

async function flows(
  lines: readonly { readonly label: string; readonly run: ReportRun; readonly group: string }[],
  label: string,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [column, title, unit] of [
    ['merges', 'Merges', 'merges'],
    ['dust.expired', 'Dust expired', 'expired UTXOs'],
  ] as const) {
    const shown = lines.filter(({ run, group }) => foundOf(run, column, group).some((value) => value > 0));
    if (shown.length === 0) continue;
    figures.push(
      await flowFigure(shown, { column, title: `${title} over time`, of: label, unit, id: slug(`${title} ${label}`) }),
    );
  }
  return figures;
}

function pointOf(run: ReportRun): ParetoPoint {
  return {
    label: run.label,
    family: run.label,
    utxos: intervalOf(foundOf(run, 'utxosPerParty.mean')),
    merges: intervalOf(foundOf(run, 'merges')),
    trafficBytes: intervalOf(foundOf(run, 'traffic.bytes')),
  };
}
