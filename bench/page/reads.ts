import type { Browser } from 'playwright-core';
import { median } from '../measure.js';
import type { Site } from './site.js';

const PAIRS = 5;
const MILLIS = 4_000;
/** Reads for each payment, so that the work of a read is the same at any speed. The page draws the payments. */
const READS_PER_PAYMENT = 20;

interface Reading {
  readonly perSecond: number;
  readonly cpuMillis: number;
}

/**
 * Compares reads of a server, which gets a payment after every 20 reads, without and with a page that shows the payer's wallet: pairs in turn.
 * The server, its reader and the payments are in this process, the page in others.
 */
export async function readsWithPage(browser: Browser, site: Site, say: (text: string) => void): Promise<void> {
  await reading(site);
  const pairs: { readonly alone: Reading; readonly withPage: Reading }[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const alone = await reading(site);
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${site.url}/#/wallet?user=alice`);
    await page.locator('.figure').waitFor();
    pairs.push({ alone, withPage: await reading(site) });
    await page.context().close();
  }
  const percent = (ratios: readonly number[]): string =>
    `${((median(ratios) - 1) * 100).toFixed(1)} % (${ratios.map((one) => ((one - 1) * 100).toFixed(1)).join(', ')})`;
  const ofPage = pairs.map(({ alone, withPage }) => (withPage.cpuMillis - alone.cpuMillis) * withPage.perSecond);
  say(
    `reads while a page is open: time per read +${percent(pairs.map(({ alone, withPage }) => alone.perSecond / withPage.perSecond))}, ` +
      `processor time of the server per read +${percent(pairs.map(({ alone, withPage }) => withPage.cpuMillis / alone.cpuMillis))}; ` +
      `for the page ${median(ofPage).toFixed(0)} ms of processor time a second; ` +
      `alone ${Math.round(median(pairs.map(({ alone }) => alone.perSecond)))} reads a second`,
  );
}

async function reading({ url, token, pay }: Site): Promise<Reading> {
  const headers = { authorization: `Bearer ${token}` };
  const cpu = process.cpuUsage();
  const began = performance.now();
  let reads = 0;
  while (performance.now() - began < MILLIS) {
    if (reads % READS_PER_PAYMENT === 0) await pay();
    const answer = await fetch(`${url}/v0/wallet/balance`, { headers });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.arrayBuffer();
    reads += 1;
  }
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (reads * 1_000) / (performance.now() - began), cpuMillis: (user + system) / 1_000 / reads };
}
