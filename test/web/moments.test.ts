import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../browser.ts';
import { Site, type Tab } from './tab.ts';

describe.skipIf(hasNoBrowser)('the slider over the log in a browser', () => {
  let site: Site;
  beforeAll(async () => void (site = await Site.open()));
  afterEach(() => site.closeTabs());
  afterAll(() => site?.close());

  const press = (tab: Tab, name: string): Promise<void> => tab.page.getByRole('button', { name, exact: true }).click();
  const offsetOf = async (kind: string): Promise<number> => {
    const { history } = site.server;
    for (let offset = history.head; offset > 0; offset--) if (history.updateAt(offset).kind === kind) return offset;
    throw new Error(`the log has no ${kind}`);
  };

  it('shows an accepted offer as open at an earlier offset, and as accepted at the newest offset', async () => {
    const zoe = await site.tab('#/wallet');
    await zoe.page.getByLabel('Name').fill('zoe');
    await press(zoe, 'Continue');
    await press(zoe, 'Onboard zoe');
    await zoe.page.getByText('0 CC', { exact: true }).first().waitFor();
    await zoe.page.getByLabel('Dollars').fill('0.05');
    await press(zoe, 'Tap');
    await zoe.page.getByText('10 CC', { exact: true }).first().waitFor();
    await zoe.page.getByRole('link', { name: 'Send', exact: true }).click();
    await zoe.page.getByLabel('Receiver').fill('bob');
    await zoe.page.getByLabel('Amount in CC').fill('2.5');
    await press(zoe, 'Send');

    const bob = await site.tab('#/wallet/offers?user=bob');
    await press(bob, 'Accept 2.5 from zoe to bob');
    await bob.page.getByText('No offer waits for your answer').waitFor();
    await zoe.page.getByRole('link', { name: 'History' }).click();
    await zoe.page.getByRole('row', { name: /Offer accepted/ }).waitFor();

    // The slider goes back one update: the acceptance has not happened.
    const slider = bob.page.getByRole('slider', { name: 'Offset in the log' });
    await slider.focus();
    await bob.page.keyboard.press('ArrowLeft');
    const accept = bob.page.getByRole('button', { name: 'Accept 2.5 from zoe to bob' });
    await accept.waitFor();
    expect(await accept.isDisabled()).toBe(true);
    expect(await bob.page.getByRole('row').filter({ has: accept }).getAttribute('class')).toContain('made');
    await bob.page.getByText(/^4\d of 4\d · 2026-01-01 00:00:00 UTC · TransferOffered$/).waitFor();
    await zoe.page.getByRole('row', { name: /Offer accepted/ }).waitFor();

    await press(bob, 'Back to the present');
    await bob.page.getByText('No offer waits for your answer').waitFor();
    expect([...zoe.faults, ...bob.faults]).toEqual([]);
  });

  it('shows every view at an offset that is selected by slider, time or link', async () => {
    const dave = await site.tab('#/wallet?user=dave');
    await press(dave, 'Tap');
    await dave.page.getByText('20,000 CC', { exact: true }).first().waitFor();
    const tapped = await offsetOf('Tapped');
    await site.server.advance('30m');

    await dave.page.getByLabel('Go to an offset or a time').fill(String(tapped - 1));
    await press(dave, 'Go');
    await dave.page.getByText('10,000 CC', { exact: true }).first().waitFor();
    await dave.page.getByRole('link', { name: 'Network' }).click();
    await dave.page.getByRole('row', { name: /^1 usable/ }).waitFor();
    expect(await dave.page.getByRole('row', { name: /^3 / }).count()).toBe(0);

    await dave.page.getByLabel('Go to an offset or a time').fill('2026-01-01 00:12');
    await press(dave, 'Go');
    await dave.page.getByText(/2026-01-01 00:1[0-2]:\d\d UTC · /).waitFor();
    await dave.page.getByRole('row', { name: /^3 not yet usable/ }).waitFor();

    // A colleague opens the address: the same view, moment and state.
    await expect
      .poll(() => dave.page.url())
      .toMatch(new RegExp(`#/network\\?user=dave&at=(?!${tapped - 1}&)\\d+&log=[0-9a-f]{12}$`));
    const colleague = await site.tab(new URL(dave.page.url()).hash);
    await colleague.page.getByRole('row', { name: /^3 not yet usable/ }).waitFor();
    expect(await colleague.page.getByText('The link was made on another ledger.').count()).toBe(0);
    await colleague.open(new URL(dave.page.url()).hash.replace(/log=.*$/, 'log=000000000000'));
    await colleague.page.getByText('The link was made on another ledger.').waitFor();
  });

  it('plays up to the present and stops there, and can be paused', async () => {
    const { head } = site.server.history;
    const tab = await site.tab('#/ledger/updates?at=1');
    await expect.poll(() => tab.page.url()).toMatch(/log=/);
    await tab.page.evaluate(`new MutationObserver(() => {
      const alert = document.querySelector('[role=alert]');
      if (alert) window.alerted = alert.textContent;
    }).observe(document.body, { childList: true, subtree: true })`);
    await press(tab, 'Play');
    // So slow that the player is still running when a busy machine presses Pause.
    await tab.page.getByLabel('Updates per second').selectOption('1');
    // The address follows while the player runs, and its hash is of the same moment.
    await expect.poll(() => tab.page.url()).not.toMatch('at=1&');
    await press(tab, 'Pause');
    await tab.page.getByText(/^\d+ of \d+ · /).waitFor();
    await tab.page.getByLabel('Go to an offset or a time').fill(`${head - 4}`);
    await press(tab, 'Go');
    await press(tab, 'Play');
    await tab.page.getByText('Present').waitFor();
    await tab.page.getByRole('button', { name: 'Play' }).waitFor();
    await tab.page.getByText(`${head} up to offset ${head}`).waitFor();
    expect(await tab.page.evaluate('window.alerted')).toBeUndefined();
  });

  it('explains an offset or a time that the log does not have', async () => {
    const tab = await site.tab('#/ledger/updates');
    const field = tab.page.getByLabel('Go to an offset or a time');
    for (const wrong of ['yesterday', '0', '99999999']) {
      await field.fill(wrong);
      await press(tab, 'Go');
      await tab.page.getByText(`Type an offset from 1 to ${site.server.history.head}, or a time`).waitFor();
    }
    await field.fill('3');
    await press(tab, 'Go');
    await tab.page.getByText(/^3 of /).waitFor();
    expect(await field.inputValue()).toBe('');
    expect(await tab.page.getByRole('alert').count()).toBe(0);
  });

  it('queues no requests while it moves', async () => {
    const tab = await site.tab('#/wallet/coins?user=dave');
    tab.requests.length = 0;
    await tab.page.getByRole('slider', { name: 'Offset in the log' }).focus();
    for (let step = 0; step < 30; step++) await tab.page.keyboard.press('ArrowLeft');
    const last = site.server.history.head - 30;
    // The request for the kind of the update names no moment in its path, and may be the last one.
    const newest = (): string | undefined => tab.requests.findLast((request) => request.includes('/at/'));
    await expect.poll(newest).toMatch(new RegExp(`at/${last}/`));
    await tab.settled();
    expect(tab.requests.filter((request) => request.endsWith('/v0/wallet/amulets')).length).toBeLessThanOrEqual(31);
    await tab.page.getByText(/^\d+ of \d+ · /).waitFor();
  });

  it('disables actions at an earlier offset', async () => {
    const tab = await site.tab('#/wallet?user=erin&at=44');
    await tab.page.getByText('10,000 CC', { exact: true }).first().waitFor();
    for (const name of ['Tap', 'Turn on'])
      expect(await tab.page.getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true);
    await tab.open('#/wallet/send?user=erin&at=44');
    await tab.page.getByLabel('Receiver').fill('bob');
    await tab.page.getByLabel('Amount in CC').fill('1');
    await tab.page.getByText('An offer.').waitFor();
    expect(await tab.page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  });
});
