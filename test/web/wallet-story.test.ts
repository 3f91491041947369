import { Duration, Instant } from '@coinlab/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser } from '../browser.ts';
import { Site, type Tab } from './tab.ts';

const UNKNOWN = `stranger::1220${'f'.repeat(64)}`;

describe.skipIf(hasNoBrowser)('the wallet in a browser', () => {
  let site: Site;
  beforeAll(async () => void (site = await Site.open()));
  afterEach(() => site.closeTabs());
  afterAll(() => site?.close());

  const balance = async ({ page }: Tab, expected: string): Promise<void> =>
    page.locator('.figure', { hasText: new RegExp(`^${expected.replaceAll('.', '\\.')} CC$`) }).waitFor();

  async function fillPayment({ page }: Tab, receiver: string, amount: string, text: string): Promise<void> {
    await page.getByLabel('Receiver').fill(receiver);
    await page.getByLabel('Amount in CC').fill(amount);
    await page.getByLabel('Text', { exact: true }).fill(text);
  }

  it('onboards a user, who taps and sends an offer that a second window accepts', async () => {
    const zoe = await site.tab('#/wallet');
    await zoe.page.getByLabel('Name').fill('zoe');
    await zoe.page.getByRole('button', { name: 'Continue' }).click();
    await zoe.page.getByRole('button', { name: 'Onboard zoe' }).click();
    await balance(zoe, '0');

    await zoe.page.getByLabel('Dollars').fill('0.05');
    await zoe.page.getByText('10 CC at 0.005 USD per coin').waitFor();
    await zoe.page.getByRole('button', { name: 'Tap' }).click();
    await balance(zoe, '10');

    await zoe.page.getByRole('link', { name: 'Send', exact: true }).click();
    await fillPayment(zoe, 'bob', '2.5', 'rent');
    await zoe.page.getByText('An offer.').waitFor();
    await zoe.page.getByText('It uses your 1 coin;').waitFor();
    await zoe.page.getByRole('button', { name: 'Send', exact: true }).click();
    await zoe.page.getByText('Offered 2.5 CC to bob').waitFor();

    const bob = await site.tab('#/wallet/offers?user=bob');
    await bob.page.getByRole('button', { name: 'Accept 2.5 from zoe to bob' }).click();
    await bob.page.getByText('No offer waits for your answer').waitFor();

    // The first window learns of it without a reload.
    await zoe.page.getByRole('link', { name: 'History' }).click();
    await zoe.page.getByRole('row', { name: /Offer accepted/ }).waitFor();
    await zoe.page.getByRole('link', { name: 'Overview' }).click();
    await balance(zoe, '7.5');
    await bob.page.getByRole('link', { name: 'Overview' }).click();
    await balance(bob, '10,002.5');
    expect([...zoe.faults, ...bob.faults]).toEqual([]);
  });

  it('announces and makes a one-step payment to a receiver with a preapproval', async () => {
    const carol = await site.tab('#/wallet?user=carol');
    await carol.page.getByRole('button', { name: 'Turn on' }).click();
    await carol.page.getByText('Everyone can pay you in one step').waitFor();

    const dave = await site.tab('#/wallet/send?user=dave');
    await fillPayment(dave, 'carol', '0.0000000001', 'the smallest coin');
    await dave.page.getByText('One step.').waitFor();
    await dave.page.getByText('9,999.9999999999 CC come back').waitFor();
    await dave.page.getByRole('button', { name: 'Send', exact: true }).click();
    await balance(carol, '10,000.0000000001');

    await carol.page.getByRole('button', { name: 'Turn off' }).click();
    await carol.page.getByRole('button', { name: 'Turn on' }).waitFor();
    expect([...carol.faults, ...dave.faults]).toEqual([]);
  });

  it('unlocks the coin of an offer when the offer is withdrawn', async () => {
    const erin = await site.tab('#/wallet/send?user=erin');
    await fillPayment(erin, 'bob', '4', 'a loan');
    await erin.page.getByRole('button', { name: 'Send', exact: true }).click();
    await erin.page.getByRole('link', { name: 'Coins' }).click();
    await erin.page.getByRole('row', { name: /4 CC.*ends in 1 d/ }).waitFor();
    await erin.page.getByRole('link', { name: 'Offers' }).click();
    await erin.page.getByRole('button', { name: 'Withdraw 4 from erin to bob' }).click();
    await erin.page.getByText('You have offered nothing').waitFor();
    await erin.page.getByRole('link', { name: 'Overview' }).click();
    await balance(erin, '10,000');
  });

  it('refuses to send more than the wallet has, before any request', async () => {
    const frank = await site.tab('#/wallet/send?user=frank');
    await fillPayment(frank, 'bob', '10000.0000000001', '');
    await frank.page.getByText('Only 10,000 can be sent.').waitFor();
    expect(await frank.page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  });

  it('shows a refusal of the server with the request as a curl command', async () => {
    const grace = await site.tab('#/wallet/send?user=grace');
    await fillPayment(grace, UNKNOWN, '1', '');
    await grace.page.getByRole('button', { name: 'Send', exact: true }).click();
    const notice = grace.page.getByRole('region', { name: 'Outcomes' });
    await notice.getByText('Refused').waitFor();
    await notice.getByText('UNKNOWN_PARTY').waitFor();
    await notice.getByText('Request as curl').click();
    const command = (await notice.getByLabel('curl command').textContent()) ?? '';
    expect(command).toContain(`'${site.listening.url}/v0/wallet/token-standard/transfers'`);
    expect(command).toContain(`"receiver_party_id":"${UNKNOWN}"`);
    expect(command).toContain('Bearer $TOKEN');
  });

  it('shows the price of traffic before it buys the traffic', async () => {
    const heidi = await site.tab('#/wallet/traffic?user=heidi');
    await heidi.page.getByText('3,334 CC (16.67 USD at 0.005 USD per coin)').waitFor();
    await heidi.page.getByRole('button', { name: 'Buy traffic' }).click();
    await heidi.page.getByText('Requested 1,000,000 bytes for validator').waitFor();
    await site.server.advance('1m');
    await heidi.page.getByText('The last request: paid.').waitFor();
    await heidi.page.getByText('has bought 1,000,000 bytes').waitFor();
  });

  it('proposes a merge delegation, which the operator accepts, and ends it', async () => {
    const ivan = await site.tab('#/wallet/delegations?user=ivan');
    await ivan.page.getByRole('button', { name: 'Propose', exact: true }).click();
    await site.server.advance('1m');
    await ivan.page.getByText('Active with').waitFor();
    await ivan.page.getByRole('button', { name: 'End the delegation' }).click();
    await ivan.page.getByRole('button', { name: 'Propose', exact: true }).waitFor();
    expect(ivan.faults).toEqual([]);
  });

  it('accepts, rejects and withdraws minting delegations', async () => {
    const [bob, judy] = [site.server.party('bob'), site.server.party('judy')];
    const expiresAt = Instant.plus(site.server.now, Duration.of('1d'));
    for (const beneficiary of [bob, judy])
      await site.server.submit(
        {
          type: 'ProposeMintingDelegation',
          beneficiary,
          delegate: site.server.party('alice'),
          expiresAt,
          amuletMergeLimit: 10,
        },
        beneficiary,
      );
    const alice = await site.tab('#/wallet/delegations?user=alice');
    await alice.page.getByRole('button', { name: 'Reject to mint for judy' }).click();
    await alice.page.getByRole('button', { name: 'Accept to mint for bob' }).click();
    await alice.page.getByText('No party asks this wallet to mint for it').waitFor();
    await alice.page.getByRole('button', { name: 'Withdraw from minting for bob' }).click();
    await alice.page.getByText('This wallet mints for no other party').waitFor();
    expect(alice.faults).toEqual([]);
  });
});
