import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../browser.ts';
import { Site, type Tab } from './tab.ts';

describe.skipIf(hasNoBrowser)('the controls of the server in a browser', () => {
  let site: Site;
  beforeAll(async () => void (site = await Site.open()));
  afterEach(() => site.closeTabs());
  afterAll(() => site?.close());

  const press = (tab: Tab, name: string): Promise<void> => tab.page.getByRole('button', { name, exact: true }).click();

  it('advance the clock by durations and by rounds', async () => {
    const tab = await site.tab('#/server');
    const time = tab.page.locator('.figure');
    await press(tab, 'Advance 1 hour');
    await expect.poll(() => time.textContent()).toBe('2026-01-01 01:00:00 UTC');
    await tab.page.getByLabel('Rounds').fill('0');
    await tab.page.getByText('Type a whole number from 1 to 1,000.').waitFor();
    expect(await tab.page.getByRole('button', { name: 'Advance by rounds' }).isDisabled()).toBe(true);
    await tab.page.getByLabel('Rounds').fill('3');
    await press(tab, 'Advance by rounds');
    await tab.page.getByText('3 rounds have passed').waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('take named and numbered snapshots, show them in other tabs, and revert to them any number of times', async () => {
    const tab = await site.tab('#/server');
    const log = await site.tab('#/ledger/updates');
    const reverts = tab.page.getByRole('button', { name: /^Revert to snapshot/ });
    await tab.page.getByLabel('Snapshot name').fill('45');
    await tab.page.getByText('Type a letter, then letters').waitFor();
    expect(await tab.page.getByRole('button', { name: 'Take a snapshot' }).isDisabled()).toBe(true);
    await tab.page.getByLabel('Snapshot name').fill('funded');
    await press(tab, 'Take a snapshot');
    await tab.page.getByRole('row', { name: /^funded/ }).waitFor();
    for (let turn = 0; turn < 2; turn++) {
      await site.server.advance('30m');
      await tab.page.getByText(`offset ${site.server.history.head}`).first().waitFor();
      await press(tab, 'Take a snapshot');
      await expect.poll(() => reverts.count()).toBe(2);
      await press(tab, 'Revert to snapshot funded');
      await expect.poll(() => reverts.count()).toBe(1);
      // The clock goes on, so automation adds updates to the old ones at once.
      const { head } = site.server.history;
      await log.page.getByText(`${head} up to offset ${head}`).waitFor();
    }
    const other = await site.tab('#/server');
    await other.page.getByRole('row', { name: /^funded/ }).waitFor();
    await press(other, 'Delete snapshot funded');
    await other.page.getByText('This ledger has no snapshot').waitFor();
    await press(tab, 'Reset the ledger');
    await tab.page.getByText('The ledger is at its start').waitFor();
    await tab.page.getByText('This ledger has no snapshot').waitFor();
    await log.page.getByText(`up to offset ${site.server.history.head}`).waitFor();
    expect([...tab.faults, ...other.faults]).toEqual([]);
  });

  it('revert to the offset that the slider shows', async () => {
    await site.server.advance('10m');
    const tab = await site.tab('#/server?at=44');
    await press(tab, 'Revert to offset 44, the moment shown');
    await tab.page.getByText('Reverted to offset 44').waitFor();
    await tab.page.getByText('Present', { exact: true }).waitFor();
  });

  it('fork the ledger at an offset, and a payment on the page of the fork changes the fork only', async () => {
    const tab = await site.tab('#/server/forks?user=alice');
    await tab.page.getByText('This server has one ledger').waitFor();
    await tab.page.getByLabel('Name of the fork').fill('what-if');
    await press(tab, 'Fork the ledger');
    await tab.page.getByRole('link', { name: 'what-if' }).click();
    await tab.page.getByText('fork what-if').waitFor();
    await tab.settled();
    await tab.page.getByLabel('Dollars').fill('0.05');
    await press(tab, 'Tap');
    await tab.page.locator('.figure', { hasText: /^10,010 CC$/ }).waitFor();
    const live = await site.tab('#/wallet?user=alice');
    await live.page.locator('.figure', { hasText: /^10,000 CC$/ }).waitFor();
    await live.open('#/server/forks?user=alice&at=40');
    await live.page.getByLabel('Name of the fork').fill('early');
    await live.page.getByLabel('Continue from').selectOption({ label: 'offset 40, the moment shown' });
    await press(live, 'Fork the ledger');
    await live.page.getByRole('row', { name: /^early 40 40/ }).waitFor();
    await press(live, 'Remove the fork what-if');
    await expect.poll(() => live.page.getByRole('link', { name: 'what-if' }).count()).toBe(0);
    await press(live, 'Remove the fork early');
    expect([...tab.faults, ...live.faults]).toEqual([]);
  });

  it('change the automation: accepted senders, sweeps and policies', async () => {
    const tab = await site.tab('#/server/automation');
    const { page } = tab;
    await page.getByLabel('Receiver who accepts').fill('bob');
    await page.getByLabel('Offers from').fill('alice');
    await press(tab, 'Accept automatically');
    await page.getByText('bob from alice').waitFor();
    await page.getByLabel('Auto-accept also token-standard transfers').check();
    await page.getByText('Auto-accept also token-standard transfers: on').waitFor();
    const alice = await site.tab('#/wallet/send?user=alice');
    await alice.page.getByLabel('Receiver').fill('bob');
    await alice.page.getByLabel('Amount in CC').fill('1');
    await press(alice, 'Send');
    await alice.page.getByText('Offered 1 CC to bob').waitFor();
    await site.server.advance('1m');
    await alice.page.getByRole('link', { name: 'Offers' }).click();
    await alice.page.getByText('You have offered nothing').waitFor();
    await page.getByLabel('Swept wallet').fill('carol');
    await page.getByLabel('To', { exact: true }).fill('dave');
    await page.getByLabel('Above (USD)').fill('much');
    await page.getByText('Type two amounts in USD').waitFor();
    await page.getByLabel('Above (USD)').fill('20');
    await press(tab, 'Sweep');
    await page.getByText('carol to dave above 20 USD, down to 10 USD').waitFor();
    await press(tab, 'Stop sweeping carol');
    await press(tab, 'Stop accepting for bob from alice');
    await page.getByText('No offer is accepted automatically').waitFor();
    const dso = page.getByLabel('Open rounds, issue rewards and expire contracts');
    await dso.uncheck();
    await page.getByText('Open rounds, issue rewards and expire contracts: off').waitFor();
    await page.reload();
    await tab.settled();
    expect(await dso.isChecked()).toBe(false);
    await dso.check();
    await page.getByText('Open rounds, issue rewards and expire contracts: on').waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('plan faults that other tabs encounter, and remove them', async () => {
    const tab = await site.tab('#/server/faults');
    await tab.page.getByText('No fault is injected').waitFor();
    await tab.page.getByLabel('Start of the paths').fill('v0');
    await tab.page.getByText('Type a path that starts with /').waitFor();
    await tab.page.getByLabel('Start of the paths').fill('/v0/wallet/balance');
    // 0.57 × 100 has a long tail as a floating-point number.
    await tab.page.getByLabel('Failures in percent').fill('57');
    await press(tab, 'Activate the plan');
    await tab.page.getByText('57 % with status 503, before the request takes effect').waitFor();
    await tab.page.getByLabel('Failures in percent').fill('100');
    await press(tab, 'Activate the plan');
    await tab.page.getByText('100 % with status 503, before the request takes effect').waitFor();

    const alice = await site.tab('#/wallet?user=alice');
    await alice.page.getByText('The server failed.').waitFor();
    await press(tab, 'Remove the plan');
    // An update of automation may load the balance before the click.
    const again = alice.page.getByRole('button', { name: 'Try again' }).first();
    await again.click({ timeout: 2_000 }).catch(() => undefined);
    await alice.page.getByText('10,000 CC').first().waitFor();
  });

  it('list refused requests of all clients at once, with both sides of the violated condition and without another request', async () => {
    const watcher = await site.tab('#/server/refusals');
    await watcher.page.getByRole('heading', { name: 'Refusals' }).first().waitFor();
    watcher.requests.length = 0;
    const bob = await site.tab('#/wallet/send?user=bob');
    const stranger = `stranger::1220${'f'.repeat(64)}`;
    await bob.page.getByLabel('Receiver').fill(stranger);
    await bob.page.getByLabel('Amount in CC').fill('1');
    await press(bob, 'Send');
    await bob.page.getByText('Refused').waitFor();
    for (const { page } of [watcher, bob]) {
      if (page === bob.page) {
        await page.getByRole('link', { name: 'Server' }).click();
        await page.getByRole('link', { name: 'Refusals' }).click();
      }
      const refusal = page.getByRole('article').first();
      await refusal.getByText('POST /v0/wallet/token-standard/transfers').waitFor();
      await refusal.getByText('bob', { exact: true }).first().waitFor();
      await refusal.getByText(/^UNKNOWN_PARTY: .*stranger/).waitFor();
      await refusal.getByText('party', { exact: true }).waitFor();
    }
    // Updates of automation may arrive meanwhile.
    expect(watcher.requests.filter((request) => request !== 'GET /dev/clock')).toEqual([]);
    // Only the tab that sent the request knows its body.
    expect(await watcher.page.getByText('Request as curl').count()).toBe(0);
    expect(await bob.page.getByRole('article').getByText('Request as curl').count()).toBeGreaterThan(0);
  });

  it('are absent on a server without dev', async () => {
    const tab = await site.tab('#/server');
    await tab.page.getByRole('link', { name: 'Server', exact: true }).waitFor();
    await tab.page.route('**/dev/users', (route) => route.fulfill({ status: 404, body: '{}' }));
    await tab.page.reload();
    await tab.page.getByText('Only a development server has controls').waitFor();
    expect(await tab.page.getByRole('link', { name: 'Server', exact: true }).count()).toBe(0);
  });
});
