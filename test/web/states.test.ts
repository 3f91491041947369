import { readFileSync } from 'node:fs';
import { Amount, Duration, Instant } from '@coinlab/core';
import type { Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../browser.ts';
import { Site, type Tab } from './tab.ts';

/** Every screen, with the text of its empty state; null: it always shows something. */
const SCREENS: readonly (readonly [path: string, empty: string | null])[] = [
  ['wallet', 'Nothing has happened in this wallet yet'],
  ['wallet/send', null],
  ['wallet/offers', 'No offer waits for your answer'],
  ['wallet/coins', 'This wallet has no coin'],
  ['wallet/history', 'Nothing has happened in this wallet yet'],
  ['wallet/traffic', null],
  ['wallet/delegations', 'No party asks this wallet to mint for it'],
  ['ledger?text=nothing+has+this', 'No contract matches at this moment'],
  ['ledger/updates?kind=nothing', 'No update matches'],
  ['ledger/life?contract=999999', 'The log has no coin #999999'],
  ['network', null],
  ['network/rules', 'No vote is open'],
  ['network/validators', null],
  ['network/parties?party=stranger', 'No party matches'],
  ['network/coins', null],
  ['server', 'This ledger has no snapshot'],
  ['server/forks', 'This server has one ledger'],
  ['server/automation', 'No offer is accepted automatically'],
  ['server/faults', 'No fault is injected'],
  ['server/refusals', 'The server has refused nothing'],
];

describe.skipIf(hasNoBrowser)('the states of the page', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.open({ start: { parties: [{ name: 'ann' }, { name: 'ben', coins: [20] }] } });
  });
  afterEach(() => site.closeTabs());
  afterAll(() => site?.close());

  const screen = (path: string, user = 'ann'): string => `#/${path}${path.includes('?') ? '&' : '?'}user=${user}`;

  it('name the missing objects on each empty screen', async () => {
    const tab = await site.tab('#/wallet?user=ann');
    for (const [path, empty] of SCREENS) {
      if (empty === null) continue;
      await tab.open(screen(path));
      await tab.page.locator('.empty-title', { hasText: empty }).first().waitFor();
    }
    expect(tab.faults).toEqual([]);
  });

  it('name the object that loads, then the reason of its failure, with a button to retry', async () => {
    const { page, faults } = await site.tab('#/wallet/send?user=ben');
    const held: Route[] = [];
    await page.route('**/v0/wallet/amulets', (route) => void held.push(route));
    await page.getByRole('link', { name: 'Coins', exact: true }).click();
    await page.getByRole('status').getByText('Loading the coins').waitFor();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    for (const route of held) await route.fulfill({ status: 500, json: { error: 'the disk is full' } });
    const alert = page.getByRole('alert');
    await alert.getByText('The server failed.').waitFor();
    await alert.getByText('the disk is full').waitFor();
    await page.unroute('**/v0/wallet/amulets');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row', { name: /^20 CC/ }).waitFor();
    expect(await alert.count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it.each([
    [404, 'Not found.'],
    [409, 'Refused.'],
    [503, 'The server failed.'],
    ['abort', 'No connection.'],
  ] as const)('name the cause of the answer %s', async (answer, title) => {
    const { page } = await site.tab('#/wallet?user=ben');
    await page.route('**/v0/wallet/accepted-transfer-offers', (route) =>
      answer === 'abort' ? route.abort() : route.fulfill({ status: answer, json: { error: 'no such thing' } }),
    );
    await page.getByRole('link', { name: 'Offers', exact: true }).click();
    await page.getByRole('alert').getByText(title).waitFor();
  });

  it('keep the last contents while the server is away, and go on without a reload', async () => {
    const { page } = await site.tab('#/wallet/coins?user=ben');
    await page.evaluate('window.mark = 1');
    await page.route('**/dev/**', (route) => route.abort());
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      Object.defineProperty(document, 'visibilityState', { value: 'visible' });
      document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByText('connection lost, trying again').waitFor();
    await page.getByRole('row', { name: /^20 CC/ }).waitFor();
    await page.unroute('**/dev/**');
    await page.locator('html[data-link=open]').waitFor();
    expect(await page.evaluate('window.mark')).toBe(1);
  });

  it('discard a page of the log that arrives after the ledger was reverted', async () => {
    const { head } = site.server.history;
    const ben = site.server.party('ben');
    for (let turn = 0; turn < 3; turn++)
      await site.server.submit({ type: 'Tap', receiver: ben, amount: Amount.one }, ben);
    const { page } = await site.tab('#/wallet?user=ben');
    const held: Route[] = [];
    await page.route('**/dev/updates?*', (route) => void held.push(route));
    await page.getByRole('link', { name: 'Ledger', exact: true }).click();
    await expect.poll(() => held.length).toBe(1);
    const stale = await held[0]?.fetch();
    await site.server.fetch('/dev/revert', { method: 'POST', body: JSON.stringify({ offset: head }) });
    await page.locator(`html[data-changes="${site.server.history.head}"]`).waitFor();
    if (stale) await held[0]?.fulfill({ response: stale });
    await expect.poll(() => held.length).toBe(2);
    await held[1]?.continue();
    await page.unroute('**/dev/updates?*');
    await page.getByText(`after offset ${site.server.history.head}`).waitFor();
    await page.getByRole('link', { name: 'Updates', exact: true }).click();
    await page.getByText(`${site.server.history.head} up to offset ${site.server.history.head}`).waitFor();
  });

  it('move nothing for people who prefer reduced motion', async () => {
    for (const [reducedMotion, expected, balance] of [
      ['reduce', '0s', /^30 CC$/],
      ['no-preference', '0.4s', /^40 CC$/],
    ] as const) {
      const { page } = await site.tab('#/wallet?user=ben', { reducedMotion });
      await page.getByLabel('Dollars').fill('0.05');
      await page.getByRole('button', { name: 'Tap', exact: true }).click();
      await page.locator('.figure', { hasText: balance }).waitFor();
      // Only the slider marks what is new.
      await page.getByRole('slider').focus();
      await page.keyboard.press('ArrowLeft');
      const made = page.locator('.figure .made');
      await made.waitFor();
      const duration = 'getComputedStyle(document.querySelector(".figure .made")).transitionDuration';
      expect(await page.evaluate(duration)).toBe(expected);
      const moving = 'document.getAnimations().filter(({ playState }) => playState === "running").length';
      if (reducedMotion === 'reduce') expect(await page.evaluate(moving)).toBe(0);
    }
  });

  it('let the keyboard reach every control of every screen, with a visible mark', async () => {
    const tab = await site.tab('#/wallet?user=ben');
    const missed: string[] = [];
    for (const [path] of SCREENS) {
      await tab.open(screen(path.replace(/\?.*/, ''), 'ben'));
      missed.push(...(await unreached(tab)).map((name) => `${path}: ${name}`));
    }
    expect(missed).toEqual([]);
  });
});

/** Presses Tab until the focus is back at the start. Returns the controls that never had it, and those without an outline. */
async function unreached({ page }: Tab): Promise<readonly string[]> {
  await page.evaluate(`(() => {
    document.activeElement?.blur();
    window.controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter(
      (one) => !one.disabled && one.checkVisibility({ visibilityProperty: true }) && !one.closest('dialog:not([open]), .table.scroll'),
    );
    window.reached = new Map();
    document.addEventListener('focusin', ({ target }) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(target);
      if (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) window.reached.set(target, true);
      // A user presses Enter here.
      if (target.className === 'skip-rows') target.click();
    });
  })()`);
  const count = await page.evaluate<number>('window.controls.length');
  await Promise.all(Array.from({ length: count + 12 }, () => page.keyboard.press('Tab')));
  return page.evaluate<string[]>(`window.controls
    .filter((one) => one.isConnected && window.reached.get(one) !== true)
    .map((one) => one.outerHTML.slice(0, 120))`);
}

describe.skipIf(hasNoBrowser)('the history of a wallet', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.open({
      start: {
        parties: [
          { name: 'ann', coins: [10] },
          { name: 'ben', coins: [5] },
        ],
      },
    });
    await paid('ann', 'ben', '2.5', '=HYPERLINK("https://example.com"), "rent"');
    await site.server.advance('1d');
    await paid('ben', 'ann', '0.0000000001', 'the smallest coin');
  });
  afterEach(() => site.closeTabs());
  afterAll(() => site?.close());

  async function paid(from: string, to: string, amount: string, description: string): Promise<void> {
    const post = async (user: string, path: string, body: unknown): Promise<Record<string, never>> => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${await site.server.token(user)}` };
      const answer = await site.server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(answer.status, path).toBe(200);
      return (await answer.json()) as Record<string, never>;
    };
    const offered = await post(from, '/v0/wallet/token-standard/transfers', {
      receiver_party_id: site.server.party(to),
      amount,
      description,
      expires_at: Number(Instant.plus(site.server.now, Duration.of('2d'))),
      tracking_id: description.slice(0, 8),
    });
    const { transfer_instruction_cid: id } = offered['output'] as unknown as Record<string, string>;
    await post(to, `/v0/wallet/token-standard/transfers/${id}/accept`, {});
  }

  async function exported({ page }: Tab): Promise<readonly string[]> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('transactions.csv');
    return readFileSync(await file.path(), 'utf8').split('\r\n');
  }

  it('exports every amount and text exactly, quotes texts with separators, and disarms formulas', async () => {
    const tab = await site.tab('#/wallet/history?user=ann');
    const [columns, ...rows] = await exported(tab);
    expect(columns).toBe('date,what,party,change,text,event_id');
    const ben = site.server.party('ben');
    const text = `"'=HYPERLINK(""https://example.com""), ""rent"""`;
    const shown = rows.map((row) => row.replace(/^[^,]+,/, '').replace(/,[^,]*$/, ''));
    expect(shown).toEqual([
      `Offer accepted,${ben},0.0000000001,the smallest coin`,
      `Offer accepted (paid with locked coin),${ben},-2.5000000000,${text}`,
      `Offered (coin locked),${ben},-2.5000000000,${text}`,
      'Tapped,,10.0000000000,',
      '',
    ]);
    expect(tab.faults).toEqual([]);
  });

  it('reports a text in the filter that is no date, and ignores it', async () => {
    const { page, faults } = await site.tab('#/wallet/history?user=ann');
    const rows = page.getByRole('table').getByRole('row');
    await rows.nth(4).waitFor();
    for (const [label, typed] of [
      ['From', '2026-13-99'],
      ['To', 'yesterday'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(typed);
      await page.getByText('Type a date: 2026, 2026-01, 2026-01-31 or 2026-01-31 12:30.').waitFor();
      expect(await rows.count()).toBe(5);
      await page.getByLabel(label, { exact: true }).fill('2026-01-02 00:00');
      await page.getByText('Type a date').waitFor({ state: 'detached' });
      await page.getByLabel(label, { exact: true }).fill('');
    }
    expect(faults).toEqual([]);
  });

  it.each([
    ['a text', { Search: 'SMALLEST' }, ['the smallest coin']],
    ['a party', { Search: 'stranger' }, []],
    ['received coin', { Kind: 'in' }, ['the smallest coin', '']],
    ['a day', { From: '2026-01-02', To: '2026-01-02' }, ['the smallest coin']],
    ['an earlier day', { To: '2026-01-01', Search: 'tapped' }, ['']],
  ] as const)('shows and exports only what matches %s', async (_, filters, texts) => {
    const tab = await site.tab('#/wallet/history?user=ann');
    const search = tab.page.getByRole('search');
    for (const [label, value] of Object.entries(filters))
      await (label === 'Kind'
        ? search.getByLabel(label).selectOption(value)
        : search.getByLabel(label, { exact: true }).fill(value));
    if (texts.length === 0) await tab.page.getByText('No transaction matches').waitFor();
    const [, ...rows] = await exported(tab);
    expect(rows.filter((row) => row !== '').map((row) => row.split(',')[4])).toEqual(texts);
  });
});
