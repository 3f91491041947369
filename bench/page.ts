import { loadavg } from 'node:os';
import { join } from 'node:path';
import { Amount, Duration, holdingsOf, Instant, type Submitted, type Update } from '@coinlab/core';
import { createServer, listen, type ListeningServer } from '@coinlab/http';
import { build } from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright-core';
import { median } from './measure.js';

const USAGE = `npm run bench:page                  the page in Chromium (CHROMIUM_PATH): first view, slider, density map
npm run bench:page -- --updates N   length of the slider's log (100000)
`;

const MOVES = 300;
const PAID = Amount.of('0.0001');
const root = join(import.meta.dirname, '..');
const args = process.argv.slice(2);

if (args.includes('--help')) process.stdout.write(USAGE);
else await run(Number(args[args.indexOf('--updates') + 1] ?? NaN) || 100_000);

async function run(updates: number): Promise<void> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await densityMap(browser, 1_000_000);
    const server = await served(updates);
    await firstView(browser, server.url);
    await slider(browser, server.url);
    await server.close();
    const [minute = 0] = loadavg();
    say(`load of the last minute: ${minute.toFixed(1)}`);
  } finally {
    await browser.close();
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Starts a development server with a log of payments: alice offers coin, bob accepts. */
async function served(updates: number): Promise<ListeningServer> {
  const server = await createServer({ dev: true, clock: 'manual', port: 0 });
  const [sender, receiver] = [server.party('alice'), server.party('bob')];
  const executeBefore = Instant.plus(server.now, Duration.of('1d'));
  let [coin = null] = [...holdingsOf(server.state, sender, 'largest')].map(({ id }) => id);
  while (coin !== null && server.state.offset < updates) {
    const inputs = [coin];
    const offer = { type: 'CreateOffer', sender, receiver, amount: PAID, executeBefore, inputs } as const;
    const offered = await server.submit(offer, sender);
    const { created } = required(offered);
    const instruction = created.find(({ template }) => template === 'TransferInstruction')?.id;
    coin = created.find((one) => one.template === 'Holding' && one.lock === null)?.id ?? null;
    if (instruction !== undefined) required(await server.submit({ type: 'AcceptOffer', instruction }, receiver));
  }
  return listen(server);
}

function required(answer: Submitted): Update {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value.update;
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

/** Moves the slider to random offsets as fast as the page draws. */
async function slider(browser: Browser, url: string): Promise<void> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${url}/#/ledger`);
  const began = performance.now();
  await page.getByText(/\d after offset/).waitFor();
  await page.locator('.loading').waitFor({ state: 'detached', timeout: 300_000 });
  say(`log read after ${Math.round(performance.now() - began)} ms`);
  for (const kind of ['steps', 'jumps'] as const) {
    const moved = await moves(page, kind);
    say(`slider, ${kind}: ${Math.round(moved)} offsets a second`);
  }
  await page.context().close();
}

function moves(page: Page, kind: 'steps' | 'jumps'): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const slider = document.querySelector('input[type=range]');
    const last = Number(slider.max);
    let seed = 1;
    const began = performance.now();
    for (let i = 0; i < ${MOVES}; i++) {
      seed = (seed * 16807) % 2147483647;
      slider.value = ${kind === 'steps'} ? (last >> 1) + i : 1 + (seed % last);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
    return ${MOVES} / ((performance.now() - began) / 1000);
  })()`);
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
