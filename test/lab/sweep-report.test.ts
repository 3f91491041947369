import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { coinlab } from '../cli/coinlab.ts';

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
