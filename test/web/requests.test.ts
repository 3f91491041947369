import { Amount } from '@coinlab/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../browser.ts';
import { Site, type Tab } from './tab.ts';

/** The page itself, then the connection: users, operator, token, user, clock and stream. */
const START = [
  'GET /',
  'GET /web/page.css',
  'GET /web/page.js',
  'GET /dev/users',
  'GET /v0/validator-user',
  'POST /dev/tokens',
  'GET /v0/wallet/user-status',
  'GET /dev/clock',
  'GET /dev/events',
];

const RULES = 'POST /v0/amulet-rules';
const ROUNDS = 'POST /v0/open-and-issuing-mining-rounds';
const BALANCE = 'GET /v0/wallet/balance';
const OVERVIEW = [
  BALANCE,
  'GET /v0/wallet/transfer-offers',
  'POST /v0/wallet/transactions',
  'GET /v0/transfer-preapprovals/by-party/PARTY',
];
const TRAFFIC = [
  BALANCE,
  RULES,
  ROUNDS,
  'GET /v0/admin/validator/licenses',
  'GET /v0/domains/DOMAIN/parties/PARTY',
  'GET /v0/domains/DOMAIN/members/PARTY',
];
const DELEGATIONS = [
  'POST /v2/state/active-contracts-page',
  'GET /v0/wallet/minting-delegation-proposals',
  'GET /v0/wallet/minting-delegations',
];
const VOTES = ['GET /v0/admin/sv/voterequests', 'POST /v0/admin/sv/voteresults'];
const OFFERS = ['GET /v0/wallet/transfer-offers', 'GET /v0/wallet/accepted-transfer-offers'];

/** For each view its requests, and those after a new round, which changes holding fees but no contract of the user. */
const VIEWS: readonly (readonly [view: string, first: readonly string[], again: readonly string[]])[] = [
  ['wallet', [...OVERVIEW, RULES, ROUNDS], [BALANCE, ROUNDS]],
  ['wallet/send', [RULES, 'GET /v0/wallet/amulets'], ['GET /v0/wallet/amulets']],
  ['wallet/offers', OFFERS, []],
  ['wallet/coins', ['GET /v0/wallet/amulets'], ['GET /v0/wallet/amulets']],
  ['wallet/history', ['POST /v0/wallet/transactions'], []],
  ['wallet/traffic', TRAFFIC, ['GET /v0/admin/validator/licenses', BALANCE, ROUNDS]],
  ['wallet/delegations', DELEGATIONS, []],
  ['ledger', ['GET /dev/updates'], []],
  ['ledger/updates', ['GET /dev/updates'], []],
  ['network', [ROUNDS], [ROUNDS]],
  ['network/rules', [RULES, ...VOTES], []],
  ['network/parties', ['GET /dev/updates'], []],
  ['server', ['GET /dev/snapshots'], []],
  ['server/forks', ['GET /dev/forks'], []],
  ['server/automation', ['GET /dev/automation'], []],
  ['server/refusals', ['GET /dev/refusals'], []],
];

function named(requests: readonly string[]): readonly string[] {
  return requests
    .map((request) => request.replace(/domains\/[^/]+/, 'domains/DOMAIN').replace(/[^/]+%3A%3A.+$/, 'PARTY'))
    .sort();
}

describe.skipIf(hasNoBrowser)('the requests of the page', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.open();
    // From now on each ten minutes open a round.
    await site.server.advance('30m');
  });
  afterEach(() => site.closeTabs());
  afterAll(() => site?.close());

  async function caughtUp(tab: Tab): Promise<void> {
    await tab.page.locator(`html[data-changes="${site.server.history.head}"]`).waitFor();
    await tab.settled();
  }

  it.each(VIEWS)(
    'for the view %s are exactly the expected ones, at first and after a new round',
    async (view, first, again) => {
      const tab = await site.tab(`#/${view}?user=alice`);
      await expectRequests(tab, [...START, ...first]);
      tab.requests.length = 0;
      await site.server.advance('10m');
      await caughtUp(tab);
      await expectRequests(tab, again);
    },
  );

  /** Waits for these requests, and until no other one follows. Some requests need the answers of others. */
  async function expectRequests(tab: Tab, expected: readonly string[]): Promise<void> {
    await expect.poll(() => named(tab.requests), { timeout: 20_000 }).toEqual([...expected].sort());
    await tab.settled();
    expect(named(tab.requests)).toEqual([...expected].sort());
  }

  async function tapped(name: string, times = 1): Promise<void> {
    const receiver = site.server.party(name);
    for (let turn = 0; turn < times; turn++) {
      const answer = await site.server.submit({ type: 'Tap', receiver, amount: Amount.one }, receiver);
      expect(answer.ok).toBe(true);
    }
  }

  it('of a wallet: none when another user receives coin, one for the history when its own user does', async () => {
    const tab = await site.tab('#/wallet?user=carol');
    tab.requests.length = 0;
    await tapped('dave');
    await caughtUp(tab);
    expect(tab.requests).toEqual([]);
    await tapped('carol');
    await tab.page.locator('.figure', { hasText: /^10,001 CC$/ }).waitFor();
    await caughtUp(tab);
    expect(tab.requests).toEqual(['POST /v0/wallet/transactions']);
  });

  it('of a wallet are at most four a second while hundreds of updates arrive', async () => {
    const tab = await site.tab('#/wallet?user=erin');
    tab.requests.length = 0;
    const began = performance.now();
    await tapped('erin', 300);
    await caughtUp(tab);
    const seconds = (performance.now() - began) / 1_000;
    expect(new Set(tab.requests)).toEqual(new Set(['POST /v0/wallet/transactions']));
    expect(tab.requests.length).toBeLessThanOrEqual(4 * seconds + 2);
  });

  it('of another tab: only the list of forks when a fork is created', async () => {
    const [tab, other] = [await site.tab('#/server/forks'), await site.tab('#/server/forks')];
    other.requests.length = 0;
    await tab.page.getByLabel('Name of the fork').fill('second');
    await tab.page.getByRole('button', { name: 'Fork the ledger' }).click();
    for (const { page } of [tab, other]) await page.getByRole('link', { name: 'second' }).waitFor();
    expect(other.requests).toEqual(['GET /dev/forks']);
  });

  it('stop while the tab is hidden', async () => {
    const tab = await site.tab('#/wallet?user=alice');
    await tab.page
      .evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
    tab.requests.length = 0;
    await site.server.advance('10m');
    await tab.page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'visible' });
      document.dispatchEvent(new Event('visibilitychange'))`);
    await tab.page.getByText(`offset ${site.server.history.head}`).waitFor();
    await tab.settled();
    expect(tab.requests.filter((request) => request === 'GET /v0/wallet/balance')).toHaveLength(1);
  });
});
