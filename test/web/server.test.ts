import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../browser.ts';
import { Site, type Tab } from './tab.ts';

describe.skipIf(hasNoBrowser)('the controls of the server in a browser', () => {
  let site: Site;
  beforeAll(async () => void (site = await Site.open()));
  afterEach(() => site.closeTabs());
  afterAll(() => site?.close());

  const press = (tab: Tab, name: string): Promise<void> => tab.page.getByRole('button', { name, exact: true }).click();

  it('advances the clock by spans and by rounds', async () => {
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

  it('takes snapshots, reverts to them any number of times, and drops later ones', async () => {
    const tab = await site.tab('#/server');
    const log = await site.tab('#/ledger/updates');
    await press(tab, 'Take a snapshot');
    await tab.page.getByText('Took snapshot 1').waitFor();
    for (let turn = 0; turn < 2; turn++) {
      await site.server.advance('30m');
      await tab.page.getByText(`offset ${site.server.history.head}`).first().waitFor();
      await press(tab, 'Take a snapshot');
      await tab.page.getByRole('button', { name: 'Revert to snapshot' }).nth(1).waitFor();
      await tab.page.getByRole('button', { name: 'Revert to snapshot' }).last().click();
      await expect.poll(() => tab.page.getByRole('button', { name: 'Revert to snapshot' }).count()).toBe(1);
      // The clock goes on, so automation adds updates to the old ones at once.
      const { head } = site.server.history;
      await log.page.getByText(`${head} up to offset ${head}`).waitFor();
    }
    await press(tab, 'Reset the ledger');
    await tab.page.getByText('The ledger is at its start').waitFor();
    await log.page.getByText(`up to offset ${site.server.history.head}`).waitFor();
  });

  it('plans faults, which other tabs meet, and removes them', async () => {
    const tab = await site.tab('#/server/faults');
    await tab.page.getByText('No fault is injected').waitFor();
    await tab.page.getByLabel('Start of the paths').fill('v0');
    await tab.page.getByText('Type a path that starts with /').waitFor();
    await tab.page.getByLabel('Start of the paths').fill('/v0/wallet/balance');
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

  it('lists refused actions with both sides of the condition', async () => {
    const bob = await site.tab('#/wallet/send?user=bob');
    const stranger = `stranger::1220${'f'.repeat(64)}`;
    await bob.page.getByLabel('Receiver').fill(stranger);
    await bob.page.getByLabel('Amount in CC').fill('1');
    await press(bob, 'Send');
    await bob.page.getByText('Refused').waitFor();
    await bob.page.getByRole('link', { name: 'Server' }).click();
    await bob.page.getByRole('link', { name: 'Refusals' }).click();
    const refusal = bob.page.getByRole('article');
    await refusal.getByText('POST /v0/wallet/token-standard/transfers').waitFor();
    await refusal.getByText(/^UNKNOWN_PARTY: .*stranger/).waitFor();
  });

  it('is not offered by a server without dev', async () => {
    const tab = await site.tab('#/server');
    await tab.page.getByRole('link', { name: 'Server', exact: true }).waitFor();
    await tab.page.route('**/dev/users', (route) => route.fulfill({ status: 404, body: '{}' }));
    await tab.page.reload();
    await tab.page.getByText('Only a development server has controls').waitFor();
    expect(await tab.page.getByRole('link', { name: 'Server', exact: true }).count()).toBe(0);
  });
});
