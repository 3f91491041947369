import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAxe, violationsOn } from '../axe.ts';
import { hasNoBrowser, startBrowser } from '../browser.ts';
import { coinlab } from '../cli/coinlab.ts';

const folder = mkdtempSync(join(tmpdir(), 'coinlab-reports-'));
const at = (name: string): string => join(folder, name);

const SCENARIO = `name: small
duration: { rounds: 12 }
parties:
  - { name: payers, count: 3, payments: { arrivals: { poisson: { perDay: 90 } } } }
  - { name: shops, count: 1, temperament: merchant }
thresholds: { merges: '>= 0' }
`;
const SWEEP = `name: thresholds
scenario: small.yaml
parameters:
  - { name: threshold, path: parties.payers.wallet.merge.threshold, values: [2, 5] }
  - { name: policy, path: parties.payers.wallet.select, values: [smallest-first, largest-first] }
design: { grid: true }
replicates: 2
metrics: [utxosPerParty.mean, merges, traffic.bytes]
`;

const LOOKS = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['light at 375 pixels', { colorScheme: 'light', viewport: { width: 375, height: 800 } }],
] as const;

const PAGES = ['run.html', 'comparison.html', 'sweep.html'] as const;

describe.skipIf(hasNoBrowser)('a report', () => {
  let browser: Browser;

  beforeAll(async () => {
    writeFileSync(at('small.yaml'), SCENARIO);
    writeFileSync(at('sweep.yaml'), SWEEP);
    for (const args of [
      ['run', at('small.yaml'), '--out', at('run'), '--replicates', '2', '--quiet'],
      [
        'compare',
        at('small.yaml'),
        '--merge',
        'never',
        '--merge',
        '2',
        '--replicates',
        '2',
        '--out',
        at('comparison'),
        '--quiet',
      ],
      ['sweep', at('sweep.yaml'), '--out', at('sweep'), '--workers', '1', '--quiet'],
      ...['run', 'comparison', 'sweep'].map((name) => ['report', at(name), '--out', at(`${name}.html`)]),
    ])
      expect(await coinlab(...args)).toMatchObject({ code: 0, err: '' });
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it.each(PAGES.flatMap((page) => LOOKS.map(([look, options]) => ({ page, look, options }))))(
    '$page has no finding of axe-core and does not scroll sideways: $look',
    async ({ page: name, options }) => {
      // The policy of the page forbids scripts; the checker is one.
      const context = await browser.newContext({ ...options, bypassCSP: true });
      const page = await context.newPage();
      await page.goto(`file://${at(name)}`);
      await addAxe(page);
      const violations = await violationsOn(page, options.colorScheme === 'dark');
      const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
      expect(found).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      const smallest = await page.evaluate<number>(
        'Math.min(...[...document.querySelectorAll("svg text")].map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))',
      );
      // Labels keep nine pixels even on a phone: a wide plot scrolls in its own box.
      expect(smallest).toBeGreaterThanOrEqual(9);
      await context.close();
    },
  );
});
