import { PartyId } from '@coinlab/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../browser.ts';
import { Site } from './tab.ts';

describe.skipIf(hasNoBrowser)('the network in a browser', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.open({ start: { parties: [{ name: 'alice', coins: ['30 x 0.5'] }] } });
  });
  afterEach(() => site.closeTabs());
  afterAll(() => site?.close());

  it('shows rounds with their times, and follows the clock', async () => {
    const { page, faults } = await site.tab('#/network');
    await page.getByRole('row', { name: /^1 usable 0\.005 2026-01-01 00:00:00/ }).waitFor();
    await page.getByRole('row', { name: /^2 not yet usable 0\.005 2026-01-01 00:10:00 in 10 min/ }).waitFor();
    await site.server.advance('10m');
    await page.getByRole('row', { name: /^2 usable/ }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows the rules in force, and a vote from its request to its outcome', async () => {
    const { page } = await site.tab('#/network/rules');
    await page.getByText('16.67 USD per megabyte, at least 200,000 bytes').waitFor();
    await page.getByText('No vote is open').waitFor();

    const [sv, provider] = [PartyId.of('sv-1'), site.server.party('alice')];
    // With three super validators one vote does not decide.
    for (const name of ['alice', 'bob']) {
      const party = site.server.party(name);
      const action = { type: 'AddSv', party, name, rewardWeight: 10, participantId: `PAR::${party}` } as const;
      const added = await site.server.submit({ type: 'ExecuteAction', action }, PartyId.of('DSO'));
      expect(added.ok).toBe(true);
    }
    const asked = await site.server.submit(
      {
        type: 'RequestVote',
        requester: sv,
        action: { type: 'GrantFeaturedAppRight', provider },
        reason: { url: 'https://example.com', body: '<i>A fine app.</i>' },
      },
      sv,
    );
    expect(asked.ok).toBe(true);
    const row = page.getByRole('row').filter({ hasText: 'Grant Featured App Right' });
    for (const text of ['sv-1', '<i>A fine app.</i>', '1 yes, 0 no', 'in 7 d']) await row.getByText(text).waitFor();
    await page.getByText('Grant Featured App Right').click();
    await page.getByRole('table', { name: 'Open votes' }).getByText('alice').waitFor();

    const request = asked.ok ? asked.value.update.created[0]?.id : undefined;
    if (request === undefined) throw new Error('the request has a contract');
    const reason = { url: '', body: 'yes' };
    const voted = await site.server.submit({ type: 'CastVote', request, sv: provider, accept: true, reason }, provider);
    const [open] = voted.ok ? voted.value.update.created : [];
    await page.getByRole('row').filter({ hasText: '2 yes, 0 no' }).waitFor();
    const closed = await site.server.submit({ type: 'CloseVote', request: open?.id ?? request }, sv);
    expect(closed.ok).toBe(true);
    await page.getByRole('table', { name: 'Closed votes' }).getByText('accepted').waitFor();
  });

  it('shows the validators with their rewards and traffic', async () => {
    const { page } = await site.tab('#/network/validators');
    await site.server.advance('2h');
    await page.getByText(/up to round [3-9]/).waitFor();
    await page.getByRole('row', { name: /validator .* sv-1 .* 0 to \d+ [1-9][\d,.]* CC 0 bytes 0 CC/ }).waitFor();
  });

  it('shows the parties by number of coins, at the newest offset and at an earlier one', async () => {
    const { page } = await site.tab('#/network/parties?user=alice');
    const first = page.getByRole('row').nth(1);
    await expect.poll(() => first.textContent()).toMatch(/^alice \(you\)/);
    await page.getByRole('searchbox', { name: 'Party' }).fill('bob');
    await page.getByRole('row', { name: /^bob/ }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);

    await page.goto(`${site.listening.url}/#/network/parties?at=20`);
    await page.getByText(/^\d+ hold coin, 0 more than 10 coins$/).waitFor();
  });

  it('draws the coins by age and amount, and counts the coins under the pointer', async () => {
    const { page, faults } = await site.tab('#/network/coins');
    await page.getByRole('row', { name: /^10,000 to 100,000 CC \d+ [\d,.]+ CC$/ }).waitFor();
    const painted = await page.evaluate<readonly number[]>(`(() => {
      const canvas = document.querySelector('canvas');
      const { width, height } = canvas;
      const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
      const at = data.findIndex((value, index) => index % 4 === 3 && value > 0) >> 2;
      return [(at % width + 0.5) / width, (Math.trunc(at / width) + 0.5) / height];
    })()`);
    const canvas = page.locator('canvas');
    const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
    const [x = 0, y = 0] = painted;
    await canvas.hover({ position: { x: x * width, y: y * height } });
    await page.getByText(/^1 coin of [\d.e+]+ to [\d.e+]+ CC, .+ to .+ old$/).waitFor();
    expect(faults).toEqual([]);
  });
});
