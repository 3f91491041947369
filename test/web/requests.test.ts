import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../browser.ts';
import { Site } from './tab.ts';

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
const OVERVIEW = [
  'GET /v0/wallet/balance',
  'GET /v0/wallet/transfer-offers',
  'POST /v0/wallet/transactions',
  'GET /v0/transfer-preapprovals/by-party/PARTY',
];
const DELEGATIONS = [
  'POST /v2/state/active-contracts-page',
  'GET /v0/wallet/minting-delegation-proposals',
  'GET /v0/wallet/minting-delegations',
];
const VOTES = ['GET /v0/admin/sv/voterequests', 'POST /v0/admin/sv/voteresults'];
const OFFERS = ['GET /v0/wallet/transfer-offers', 'GET /v0/wallet/accepted-transfer-offers'];

/** For each view its requests, and those after an update of the ledger. */
const VIEWS: readonly (readonly [view: string, first: readonly string[], again: readonly string[]])[] = [
  ['wallet', [...OVERVIEW, RULES, ROUNDS], [...OVERVIEW, ROUNDS]],
  ['wallet/send', [RULES, 'GET /v0/wallet/amulets'], ['GET /v0/wallet/amulets']],
  ['wallet/offers', OFFERS, OFFERS],
  ['wallet/coins', ['GET /v0/wallet/amulets'], ['GET /v0/wallet/amulets']],
  ['wallet/history', ['POST /v0/wallet/transactions'], ['POST /v0/wallet/transactions']],
  ['wallet/delegations', DELEGATIONS, DELEGATIONS],
  ['ledger', ['GET /dev/updates'], []],
  ['ledger/updates', ['GET /dev/updates'], []],
  ['network', [ROUNDS], [ROUNDS]],
  ['network/rules', [RULES, ...VOTES], VOTES],
  ['network/parties', ['GET /dev/updates'], []],
  ['server', ['GET /dev/snapshots'], ['GET /dev/snapshots']],
  ['server/forks', ['GET /dev/forks'], ['GET /dev/forks']],
  ['server/automation', ['GET /dev/automation'], ['GET /dev/automation']],
  ['server/refusals', ['GET /dev/refusals'], []],
];

function named(requests: readonly string[]): readonly string[] {
  return requests.map((request) => request.replace(/[^/]+%3A%3A.+$/, 'PARTY')).sort();
}

describe.skipIf(hasNoBrowser)('the requests of the page', () => {
  let site: Site;
  beforeAll(async () => void (site = await Site.open()));
  afterEach(() => site.closeTabs());
  afterAll(() => site?.close());

  it.each(VIEWS)(
    'for the view %s are exactly the expected ones, at first and after a change of the ledger',
    async (view, first, again) => {
      const tab = await site.tab(`#/${view}?user=alice`);
      expect(named(tab.requests)).toEqual([...START, ...first].sort());

      tab.requests.length = 0;
      await site.server.advance('10m');
      await tab.page.getByText(`offset ${site.server.history.head}`).first().waitFor();
      await expect.poll(() => tab.requests.includes('GET /dev/clock')).toBe(true);
      await tab.settled();
      expect(named(tab.requests)).toEqual(['GET /dev/clock', ...again].sort());
    },
  );

  it('after a burst of updates are as few as after one update', async () => {
    const tab = await site.tab('#/wallet/coins?user=alice');
    tab.requests.length = 0;
    await site.server.advance('1h');
    await expect.poll(() => tab.requests.includes('GET /dev/clock')).toBe(true);
    await tab.settled();
    expect(tab.requests.length).toBeLessThanOrEqual(4);
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
