import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  frontierOf,
  NotARun,
  paretoFigures,
  readRuns,
  reportOf,
  runTables,
  writeFiles,
  type Format,
  type ParetoPoint,
  type Report,
} from '@coinlab/lab';
import { intervalOf, manifestOf, METRICS, recordOf, scenarioHash } from '@coinlab/sim';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEVER, runs, SCENARIO } from './runs.ts';

const root = mkdtempSync(join(tmpdir(), 'coinlab-report-'));
const folders = [join(root, 'small'), join(root, 'never')];
const hashes: string[] = [];

/** Writes a results folder as `coinlab run --out` does. */
function keep(folder: string, text: string, formats: readonly Format[]): void {
  const results = runs(text);
  const [first] = results;
  if (!first) throw new Error('no run');
  const manifest = manifestOf(first.scenario, { files: {}, policies: null }, '.', results.map(recordOf));
  hashes.push(scenarioHash(first.scenario));
  const others = new Map([
    ['scenario.yaml', text],
    ['manifest.json', JSON.stringify(manifest)],
  ]);
  writeFiles(mkdir(folder), runTables(results), { formats, others });
}

describe('a report', () => {
  let report: Report;
  beforeAll(async () => {
    keep(folders[0] as string, SCENARIO, ['jsonl']);
    keep(folders[1] as string, NEVER, ['parquet']);
    report = await reportOf(await readRuns(folders));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('has the same bytes when built twice', async () => {
    expect(await reportOf(await readRuns(folders))).toEqual(report);
  });

  it('judges the trend of each group', () => {
    for (const group of ['payers', 'shops'])
      expect(report.html).toMatch(new RegExp(`UTXOs of ${group}: (growing|stable|draining|undecided),`));
    expect(report.html).not.toContain('UTXOs of all');
  });

  it('loads no scripts and no remote resources', () => {
    expect(report.html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(report.html).not.toMatch(/<(script|link|img|iframe|object|image|use)\b|@import|url\(|\b(src|srcset)=/i);
    const addresses = new Set(report.html.match(/\b(?:https?:)?\/\/[^\s"'<)]+/g));
    // XML namespaces, which are never fetched.
    expect([...addresses].filter((address) => address !== 'http://www.w3.org/2000/svg')).toEqual([]);
  });

  it('has six lighter colours for dark backgrounds', () => {
    const [, dark = ''] = report.html.split('prefers-color-scheme: dark');
    const colours = [1, 2, 3, 4, 5, 6].map((n) => new RegExp(`--c${n}: (#[0-9a-f]{6});`).exec(dark)?.[1]);
    expect(new Set(colours).size).toBe(6);
    expect(colours).not.toContain(undefined);
  });

  it('is well-formed XML with an accessible label for each figure', () => {
    expect(faultsOf(report.html.replace('<!doctype html>', '').replaceAll(/<meta [^>]*>/g, ''))).toEqual([]);
    expect(report.svgs.size).toBeGreaterThan(15);
    for (const [name, svg] of report.svgs) {
      expect([name, faultsOf(svg)]).toEqual([name, []]);
      expect(svg).toMatch(/^<\?xml [^>]*\?>\n<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      expect(svg).not.toMatch(/var\(|currentColor|NaN|undefined/);
    }
    const pictures = report.html.match(/<svg [^>]*>/g) ?? [];
    expect(pictures).toHaveLength(report.svgs.size);
    expect(pictures.filter((svg) => !/role="img"/.test(svg) || !/aria-label="[^"]{10,}"/.test(svg))).toEqual([]);
    expect(new Set(pictures.map((svg) => /aria-label="([^"]*)"/.exec(svg)?.[1])).size).toBe(pictures.length);
  });

  it('lists every metric with its formula, the thresholds, the scenarios and their citations', () => {
    const text = report.html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
    for (const { name, formula } of METRICS) {
      expect(text).toContain(`>${name}</th>`);
      expect(text).toContain(formula);
    }
    expect(text).toContain('✗ does not hold');
    expect(text).toContain(SCENARIO.trimEnd());
    expect(text).toContain(NEVER.trimEnd());
    expect(new Set(hashes).size).toBe(2);
    for (const hash of hashes) expect(text).toContain(`replicates of 60 rounds, SHA-256 ${hash}`);
    expect(text.match(/@misc\{coinlab-/g)).toHaveLength(2);
  });

  it('plots each group over time and compares the runs', () => {
    const names = [...report.svgs.keys()];
    for (const run of ['small', 'never'])
      for (const group of ['all', 'payers', 'shops']) expect(names).toContain(`utxos-over-time-${run}-${group}.svg`);
    for (const name of ['beside-ecdf.svg', 'pareto-merges-all-runs.svg', 'histogram-inputs-small.svg'])
      expect(names).toContain(name);
  });

  it('has only the figures of the group and of the network when a group is named', async () => {
    const [whole, group] = [await readRuns(folders), await readRuns(folders, 'shops')];
    group.forEach((run, i) => {
      const all = whole[i]?.summary.filter((row) => row['group'] === 'all') ?? [];
      const own = whole[i]?.summary.filter((row) => row['group'] === 'shops') ?? [];
      expect(run.summary).toHaveLength(2);
      run.summary.forEach((row, replicate) => {
        expect(row['group']).toBe('all');
        for (const { name, isNetworkOnly } of METRICS)
          expect([name, row[name] ?? null]).toEqual([name, (isNetworkOnly ? all : own)[replicate]?.[name]]);
      });
      expect(run.series).toEqual(
        whole[i]?.series.flatMap((row) => (row['group'] === 'shops' ? [{ ...row, group: 'all' }] : [])),
      );
      expect(run.histograms.length).toBeGreaterThan(0);
      expect(run.of).toBe('shops');
    });
    await expect(readRuns(folders, 'shop')).rejects.toThrow('got the group "shop", expected one of payers, shops');
    const { html } = await reportOf(group);
    expect(html).toContain('UTXOs of shops: ');
    expect(html).toContain('of shops.</p>');
  });

  it('escapes markup from a scenario', async () => {
    const folder = mkdir(join(root, 'markup'));
    const text = SCENARIO.replace('name: small', 'name: small\ndescription: "<script>alert(1)</script> & more"');
    writeFiles(folder, runTables(runs()), { formats: ['jsonl'], others: new Map([['scenario.yaml', text]]) });
    const { html } = await reportOf(await readRuns([folder]));
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; more');
    expect(html).toContain('There is no manifest.');
  });

  it('is refused for a folder without results, and for a folder with a modified manifest', async () => {
    const empty = mkdir(join(root, 'empty'));
    await expect(readRuns([empty])).rejects.toThrow(NotARun);
    const changed = mkdir(join(root, 'changed'));
    writeFiles(changed, runTables(runs()), { formats: ['jsonl'] });
    writeFileSync(join(changed, 'manifest.json'), '{}');
    await expect(readRuns([changed])).rejects.toThrow(NotARun);
  });
});

describe('a Pareto figure', () => {
  const point = (label: string, utxos: number, merges: number, trafficBytes: number): ParetoPoint => ({
    label,
    family: 'all',
    utxos: intervalOf([utxos]),
    merges: intervalOf([merges]),
    trafficBytes: intervalOf([trafficBytes]),
  });
  const points = [
    point('never', 40, 0, 90),
    point('ten', 8, 100, 100),
    point('five', 4, 300, 130),
    point('bad', 9, 300, 140),
  ];

  it('joins the non-dominated settings by rising UTXOs', () => {
    expect(frontierOf(points, 'merges').map(({ label }) => label)).toEqual(['five', 'ten', 'never']);
  });

  it('exists for merges and for traffic when there are several settings, but not for one setting', async () => {
    expect((await paretoFigures(points, 'test')).map(({ id }) => id)).toEqual([
      'pareto-merges-test',
      'pareto-traffic-bytes-test',
    ]);
    expect(await paretoFigures(points.slice(0, 1), 'test')).toEqual([]);
  });
});

describe('the XML well-formedness check', () => {
  it.each(['<a><b></a></b>', '<a x="1" x="2"/>', '<a>R & D</a>', '<a x=1/>', '<a>', '<a>1 < 2</a>'])(
    'reports a fault in %s',
    (xml) => expect(faultsOf(xml)).not.toEqual([]),
  );
});

/** Returns faults of an XML text: mismatched tags, unquoted or duplicate attributes, unescaped characters. */
function faultsOf(xml: string): readonly string[] {
  const open: string[] = [];
  const faults: string[] = [];
  const tag = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|<\?xml [^>]*\?>/g;
  for (const [, isEnd, name = '', attributes = '', isEmpty] of xml.matchAll(tag)) {
    const names = [...attributes.matchAll(/([\w:-]+)=/g)].map(([, attribute]) => attribute);
    if (new Set(names).size !== names.length) faults.push(`<${name}> has an attribute twice`);
    if (isEnd) {
      const last = open.pop();
      if (last !== name) faults.push(`</${name}> closes <${last}>`);
    } else if (name !== '' && !isEmpty) open.push(name);
  }
  const text = xml.replaceAll(/<style>[^<]*<\/style>/g, '').replaceAll(tag, '');
  if (/[<]|&(?!(amp|lt|gt|quot|nbsp|#39|#\d+);)/.test(text)) faults.push('a sign is not escaped');
  return [...faults, ...open.map((name) => `<${name}> is not closed`)];
}

function mkdir(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}
