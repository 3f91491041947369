import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { median } from '../measure.js';
import type { Site } from './site.js';

const PAIRS = 5;
const MILLIS = 6_000;
const SETTLE_MILLIS = 1_000;
/** Reads for each payment, so that the work of a read is the same at any speed. The page draws the payments. */
const READS_PER_PAYMENT = 20;

interface Reading {
  readonly perSecond: number;
  readonly cpuMillis: number;
}

/**
 * Compares reads of a server, which gets a payment after every 20 reads, while its page shows the payer's wallet, and while the page of
 * a second server shows it: pairs in turn. The second server has the same log and payments in a process of its own, so that the
 * browser has equal work on both sides. On two cores a busy browser slows every process, which is no work of the server.
 * The server, its reader and the payments are in this process.
 */
export async function readsWithPage(
  browser: Browser,
  site: Site,
  updates: number,
  say: (text: string) => void,
): Promise<void> {
  const mirror = fork(join(import.meta.dirname, 'mirror.ts'), [String(updates)]);
  const [url] = (await once(mirror, 'message')) as [string];
  const reading = async (of: string): Promise<Reading> => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${of}/#/wallet?user=alice`);
    await page.locator('.figure').waitFor();
    // The first view is complete.
    await page.waitForTimeout(SETTLE_MILLIS);
    const read = await reads(site, () => mirror.send('pay'));
    await page.context().close();
    return read;
  };
  await reading(site.url);
  const pairs: { readonly alone: Reading; readonly withPage: Reading }[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    // The order alternates, because the log grows.
    if (pair % 2 === 0) pairs.push({ alone: await reading(url), withPage: await reading(site.url) });
    else {
      const withPage = await reading(site.url);
      pairs.push({ alone: await reading(url), withPage });
    }
  }
  mirror.kill();
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

async function reads({ url, token, pay }: Site, payToo: () => void): Promise<Reading> {
  const headers = { authorization: `Bearer ${token}` };
  const cpu = process.cpuUsage();
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < MILLIS) {
    if (count % READS_PER_PAYMENT === 0) {
      payToo();
      await pay();
    }
    const answer = await fetch(`${url}/v0/wallet/balance`, { headers });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.arrayBuffer();
    count += 1;
  }
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (count * 1_000) / (performance.now() - began), cpuMillis: (user + system) / 1_000 / count };
}
