import { ALL, Histogram, METRICS, parseManifest, type Manifest } from '@coinlab/sim';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { readRows, type Row } from './rows.js';

/** The replicates of one scenario, as read for a report. */
export interface ReportRun {
  /** Name in the report, unique among its runs. */
  readonly label: string;
  readonly summary: readonly Row[];
  readonly series: readonly Row[];
  readonly histograms: readonly Row[];
  readonly thresholds: readonly Row[];
  readonly scenario: string | null;
  readonly manifest: Manifest | null;
  /** The parties that the figures cover: the name of a group, or all parties. */
  readonly of: string;
}

const ALL_PARTIES = 'all parties';

/** Names of the files next to the tables. */
export const SCENARIO_FILES = ['scenario.yaml', 'scenario.json'] as const;
/** The manifest's file name in a folder of results. */
export const MANIFEST_FILE = 'manifest.json';

/** The file in a folder of `coinlab compare --out` that names its runs. */
export const COMPARISON_FILE = 'comparison.json';

const comparisonIndex = z.object({ choices: z.array(z.object({ name: z.string(), folder: z.string() })) });

/** Thrown for a folder without the result of a run. The message names what is missing. */
export class NotARun extends Error {}

/**
 * Reads the results of `coinlab run --out` and `coinlab compare --out` from folders. Throws {@link NotARun}.
 * @param group restricts the figures to a group; null: all parties
 */
export async function readRuns(folders: readonly string[], group: string | null = null): Promise<readonly ReportRun[]> {
  const named = folders.flatMap((folder) => runFoldersIn(folder));
  const runs = await Promise.all(
    named.map(async ({ folder }) => {
      const run = await readRun(folder);
      return group === null ? run : onlyGroup(run, group, folder);
    }),
  );
  // Runs of the same scenario under different policies get the names of their choices or folders.
  const isDouble = (label: string): boolean => runs.filter((run) => run.label === label).length > 1;
  return runs.map((run, i) => (isDouble(run.label) ? { ...run, label: named[i]?.name ?? run.label } : run));
}

function runFoldersIn(folder: string): z.output<typeof comparisonIndex>['choices'] {
  const text = textOf(folder, COMPARISON_FILE);
  if (text === null) return [{ name: basename(resolve(folder)), folder }];
  const index = comparisonIndex.safeParse(parsed(text));
  if (!index.success)
    throw new NotARun(`${join(folder, COMPARISON_FILE)}: expected the choices that coinlab compare --out writes`);
  return index.data.choices.map((choice) => ({ ...choice, folder: join(folder, choice.folder) }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function readRun(folder: string): Promise<ReportRun> {
  const read = async (name: 'summary' | 'totals' | 'series' | 'histograms' | 'thresholds'): Promise<readonly Row[]> => {
    const rows = await readRows(folder, name);
    if (rows === null)
      throw new NotARun(`${folder}: expected ${name}.jsonl or ${name}.parquet, as coinlab run --out writes them`);
    return rows;
  };
  const [totals, groups, series, histograms, thresholds] = await Promise.all([
    read('totals'),
    read('summary'),
    read('series'),
    read('histograms'),
    read('thresholds'),
  ]);
  const summary = [...totals, ...groups];
  if (summary.length === 0) throw new NotARun(`${folder}: totals has no rows`);
  const scenario = SCENARIO_FILES.map((name) => textOf(folder, name)).find((text) => text !== null) ?? null;
  return {
    label: String(summary[0]?.['scenario']),
    summary,
    series,
    histograms,
    thresholds,
    scenario,
    manifest: manifestOf(folder),
    of: ALL_PARTIES,
  };
}

function onlyGroup(run: ReportRun, group: string, folder: string): ReportRun {
  if (!groupsOf(run).includes(group))
    throw new NotARun(`${folder}: got the group ${JSON.stringify(group)}, expected one of ${groupsOf(run).join(', ')}`);
  const rowsOf = (rows: readonly Row[]): readonly Row[] =>
    rows.filter((row) => row['group'] === group).map((row) => ({ ...row, group: ALL }));
  const networks = run.summary.filter((row) => row['group'] === ALL);
  return {
    ...run,
    summary: rowsOf(run.summary).map((row, i) => {
      const known = Object.entries(row).filter(([, value]) => value !== null);
      return { ...networkOnly(networks[i]), ...Object.fromEntries(known) };
    }),
    series: rowsOf(run.series),
    histograms: rowsOf(run.histograms),
    of: group,
  };
}

function networkOnly(row: Row | undefined): Row {
  const names = METRICS.filter(({ isNetworkOnly }) => isNetworkOnly).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, row?.[name] ?? null]));
}

function manifestOf(folder: string): Manifest | null {
  const text = textOf(folder, MANIFEST_FILE);
  if (text === null) return null;
  const parsed = parseManifest(text);
  if (!parsed.ok) throw new NotARun(`${join(folder, MANIFEST_FILE)}: ${parsed.error}`);
  return parsed.value;
}

export function groupsOf({ summary }: ReportRun): readonly string[] {
  return [...new Set(summary.map(({ group }) => String(group)))].filter((group) => group !== ALL);
}

export function replicatesOf({ summary }: ReportRun): number {
  return new Set(summary.map(({ replicate }) => replicate)).size;
}

export function foundOf({ summary }: ReportRun, metric: string, group: string = ALL): readonly number[] {
  return summary.flatMap((row) => {
    const value = row[metric];
    return row['group'] === group && value !== null && value !== undefined ? [Number(value)] : [];
  });
}

export function histogramOf({ histograms }: ReportRun, name: string, group: string = ALL): Histogram {
  const histogram = new Histogram();
  for (const row of histograms)
    if (row['histogram'] === name && row['group'] === group) histogram.add(Number(row['value']), Number(row['times']));
  return histogram;
}

function textOf(folder: string, name: string): string | null {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
