import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../browser.ts';
import { Site, type Tab } from './tab.ts';

describe.skipIf(hasNoBrowser)('the page over a longer time', () => {
  let site: Site;
  beforeAll(async () => void (site = await Site.open()));
  afterEach(() => site.closeTabs());
  afterAll(() => site?.close());

  const balance = async ({ page }: Tab, expected: string): Promise<void> =>
    page.locator('.figure', { hasText: new RegExp(`^${expected.replaceAll('.', '\\.')} CC$`) }).waitFor();

  it('shows a payment of one tab in another tab of the same user', async () => {
    const [first, second] = [await site.tab('#/wallet?user=alice'), await site.tab('#/wallet?user=alice')];
    await first.page.getByLabel('Dollars').fill('5');
    await first.page.getByRole('button', { name: 'Tap', exact: true }).click();
    for (const tab of [first, second]) await balance(tab, '11,000');
    await second.page.getByRole('button', { name: 'Turn on' }).click();
    await first.page.getByText('Everyone can pay you in one step').waitFor();
  });

  it('continues after a restart of the server without a reload, with the same log or another one', async () => {
    const bob = await site.tab('#/wallet?user=bob');
    const log = await site.tab('#/ledger/updates?user=bob');
    for (const { page } of [bob, log]) await page.evaluate('window.mark = 1');
    await bob.page.getByRole('button', { name: 'Tap', exact: true }).click();
    await balance(bob, '20,000');
    const saved = await (
      await site.server.fetch('/log', {
        headers: { Authorization: `Bearer ${await site.server.token(site.server.config.validatorWalletUser)}` },
      })
    ).text();
    const before = site.server.history.head;

    await site.restart({ from: saved });
    await bob.page.getByRole('button', { name: 'Tap', exact: true }).click();
    await balance(bob, '30,000');
    await log.page.getByText(`offset ${site.server.history.head}`).first().waitFor();

    // The new ledger has fewer updates: those of the old one disappear.
    await site.restart();
    expect(site.server.history.head).toBeLessThan(before);
    await balance(bob, '10,000');
    await log.page.getByText(`${site.server.history.head} up to offset ${site.server.history.head}`).waitFor();
    for (const tab of [bob, log]) {
      expect(await tab.page.evaluate('window.mark')).toBe(1);
      expect(tab.faults).toEqual([]);
    }
  });

  it('shows a lost connection, and that an interrupted action may have taken effect', async () => {
    const carol = await site.tab('#/wallet?user=carol');
    await site.listening.close();
    await carol.page.getByRole('button', { name: 'Tap', exact: true }).click();
    await carol.page.getByText('No answer: the action may or may not have taken effect').waitFor();
    await carol.page.getByText('connection lost, trying again').waitFor();
    await site.restart();
    await carol.settled();
    await balance(carol, '10,000');
  });

  it('pays with the keyboard alone', async () => {
    const { page, faults } = await site.tab('#/wallet');
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    /** Presses Tab until the named element has the focus. */
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let presses = 0; presses < 60; presses++) {
        await press('Tab');
        const text = await page.evaluate<string>(
          `(() => { const { activeElement: e } = document; return e.labels?.[0]?.textContent ?? e.ariaLabel ?? e.textContent; })()`,
        );
        if (name.test(text)) return;
      }
      throw new Error(`no element ${name} within 60 presses of Tab`);
    };
    await tabTo(/^Skip to the content$/);
    await press('Enter');
    await tabTo(/^dave/);
    await press('Enter');
    await page.getByText('10,000 CC').first().waitFor();
    await tabTo(/^Send$/);
    await press('Enter');
    await tabTo(/^Receiver$/);
    await page.keyboard.type('erin');
    await tabTo(/^Amount in CC$/);
    await page.keyboard.type('1.5');
    await page.getByText('An offer.').waitFor();
    await press('Enter');
    await page.getByText('Offered 1.5 CC to erin').waitFor();
    await tabTo(/^Dismiss/);
    await press('Enter');
    await page.getByText('Offered 1.5 CC to erin').waitFor({ state: 'detached' });

    await tabTo(/^dave, change the user/);
    await press('Enter');
    await page.getByRole('dialog').waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    // Closing the dialog puts the focus back, from where the slider is a few steps away.
    await tabTo(/^Offset in the log$/);
    await press('ArrowLeft');
    await page.getByRole('button', { name: 'Back to the present' }).waitFor();
    expect(faults).toEqual([]);
  });
});
