import { ALL, METRICS, type Cell, type RunResult, type Table, type TableColumn } from '@coinlab/sim';

const RUN: readonly TableColumn[] = [
  { name: 'scenario', kind: 'text' },
  { name: 'seed', kind: 'count' },
  { name: 'replicate', kind: 'count' },
];

/** Names of the run tables, which are also their file names. */
export const RUN_TABLES = ['summary', 'totals', 'series', 'histograms', 'parties', 'thresholds'] as const;

/**
 * Returns the tables of a scenario's runs by name, one observation per row.
 * - `summary`: replicate × group; a column per metric, empty where the group has none
 * - `totals`: replicate; the columns of `summary` for all parties together. A separate table, so that sums over
 *   `summary` count each party once
 * - `series`: replicate × sampled round × group
 * - `histograms`: replicate × histogram × group × value with its count; values with count zero are omitted
 * - `parties`: replicate × party with its final UTXOs, if the scenario has `metrics: { perParty: true }`
 * - `thresholds`: replicate × threshold of the scenario
 */
export function runTables(results: readonly RunResult[]): ReadonlyMap<string, Table> {
  return new Map([
    ['summary', summary(results, ({ scenario }) => scenario.groups.map(({ name }) => name))],
    ['totals', summary(results, () => [ALL])],
    ['series', series(results)],
    ['histograms', histograms(results)],
    ...(results[0]?.scenario.metrics.perParty ? ([['parties', parties(results)]] as const) : []),
    ['thresholds', thresholds(results)],
  ]);
}

function summary(results: readonly RunResult[], groupsOf: (result: RunResult) => readonly string[]): Table {
  const columns: readonly TableColumn[] = [
    { name: 'group', kind: 'text' },
    { name: 'rounds', kind: 'count' },
    ...METRICS.map(({ name, kind }) => ({ name, kind })),
  ];
  return ofRuns(results, columns, (result) =>
    groupsOf(result).map((group) => [
      group,
      result.rounds,
      ...METRICS.map(({ name }) => result.summary.get(group === ALL ? name : `${group}/${name}`) ?? null),
    ]),
  );
}

function series(results: readonly RunResult[]): Table {
  return ofRuns(results, results[0]?.series.columns ?? [], ({ series }) => series.rows);
}

function histograms(results: readonly RunResult[]): Table {
  const columns: readonly TableColumn[] = [
    { name: 'histogram', kind: 'text' },
    { name: 'group', kind: 'text' },
    { name: 'value', kind: 'count' },
    { name: 'times', kind: 'count' },
  ];
  return ofRuns(results, columns, ({ histograms }) =>
    [...histograms].flatMap(([path, { counts }]) => {
      const slash = path.lastIndexOf('/');
      const [group, name] = slash < 0 ? [ALL, path] : [path.slice(0, slash), path.slice(slash + 1)];
      return counts.flatMap((times, value) => (times === 0 ? [] : [[name, group, value, times]]));
    }),
  );
}

function parties(results: readonly RunResult[]): Table {
  const columns: readonly TableColumn[] = [
    { name: 'party', kind: 'count' },
    { name: 'group', kind: 'text' },
    { name: 'utxos', kind: 'count' },
  ];
  return ofRuns(results, columns, ({ scenario, utxos }) => {
    const groups = scenario.groups.flatMap(({ name, count }) => Array<string>(count).fill(name));
    return Array.from(utxos, (count, party) => [party, groups[party] ?? null, count]);
  });
}

function thresholds(results: readonly RunResult[]): Table {
  const columns: readonly TableColumn[] = [
    { name: 'metric', kind: 'text' },
    { name: 'demand', kind: 'text' },
    { name: 'found', kind: 'ratio' },
    { name: 'holds', kind: 'text' },
  ];
  return ofRuns(results, columns, ({ thresholds }) =>
    thresholds.map(({ metric, demand, found, holds }) => [metric, demand, found, String(holds)]),
  );
}

function ofRuns(
  results: readonly RunResult[],
  columns: readonly TableColumn[],
  rowsOf: (result: RunResult) => readonly (readonly Cell[])[],
): Table {
  return {
    columns: [...RUN, ...columns],
    rows: results.flatMap((result) =>
      rowsOf(result).map((row) => [result.scenario.name, result.scenario.seed, result.replicate, ...row]),
    ),
  };
}
