import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paretoFigures, reportOf, type ParetoPoint, type ReportRun } from '@coinlab/lab';
import { intervalOf, type Interval } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { madeUp } from './made-up.ts';
import { groupsIn, numbersOf, placeOf, pointsOf, shapesIn, textsIn } from './svg.ts';

/*
 * Reports of made-up results, so that a change of the simulator changes none of them. When a figure changes on purpose, look at it
 * and accept it with `COINLAB_ACCEPT=1 npx vitest run test/lab/report-figures.test.ts`. The other tests compare coordinates:
 * a plot of 640 × 320 has margins of 56 at the left, 24 at the right, 40 below and 26 above its note; a row of the key adds 20.
 */
const KNOWN = join(import.meta.dirname, 'report-figures.json');
const GROUPS = ['all', 'payers', 'shops'];

async function figuresOf(name: string, runs: readonly ReportRun[]): Promise<readonly (readonly [string, string])[]> {
  const { html, svgs } = await reportOf(runs);
  // The citation has the version of the program.
  const text = html.replaceAll(/<svg[\s\S]*?<\/svg>/g, '').replace(/<h2[^>]*>To cite[\s\S]*/, '');
  return [
    [`${name}: text`, hashOf(text)],
    ...[...svgs].map(([file, svg]) => [`${name}: ${file}`, hashOf(svg)] as const),
  ];
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

describe('the figures and tables of a report', () => {
  it('equal the recorded figures for one run, for one group, and for runs of different sizes with long names', async () => {
    const found = Object.fromEntries([
      ...(await figuresOf('one run', [madeUp('one', 1, GROUPS, 1)])),
      ...(await figuresOf('one group', [madeUp('group', 0.4, ['all'], 1)])),
      ...(await figuresOf('many runs', [
        madeUp('smallest-first', 1, GROUPS, 1),
        madeUp('largest-first above a threshold of ten coins', 30, GROUPS, 0.5),
        madeUp('oldest-first', 0.2, GROUPS, 1),
        madeUp('never', 31, GROUPS, 1),
      ])),
    ]);
    if (process.env['COINLAB_ACCEPT'] !== undefined) writeFileSync(KNOWN, `${JSON.stringify(found, null, 2)}\n`);
    expect(found).toEqual(JSON.parse(readFileSync(KNOWN, 'utf8')));
  });
});

/** A run with one replicate and the given rows; its scenario and manifest are missing. */
function runOf(rows: Partial<ReportRun>): ReportRun {
  const { label, summary, of } = madeUp('one', 1, ['all'], 1);
  const none = { series: [], histograms: [], thresholds: [], scenario: null, manifest: null };
  return { label, summary: summary.slice(0, 1), of, ...none, ...rows };
}

function histogram(name: string, counts: Readonly<Record<number, number>>): ReportRun['histograms'] {
  return Object.entries(counts).map(([value, times]) => ({
    replicate: 0,
    group: 'all',
    histogram: name,
    value: Number(value),
    times,
  }));
}

async function figureOf(run: ReportRun, name: string): Promise<string> {
  return (await reportOf([run])).svgs.get(name) ?? expect.unreachable(name);
}

describe('a histogram', () => {
  it('ends at the 99.5 % quantile when a value exceeds 120, with a note about the values above it', async () => {
    const run = runOf({ histograms: histogram('utxosPerParty', { 5: 249, 10: 747, 11: 1, 400: 3 }) });
    const svg = await figureOf(run, 'histogram-utxos-one.svg');
    // 560 wide for the values 0 to 10; 254 high for 0 to 80 %.
    const bars = shapesIn(svg, 'rect').filter(({ attributes }) => Number(attributes['height']) > 0);
    expect(bars.map((bar) => numbersOf(bar, 'x', 'width', 'y', 'height'))).toEqual([
      [311.05, 49.91, 200.94, 79.06],
      [565.59, 49.91, 42.83, 237.17],
    ]);
    expect(textsIn(svg).map(([text]) => text)).toContain('0.4 % above 10, up to 400 →');
    expect((await reportOf([run])).html).toContain(
      '1,000 observations, mean 9.926, median 10, 95 % at most 10, largest 400.<',
    );
  });

  it('shows all values up to 120 in at most 60 bars', async () => {
    const run = runOf({ histograms: histogram('inputsPerTransfer', { 0: 1, 1: 1, 2: 1, 3: 993, 120: 4 }) });
    const svg = await figureOf(run, 'histogram-inputs-one.svg');
    const bars = shapesIn(svg, 'rect').slice(1);
    expect(bars).toHaveLength(41);
    // 123 values: bars of three values, of 560 / 41 each.
    expect(bars.map((bar) => numbersOf(bar, 'x', 'width')).slice(0, 2)).toEqual([
      [56.5, 12.66],
      [70.16, 12.66],
    ]);
    const heights = bars.flatMap((bar, i) =>
      Number(bar.attributes['height']) > 0 ? [[i, ...numbersOf(bar, 'height')]] : [],
    );
    expect(heights).toEqual([
      [0, 0.76],
      [1, 252.22],
      [40, 1.02],
    ]);
    expect(svg).not.toContain('above 1');
    expect((await reportOf([run])).html).toContain('largest 120. One bar is 3 values.<');
  });
});

describe('a cumulative distribution', () => {
  it('rises at each value by its share', async () => {
    const svg = await figureOf(
      runOf({ histograms: histogram('utxosPerParty', { 1: 1, 2: 2, 4: 1 }) }),
      'ecdf-utxos-one.svg',
    );
    const [line = expect.unreachable()] = shapesIn(svg, 'path').filter((path) => pointsOf(path).length > 3);
    // 140 for each value; 63.5 for each quarter.
    expect(pointsOf(line)).toEqual([
      [56, 300],
      [196, 300],
      [196, 236.5],
      [336, 236.5],
      [336, 109.5],
      [616, 109.5],
      [616, 46],
      [616, 46],
      [616, 46],
    ]);
  });

  it('has a logarithmic axis from 1 when a value exceeds 50', async () => {
    const svg = await figureOf(
      runOf({ histograms: histogram('utxosPerParty', { 0: 1, 1: 1, 10: 1, 100: 1 }) }),
      'ecdf-utxos-one.svg',
    );
    const [line = expect.unreachable()] = shapesIn(svg, 'path').filter((path) => pointsOf(path).length > 3);
    expect(pointsOf(line).slice(0, 3)).toEqual([
      [56, 173],
      [336, 173],
      [336, 109.5],
    ]);
    const ticks = textsIn(svg).filter(([text, , y]) => y === 300 && text !== '0');
    expect(ticks.map(([text, x]) => [text, x])).toEqual([
      ...[1, 2, 5, 10, 20, 50, 100].map((tick) => [
        String(tick),
        Math.round((56 + 280 * Math.log10(tick)) * 100) / 100,
      ]),
      ['UTXOs per party', 336],
    ]);
  });
});

describe('a report without thresholds and manifest', () => {
  it('has no heading for thresholds, and cites no version', async () => {
    const { html } = await reportOf([runOf({})]);
    expect(html).not.toContain('Thresholds');
    expect(/@misc[^<]*/.exec(html)?.[0]).not.toContain('version');
  });
});

const exactly = (mean: number): Interval => intervalOf([mean]);

function point(label: string, utxos: number, merges: number, family = 'all'): ParetoPoint {
  return { label, family, utxos: exactly(utxos), merges: exactly(merges), trafficBytes: exactly(1) };
}

async function paretoOf(...points: readonly ParetoPoint[]): Promise<string> {
  return (await paretoFigures(points, 'test'))[0]?.svg ?? expect.unreachable();
}

/** Labels of points with the side of the point that they begin or end at. */
function labelsIn(svg: string): readonly (readonly [label: string, anchor: string | undefined])[] {
  return groupsIn(svg)
    .filter(({ group }) => group.attributes['paint-order'] === 'stroke')
    .flatMap(({ group, shapes }) => shapes.map(({ text }) => [text, group.attributes['text-anchor']] as const));
}

describe('a Pareto figure', () => {
  // 536 wide for 0 to 10 UTXOs from 72; 306 high for 0 to 100 merges.
  const points = [
    point('merge above 2', 2, 100),
    point('merge above 4', 4, 60),
    point('all', 10, 20),
    point('bad', 6, 80),
  ];

  it('has its points at their values, and a stepped line through those that are not dominated', async () => {
    const svg = await paretoOf(...points);
    expect(shapesIn(svg, 'circle').map((dot) => [...numbersOf(dot, 'cx', 'cy'), dot.text])).toEqual([
      [179.2, 54, 'all, merge above 2: 2 UTXOs per party, 100 merges'],
      [286.4, 176.4, 'all, merge above 4: 4 UTXOs per party, 60 merges'],
      [608, 298.8, 'all, all: 10 UTXOs per party, 20 merges'],
      [393.6, 115.2, 'all, bad: 6 UTXOs per party, 80 merges'],
    ]);
    const [line = expect.unreachable()] = shapesIn(svg, 'path').filter((path) => pointsOf(path).length > 2);
    expect(pointsOf(line)).toEqual([
      [179.2, 54],
      [286.4, 54],
      [286.4, 176.4],
      [608, 176.4],
      [608, 298.8],
    ]);
  });

  it('labels the points of its line at the left, or at the right when the figure ends there', async () => {
    expect(labelsIn(await paretoOf(...points))).toEqual([
      // 13 letters of 7 and 12 exceed 512 × 0.2.
      ['merge above 2', 'start'],
      ['merge above 4', 'end'],
      ['all', 'end'],
    ]);
    const [, ...others] = points;
    expect(labelsIn(await paretoOf(point('merge abov 2', 2, 100), ...others))).toContainEqual(['merge abov 2', 'end']);
  });

  it('omits a label that would cover another one', async () => {
    const near = (merges: number): Promise<string> =>
      paretoOf(point('five5', 10, merges), point('nine sign', 9, 52), point('x', 1, 100));
    // 64 apart where the longer label takes 72, and 20 or 24 above.
    expect(labelsIn(await near(47)).map(([label]) => label)).toEqual(['x', 'nine sign']);
    expect(labelsIn(await near(46)).map(([label]) => label)).toEqual(['x', 'nine sign', 'five5']);
  });

  it('has a key only when families differ from labels, and a colour and a symbol for each family', async () => {
    const named = await paretoOf(point('a', 1, 2, 'a'), point('b', 2, 1, 'b'));
    expect(named).toContain('height="400"');
    const keyed = await paretoOf(point('2', 1, 2, 'a'), point('2', 2, 1, 'b'));
    // A symbol lies within the width of a swatch, 30, that its label follows.
    const swatches = shapesIn(keyed, 'path').filter(({ attributes }) => attributes['transform'] !== undefined);
    const labels = shapesIn(keyed, 'text').filter(({ text }) => text === 'a' || text === 'b');
    expect(labels).toHaveLength(2);
    labels.forEach((text, i) => {
      const [x = NaN] = numbersOf(text, 'x');
      const [symbol = NaN] = placeOf(swatches.at(i - 2) ?? expect.unreachable());
      expect(x - symbol).toBeGreaterThan(0);
      expect(x - symbol).toBeLessThan(35);
    });
    expect(keyed).toContain('height="420"');
    expect(
      groupsIn(keyed)
        .at(-1)
        ?.shapes.map((shape) => [shape.attributes['fill'], shape.attributes['x'], shape.text]),
    ).toEqual([
      ['var(--c1, #0072b2)', undefined, ''],
      [undefined, '91', 'a'],
      ['var(--c2, #d55e00)', undefined, ''],
      [undefined, '140.72', 'b'],
    ]);
  });

  it('has a logarithmic axis for costs that differ by more than 20 times, but none for a cost of zero', async () => {
    const ticks = (svg: string): readonly string[] => textsIn(svg).flatMap(([text, x]) => (x === 64 ? [text] : []));
    const log = await paretoOf(point('a', 1, 100, 'a'), point('b', 2, 1, 'b'));
    expect(ticks(log)).toEqual(['1', '2', '5', '10', '20', '50', '100', 'merges']);
    expect(textsIn(log)).toContainEqual(['10', 64, 187]);
    expect(ticks(await paretoOf(point('a', 1, 20, 'a'), point('b', 2, 1, 'b')))).toEqual([
      '0',
      '5',
      '10',
      '15',
      '20',
      'merges',
    ]);
    expect(ticks(await paretoOf(point('a', 1, 100, 'a'), point('b', 2, 0, 'b')))).toEqual([
      '0',
      '20',
      '40',
      '60',
      '80',
      '100',
      'merges',
    ]);
  });

  it('has axes without zero for values that differ by less than half', async () => {
    const svg = await paretoOf(point('a', 8, 10, 'a'), point('b', 10, 8, 'b'));
    expect(textsIn(svg).flatMap(([text, x]) => (x === 64 ? [text] : []))).toEqual([
      '8',
      '8.5',
      '9',
      '9.5',
      '10',
      'merges',
    ]);
    expect(shapesIn(svg, 'circle').map((dot) => numbersOf(dot, 'cx', 'cy'))).toEqual([[72, 34]]);
  });

  it('draws the intervals of its points', async () => {
    const wide = (mean: number, half: number): Interval => ({
      ...exactly(mean),
      low: mean - half,
      high: mean + half,
      halfWidth: half,
    });
    const svg = await paretoOf(
      { ...point('a', 2, 80, 'a'), utxos: wide(2, 1), merges: wide(80, 20) },
      point('b', 10, 20, 'b'),
    );
    const [upright, level] = groupsIn(svg)
      .filter(({ group }) => group.attributes['stroke-opacity'] === '0.6')
      .map(({ shapes }) => shapes.map((line) => numbersOf(line, 'x1', 'x2', 'y1', 'y2')));
    expect(upright).toEqual([
      [179.2, 179.2, 156.4, 34],
      [608, 608, 278.8, 278.8],
    ]);
    expect(level).toEqual([
      [125.6, 232.8, 95.2, 95.2],
      [608, 608, 278.8, 278.8],
    ]);
  });
});
