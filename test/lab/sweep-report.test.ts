import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coordinatesOf, NotARun, sweepReportOf, type SweepFile } from '@coinlab/lab';
import { beforeAll, describe, expect, it } from 'vitest';
import { coinlab } from '../cli/coinlab.ts';
import { madeUpSweep } from './made-up.ts';
import { groupsIn, numbersOf, placeOf, pointsOf, rowsIn, shapesIn, textsIn } from './svg.ts';

const folder = mkdtempSync(join(tmpdir(), 'coinlab-sweep-report-'));
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  writeFileSync(
    at('small.yaml'),
    'name: small\nduration: { rounds: 6 }\nparties:\n  - { name: payers, count: 3, payments: { arrivals: { poisson: { perDay: 90 } } } }\n',
  );
  writeFileSync(
    at('sweep.yaml'),
    `name: thresholds
scenario: small.yaml
parameters:
  - { name: threshold, path: parties.payers.wallet.merge.threshold, values: [2, 5] }
  - { name: policy, path: parties.payers.wallet.select, values: [smallest-first, largest-first] }
  - { name: price, path: network.amuletPrice, values: ['0.1', '0.2'] }
design: { grid: true }
replicates: 2
metrics: [utxosPerParty.mean, merges, traffic.bytes]
`,
  );
  const { code } = await coinlab('sweep', at('sweep.yaml'), '--out', at('results'), '--workers', '1', '--quiet');
  expect(code).toBe(0);
});

async function report(name: string, ...flags: readonly string[]): Promise<string> {
  const { code, err } = await coinlab('report', at('results'), '--out', at(name), ...flags);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return readFileSync(at(name), 'utf8');
}

