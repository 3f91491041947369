import { loadavg } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium, type Browser } from 'playwright-core';
import { median } from './measure.js';
import { readsWithPage } from './page/reads.js';
import { slider } from './page/slider.js';
import { served } from './page/site.js';

const USAGE = `npm run bench:page                  the page in Chromium (CHROMIUM_PATH): first view, reads while it is open, slider, density map
npm run bench:page -- --updates N   a slider over a log of N updates only (default: 100000, then 1000000)
`;

const root = join(import.meta.dirname, '..');
const args = process.argv.slice(2);

if (args.includes('--help')) process.stdout.write(USAGE);
else await run(args.includes('--updates') ? [Number(args[args.indexOf('--updates') + 1])] : [100_000, 1_000_000]);

async function run(lengths: readonly number[]): Promise<void> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const sayLoad = (when: string): void => say(`load of the last minute, ${when}: ${(loadavg()[0] ?? 0).toFixed(1)}`);
  sayLoad('at the start');
  try {
    await densityMap(browser, 1_000_000);
    for (const [index, updates] of lengths.entries()) {
      const site = await served(updates);
      say(`a log of ${updates} updates:`);
      if (index === 0) await firstView(browser, site.url);
      await readsWithPage(browser, site, updates, say);
      await slider(browser, site, say);
      await site.close();
    }
    sayLoad('at the end');
  } finally {
    await browser.close();
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function firstView(browser: Browser, url: string): Promise<void> {
  const page = await (await browser.newContext()).newPage();
  const sizes: number[] = [];
  page.on('requestfinished', (request) => {
    void request
      .sizes()
      .then(({ responseBodySize, responseHeadersSize }) => sizes.push(responseBodySize + responseHeadersSize));
  });
  let requests = 0;
  page.on('request', () => (requests += 1));
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const began = performance.now();
  await page.goto(`${url}/#/wallet?user=alice`);
  await page.locator('.figure').waitFor();
  const shown = performance.now() - began;
  await page.waitForTimeout(1_000);
  const { metrics } = await session.send('Performance.getMetrics');
  const script = metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0;
  const bytes = sizes.reduce((a, b) => a + b, 0);
  say(
    `first view: ${bytes} bytes, ${requests} requests, ${Math.round(script * 1_000)} ms of script, balance after ${Math.round(shown)} ms`,
  );
  await page.context().close();
}

/** Counts and paints a million coins at the size of a wide screen. */
async function densityMap(browser: Browser, coins: number): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from './packages/web/src/network/density.js';`, resolveDir: root },
    bundle: true,
    format: 'iife',
    globalName: 'density',
    write: false,
  });
  const page = await (await browser.newContext()).newPage();
  await page.setContent('<canvas></canvas>');
  await page.evaluate(outputFiles[0]?.text ?? '');
  for (const [width, height] of [
    [240, 96],
    [1000, 700],
  ] as const) {
    const times = await page.evaluate<number[]>(`(() => {
      const count = ${coins};
      const [ages, amounts] = [new Float64Array(count), new Float64Array(count)];
      for (let i = 0; i < count; i++) {
        ages[i] = Math.random() * 1e6;
        amounts[i] = 10 ** (Math.random() * 8 - 3);
      }
      const canvas = document.querySelector('canvas');
      return Array.from({ length: 15 }, () => {
        const began = performance.now();
        density.paint(canvas, density.densityOf({ count, ages, amounts }, ${width}, ${height}), [0, 114, 178]);
        canvas.getContext('2d').getImageData(0, 0, 1, 1);
        return performance.now() - began;
      });
    })()`);
    const [least, middle, most] = [Math.min(...times), median(times), Math.max(...times)].map(Math.round);
    say(`density map of ${coins} coins in ${width} × ${height} cells: ${least} to ${most} ms, median ${middle} ms`);
  }
  await page.context().close();
}
