import { ContractId, type Update } from '@coinlab/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../browser.ts';
import { Site, type Tab } from './tab.ts';

interface Coin {
  readonly contract: { readonly contract: { readonly contract_id: string } };
}

describe.skipIf(hasNoBrowser)('the life of a coin in a browser', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.open({
      // Without config states dust is judged within the hour.
      profile: 'feeless',
      start: {
        parties: [
          { name: 'rich', coins: ['1200 x 0.5'] },
          { name: 'poor', coins: [0.003] },
          { name: 'sam', coins: [8] },
        ],
        offers: [{ from: 'sam', to: 'rich', amount: 3, description: 'rent', expiresIn: '2h' }],
      },
    });
  });
  afterEach(() => site.closeTabs());
  afterAll(() => site?.close());

  /** The log's id of a coin in the user's wallet. */
  async function coinOf(user: string, kind: 'amulets' | 'locked_amulets' = 'amulets'): Promise<number> {
    const headers = { Authorization: `Bearer ${await site.server.token(user)}` };
    const answer = await site.server.fetch('/v0/wallet/amulets', { headers });
    const [found] = ((await answer.json()) as Record<typeof kind, Coin[]>)[kind];
    const id = ContractId.parse(found?.contract.contract.contract_id);
    if (!id.ok) throw new Error(`${user} has no such coin`);
    return Number(id.value);
  }
  const shown = async ({ page }: Tab, text: string | RegExp): Promise<void> => page.getByText(text).waitFor();

  it('of a locked coin shows when the lock ends and who can end it', async () => {
    const tab = await site.tab(`#/ledger/life?contract=${await coinOf('sam', 'locked_amulets')}`);
    await shown(tab, 'It cannot be spent.');
    await shown(tab, /It is locked by DSO until 2026-01-01 02:00:00 UTC, in 2 h/);
    const way = tab.page.getByText(/free again when rich rejects the offer #\d+, or sam withdraws it\./);
    await way.waitFor();
    // The tapped coin is gone; the change of the offer is not an earlier coin.
    await shown(tab, /It comes from 1 earlier coin by 2 updates, back to 8 CC minted by 1 Tapped\./);

    const instruction = ContractId.of(Number(/offer #(\d+)/.exec((await way.textContent()) ?? '')?.[1]));
    const { head } = site.server.history;
    const rich = site.server.party('rich');
    expect((await site.server.submit({ type: 'RejectOffer', instruction }, rich)).ok).toBe(true);
    await shown(tab, /It no longer exists: TransferRejected/);
    // Before the rejection the lock held the coin.
    await tab.open(`${new URL(tab.page.url()).hash}&at=${head}`);
    await way.waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('opens from a search by owner, from the wallet and from the contract of the coin', async () => {
    const coin = await coinOf('sam');
    const tab = await site.tab('#/ledger/life');
    await tab.page.getByRole('searchbox', { name: 'Party' }).fill('sam');
    await tab.page.getByRole('link', { name: `#${coin}` }).click();
    await shown(tab, 'It can be spent.');
    await tab.open('#/wallet/coins?user=sam');
    await tab.page.getByRole('link', { name: 'life' }).first().click();
    await tab.page.getByRole('heading', { name: /^Coin #\d+/ }).waitFor();
    await tab.open(`#/ledger?contract=${coin}`);
    await tab.page.getByRole('link', { name: 'Life of this coin' }).click();
    await tab.page.getByRole('heading', { name: `Coin #${coin}` }).waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('shows the first round in which the coin is dust', async () => {
    const coin = await coinOf('poor');
    const { head } = site.server.history;
    await site.server.advance('1h');
    const expired = updatesOf(site).findLast(({ kind }) => kind === 'DustExpired')?.offset ?? 0;
    expect(expired).toBeGreaterThan(head);
    const tab = await site.tab(`#/ledger/life?contract=${coin}&at=${expired - 1}`);
    await shown(tab, 'It can be spent.');
    await shown(tab, /^poor can spend it\. It is dust since round \d: the DSO may archive it\.$/);
    await tab.open(`#/ledger/life?contract=${coin}`);
    await shown(tab, /^It no longer exists: DustExpired at offset/);
  });

  it('groups a thousand ancestors into few boxes with exact sums', async () => {
    // Automation merges a hundred coins at a time.
    for (let turn = 0; turn < 6; turn++) await site.server.advance('10m');
    const tab = await site.tab(`#/ledger/life?contract=${await coinOf('rich')}`);
    const rich = site.server.party('rich');
    const made = updatesOf(site).map(
      ({ created }) => created.filter((one) => one.template === 'Holding' && one.owner === rich).length,
    );
    const [coins, updates] = [made.reduce((a, b) => a + b, 0) - 1, made.filter((count) => count > 0).length];
    expect(coins).toBeGreaterThan(1_200);
    await shown(
      tab,
      `It comes from ${grouped(coins)} earlier coins by ${grouped(updates)} updates, back to 600 CC minted by 1,200 Tapped.`,
    );
    expect(await tab.page.locator('.life .box').count()).toBeLessThan(15);
    // The graph opens at the coin, not at its mints.
    expect(await tab.page.locator('.life .box.own').isVisible()).toBe(true);
    const { width } = (await tab.page.locator('.life').boundingBox()) ?? { width: 0 };
    expect((await tab.page.locator('.life .box.own').boundingBox())?.x).toBeLessThan(width);
  });

  it('shows the update that spends the coin and the coins made of it, also at an earlier offset', async () => {
    const first = await coinOf('sam');
    const paid = await site.server.fetch('/v0/wallet/token-standard/transfers', {
      method: 'POST',
      headers: { Authorization: `Bearer ${await site.server.token('sam')}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        receiver_party_id: site.server.party('sam'),
        amount: '1.0',
        description: '',
        expires_at: Number(site.server.now) + 3_600_000_000,
        tracking_id: 'self',
      }),
    });
    expect(paid.status).toBe(200);
    const tab = await site.tab(`#/ledger/life?contract=${first}`);
    const end = tab.page.getByText(/^It no longer exists: \w+ at offset [\d,]+ archived it\.$/);
    const offset = Number((await end.textContent())?.replaceAll(/\D/g, ''));
    await shown(tab, 'they made 2 coins.');
    await tab.open(`#/ledger/life?contract=${first}&at=${offset - 1}`);
    await shown(tab, 'It can be spent.');
    await shown(tab, 'Nothing has used it up to this moment.');
    await tab.open(`#/ledger/life?contract=${first}&at=2`);
    await shown(tab, /It does not exist yet/);
  });
});

function updatesOf({ server: { history } }: Site): readonly Update[] {
  return Array.from({ length: history.head }, (_, i) => history.updateAt(i + 1));
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