describe('the report of a sweep', () => {
  it('shows every metric over the first two settings with units, the Pareto front and paired differences', async () => {
    const page = await report('two.html');
    const headings = [...page.matchAll(/<h2 id="s\d">([^<]+)</g)].map(([, heading]) => heading);
    expect(headings).toEqual(['Points', 'Metrics over settings', 'Pareto front', 'Paired differences', 'To cite']);
    // Three metrics × two prices × (lines and heat map), and two Pareto plots.
    expect(page.match(/<figure>/g)).toHaveLength(14);
    for (const text of [
      'utxosPerParty.mean, UTXOs',
      'traffic.bytes, bytes',
      'merges, price 0.2 over threshold and policy',
    ])
      expect(page).toContain(text);
    expect(page.match(/aria-label="Plot: /g)).toHaveLength(14);
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
    expect(await report('again.html')).toBe(page);
  });

  it('plots the settings that --over names', async () => {
    const page = await report('over.html', '--over', 'price,threshold', '--svg', at('plots'));
    expect(page).toContain('merges, policy largest-first over price and threshold');
    expect(readFileSync(at('plots/lines-merges-policy-largest-first.svg'), 'utf8')).toContain('<svg');
  });

  it.each([
    [
      ['--over', 'treshold'],
      '--over: got the setting "treshold", expected one of threshold, policy, price; the nearest is threshold',
    ],
    [['--group', 'payers'], '--group works with runs'],
    [[at('results')], 'is a sweep; expected it alone'],
  ])('is refused with %j', async (flags, expected) => {
    const { code, err } = await coinlab('report', at('results'), '--out', at('refused.html'), ...flags);
    expect(code).toBe(2);
    expect(err).toContain(expected);
  });
});

describe('the report of a run that did not make its payments', () => {
  it('shows no trend, and shows how many payments were completed', async () => {
    writeFileSync(
      at('poor.yaml'),
      `name: poor
duration: { rounds: 60 }
parties:
  - { name: payers, count: 3, opening: { coins: 1, amount: { constant: '1' } }, payments: { arrivals: { poisson: { perDay: 90 } }, amount: { constant: '50' } } }
`,
    );
    expect((await coinlab('run', at('poor.yaml'), '--out', at('poor'), '--quiet')).code).toBe(0);
    expect((await coinlab('report', at('poor'), '--out', at('poor.html'))).code).toBe(0);
    const page = readFileSync(at('poor.html'), 'utf8');
    expect(page).toMatch(
      /UTXOs of payers: no trend, because 0 of \d+ requested payments were completed, expected at least 95 %\./,
    );
  });
});

describe('the report of a made-up sweep', () => {
  const twice = (...values: readonly number[]): readonly (readonly number[])[] => [values, values];
  const [parameters, metrics] = [
    ['threshold', 'policy'],
    ['merges', 'traffic.bytes'],
  ];
  const grid = [
    { settings: [2, 'small'], values: twice(40, 9) },
    { settings: [2, 'large'], values: twice(20, 9) },
    { settings: [5, 'small'], values: [[10, 10], null] },
    {
      settings: [5, 'large'],
      values: [
        [4, 11],
        [6, 11],
      ],
      completed: 94,
    },
  ];
  const sweep = madeUpSweep(grid, { parameters, metrics, objectives: metrics });

  it('plots each metric over the first setting, with a line for each value of the second', async () => {
    const { svgs } = await sweepReportOf(sweep);
    expect([...svgs.keys()]).toEqual([
      'lines-merges.svg',
      'heat-map-merges.svg',
      'lines-traffic-bytes.svg',
      'heat-map-traffic-bytes.svg',
    ]);
    const svg = svgs.get('lines-merges.svg') ?? '';
    // 276 for each threshold; 254 high for −10 to 40 merges. The lines lie 3 to the left and to the right.
    const dots = groupsIn(svg).filter(
      ({ shapes }) => shapes.some(({ text }) => text === '40' || text === '20') && shapes.length === 2,
    );
    expect(dots.map(({ group, shapes }) => [placeOf(group)[0], ...shapes.map(({ text }) => text)])).toEqual([
      [-3, '40', '10'],
      [3, '20', '5'],
    ]);
    expect(shapesIn(svg, 'circle').map((dot) => numbersOf(dot, 'cx', 'cy'))).toEqual([
      [202, 46],
      [478, 198.4],
    ]);
    const lines = shapesIn(svg, 'path')
      .map(pointsOf)
      .filter(([from, to]) => from?.[0] === 202 && to?.[0] === 478);
    expect(lines).toEqual([
      [
        [202, 46],
        [478, 198.4],
      ],
      [
        [202, 147.6],
        [478, 223.8],
      ],
    ]);
    // 5 ± 12.706 merges: the quantile of Student's t for one degree of freedom.
    expect(shapesIn(svg, 'line').map((line) => numbersOf(line, 'x1', 'y1', 'y2'))).toContainEqual([
      478, 288.35, 159.25,
    ]);
    expect(textsIn(svg).map(([text]) => text)).toContain('merges');
    expect(textsIn(svgs.get('lines-traffic-bytes.svg') ?? '').map(([text]) => text)).toContain('traffic.bytes, bytes');
  });

  it('shows the means in a heat map, from 8 % of the colour for the least to 50 % for the most', async () => {
    const { svgs } = await sweepReportOf(sweep);
    const svg = svgs.get('heat-map-merges.svg') ?? '';
    const cells = shapesIn(svg, 'rect').filter(({ attributes }) => attributes['fill-opacity'] !== undefined);
    expect(cells.map((cell) => numbersOf(cell, 'fill-opacity'))).toEqual([[0.5], [0.26], [0.14], [0.08]]);
    const texts = textsIn(svg).map(([text]) => text);
    expect(texts.filter((text) => /^[0-9 ±]*$/.test(text))).toEqual(['2', '5', '40', '20', '10', '5', ' ± 13']);
    expect(texts.at(-1)).toBe('policy (rows), merges');
    expect(svg).toContain('height="168"');
    const equal = (await sweepReportOf(sweep)).svgs.get('heat-map-traffic-bytes.svg') ?? '';
    expect(equal).toContain('height="168"');
  });

  it('lists the points with their verdicts, and the differences to the first point', async () => {
    const { html } = await sweepReportOf({
      ...sweep,
      heading: { ...sweep.heading, definition: { ...sweep.heading.definition, design: { grid: true } } },
    });
    expect(rowsIn(html)).toEqual([
      ['point', 'threshold', 'policy', 'merges', 'traffic.bytes', 'requested', 'completed', 'verdict'],
      ['1', '2', 'small', '40 ± 0', '9 ± 0', '200', '200', ''],
      ['2', '2', 'large', '20 ± 0', '9 ± 0', '200', '200', '● not dominated'],
      ['3', '5', 'small', '10', '10', '100', '100', '● not dominated'],
      ['4', '5', 'large', '5 ± 13', '11 ± 0', '200', '188', 'starved: no verdict'],
      ['point', 'threshold', 'policy', 'merges', 'traffic.bytes'],
      ['2', '2', 'large', '−20 ± 0', '0'],
      ['3', '5', 'small', '', ''],
      ['4', '5', 'large', '−35 ± 38', '2 ± 0'],
    ]);
    expect(html).toContain('Differences to point 1 (2, small)');
    expect(html).toContain('each has a level of 98.33 %');
    expect(html).toContain('4 points with 2 replicates each.');
    expect(html).toContain('coinlab 1.2.3. Sweep made-up, SHA-256 abc.');
  });

  it('calls a difference exact when it differs only by rounding', async () => {
    const values = (value: number): readonly (readonly number[])[] => [[3 + value], [3.2 + value]];
    const { html } = await sweepReportOf(
      madeUpSweep(
        [
          { settings: [1], values: values(0) },
          { settings: [2], values: values(5) },
        ],
        { parameters: ['a'], metrics: ['merges'] },
      ),
    );
    expect(rowsIn(html).at(-1)).toEqual(['2', '2', '5 ± 0']);
  });

  it('plots a single setting without a key or a heat map, and labels a missing setting as unset', async () => {
    const one = madeUpSweep(
      [
        { settings: [null], values: [[1]] },
        { settings: [3], values: [[2]] },
      ],
      { parameters: ['threshold'], metrics: ['merges'] },
    );
    const { svgs, html } = await sweepReportOf(one);
    expect([...svgs.keys()]).toEqual(['lines-merges.svg']);
    const svg = svgs.get('lines-merges.svg') ?? '';
    expect(svg).toContain('height="320"');
    expect(textsIn(svg).map(([text]) => text)).toEqual(expect.arrayContaining(['unset', '3', 'threshold']));
    expect(shapesIn(svg, 'circle').map((dot) => numbersOf(dot, 'cx', 'cy'))).toEqual([
      [202, 153],
      [478, 26],
    ]);
    expect(html).not.toContain('Paired differences');
    expect(html).toContain('2 points with 1 replicate each.');
  });

  it('makes a figure for each value of the other settings', async () => {
    const three = madeUpSweep(
      [1, 2].flatMap((price) =>
        [2, 5].map((threshold) => ({ settings: [threshold, 'small', price], values: [[threshold * price]] })),
      ),
      { parameters: ['threshold', 'policy', 'price'], metrics: ['merges'] },
    );
    const names = async (...over: readonly string[]): Promise<readonly string[]> => [
      ...(await sweepReportOf(three, over)).svgs.keys(),
    ];
    expect(await names()).toEqual([
      'lines-merges-price-1.svg',
      'heat-map-merges-price-1.svg',
      'lines-merges-price-2.svg',
      'heat-map-merges-price-2.svg',
    ]);
    expect(await names('price', 'threshold')).toEqual([
      'lines-merges-policy-small.svg',
      'heat-map-merges-policy-small.svg',
    ]);
    // The second axis is then the first setting that is not the first axis.
    expect(await names('price')).toEqual(['lines-merges-policy-small.svg', 'heat-map-merges-policy-small.svg']);
    await expect(names('prise')).rejects.toThrow(NotARun);
  });

  it('lists the effects of a screening design', async () => {
    const ranges = ['a', 'b'].map((name) => ({ name, path: name, linear: { from: 0, to: 1 } }));
    const { heading } = madeUpSweep([], { parameters: ['a', 'b'], metrics: ['merges'] });
    const definition = {
      ...heading.definition,
      parameters: ranges,
      replicates: 1,
      design: { morris: { trajectories: 2, levels: 4 } },
    };
    const rows = coordinatesOf({ ...definition, scenario: {} } satisfies SweepFile);
    const { rows: found } = madeUpSweep(
      rows.map((settings) => ({ settings, values: [[3 * (settings[0] ?? 0)]] })),
      { parameters: ['a', 'b'], metrics: ['merges'] },
    );
    const { html } = await sweepReportOf({ heading: { ...heading, definition, points: rows.length }, rows: found });
    expect(html).toContain('Effects');
    expect(rowsIn(html)).toEqual([
      ['metric', 'parameter', 'index', 'value', 'low', 'high', 'observations'],
      ['merges', 'a', 'effect', '3', '', '', '2'],
      ['merges', 'a', 'size', '3', '3', '3', '2'],
      ['merges', 'a', 'deviation', '0', '', '', '2'],
      ['merges', 'b', 'effect', '0', '', '', '2'],
      ['merges', 'b', 'size', '0', '0', '0', '2'],
      ['merges', 'b', 'deviation', '0', '', '', '2'],
    ]);
  });
});
