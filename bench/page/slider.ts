import type { Browser, Page } from 'playwright-core';
import type { Site } from './site.js';

const MOVES = 300;
/** Reads of the past, in equal distances, before the slider moves. */
const PARTS = 256;
const MOST_IN_TAB = 150_000;

/** Moves the slider as fast as the page draws: over the contracts, which the tab computes, and over a wallet, which the server answers. */
export async function slider(browser: Browser, site: Site, say: (text: string) => void): Promise<void> {
  const page = await (await browser.newContext()).newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.goto(`${site.url}/#/ledger`);
  const began = performance.now();
  await page.getByText(/\d after offset/).waitFor();
  await page.locator('.loading').waitFor({ state: 'detached', timeout: 300_000 });
  const { metrics } = await session.send('Performance.getMetrics');
  const script = (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1_000;
  const heap = (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 2 ** 20;
  say(
    `log read into the tab after ${Math.round(performance.now() - began)} ms, ${Math.round(script)} ms of script, ${Math.round(heap)} MiB of script memory`,
  );
  for (const kind of ['steps', 'jumps'] as const)
    say(`slider, contracts, ${kind}: ${Math.round(await moves(page, kind))} offsets a second`);
  await page.context().close();
  await wallet(browser, site, say);
}

async function wallet(browser: Browser, { url, token }: Site, say: (text: string) => void): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const { offset } = (await (await fetch(`${url}/dev/clock`)).json()) as { readonly offset: number };
  const before = performance.now();
  // The server keeps states of the past where it has been read, so that a slider moves over kept states.
  for (let part = 1; part <= PARTS; part++) {
    const at = Math.max(60, Math.floor((offset * part) / PARTS) - 1);
    await (await fetch(`${url}/dev/at/${at}/v0/wallet/balance`, { headers })).arrayBuffer();
  }
  say(`the server reads the past once: ${((performance.now() - before) / 1_000).toFixed(1)} s`);
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${url}/#/wallet/coins?user=alice`);
  await page.getByRole('table').waitFor();
  let drawn = 0;
  page.on('requestfinished', (request) => {
    if (/dev\/at\/\d+\/v0\/wallet\/amulets/.test(request.url())) drawn += 1;
  });
  for (const kind of ['steps', 'jumps'] as const) {
    drawn = 0;
    const began = performance.now();
    const moved = await moves(page, kind);
    const answered = drawn / ((performance.now() - began) / 1_000);
    say(
      `slider, coins of a wallet, ${kind}: ${Math.round(moved)} offsets a second, ${Math.round(answered)} of them drawn`,
    );
  }
  await page.context().close();
}

function moves(page: Page, kind: 'steps' | 'jumps'): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const slider = document.querySelector('input[type=range]');
    const last = location.hash.startsWith('#/ledger') ? Math.min(${MOST_IN_TAB}, Number(slider.max)) : Number(slider.max);
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
