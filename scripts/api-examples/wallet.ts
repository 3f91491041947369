import { IN_A_DAY, type Example, type Examples, type Network } from './network.ts';

const OFFERS = '/v0/wallet/transfer-offers';

const offerTerms = (network: Network): Readonly<Record<string, unknown>> => network.transferTerms();

/** Returns the id of alice's offer of 2.5 coins to bob. */
async function offer(network: Network): Promise<string> {
  const { offer_contract_id } = await network.call('alice', 'POST', OFFERS, offerTerms(network));
  return offer_contract_id;
}

/** Returns the examples of an action on an offer, with the offer's id in the path or in the body. */
function onOffer(verb: 'accept' | 'reject' | 'withdraw'): Examples {
  const as = verb === 'withdraw' ? 'alice' : 'bob';
  return {
    [`POST ${OFFERS}/{contract_id}/${verb}`]: async (network) => ({ as, path: { contract_id: await offer(network) } }),
    [`POST ${OFFERS}/${verb}`]: async (network) => ({ as, body: { contract_id: await offer(network) } }),
  };
}

/** Requests about token standard transfers, in both versions of the path. */
function transfers(version: 'v0' | 'v2'): Examples {
  const path = `/${version}/wallet/token-standard/transfers`;
  const on =
    (as: 'alice' | 'bob'): Example =>
    async (network) => ({
      as,
      path: { contract_id: await network.transfer() },
    });
  return {
    [`POST ${path}`]: (network) => ({ body: network.transferTerms() }),
    [`POST ${path}/{contract_id}/accept`]: on('bob'),
    [`POST ${path}/{contract_id}/reject`]: on('bob'),
    [`POST ${path}/{contract_id}/withdraw`]: on('alice'),
  };
}

const PROPOSALS = '/v0/wallet/minting-delegation-proposals';

/** Returns the id of alice's proposal that bob collects her rewards. */
async function delegationProposal(network: Network): Promise<string> {
  const terms = { beneficiary: network.alice, delegate: network.bob, amuletMergeLimit: 10 };
  const expiresAt = '2026-01-02T00:00:00.000000Z';
  await network.command({ type: 'ProposeMintingDelegation', ...terms, expiresAt }, network.alice);
  const { proposals } = await network.call('bob', 'GET', PROPOSALS);
  return proposals[0].contract.contract_id;
}

const SUBSCRIPTIONS = '/v0/wallet/subscription-requests';
const NAME = { name: 'alice.unverified.ans', url: 'https://alice.example', description: 'Alice' };

/** Returns the id of alice's request to pay for a name. */
async function subscriptionRequest(network: Network): Promise<string> {
  return (await network.call('alice', 'POST', '/v0/entry/create', NAME)).subscriptionRequestCid;
}

async function paidName(network: Network): Promise<void> {
  await network.call('alice', 'POST', `${SUBSCRIPTIONS}/${await subscriptionRequest(network)}/accept`);
}

/** Registers alice's name and returns the id of her idle subscription. */
async function subscription(network: Network): Promise<string> {
  await paidName(network);
  await network.advance(5);
  const { subscriptions } = await network.call('alice', 'GET', '/v0/wallet/subscriptions');
  return subscriptions[0].state.idle.contract_id;
}

const FUND = '/v0/wallet/development-fund-coupons';
const GRANT = { amount: '1000.0', expiresAt: IN_A_DAY, reason: 'a library for wallets' };

/** Returns the id of a coupon for bob from alice, the manager of the development fund. */
async function fundCoupon(network: Network): Promise<string> {
  await network.managedFund();
  const grant = { beneficiary: network.bob, ...GRANT };
  return (await network.call('alice', 'POST', `${FUND}/allocate`, grant)).development_fund_coupon_contract_id;
}

const onRequest: Example = async (network) => ({ path: { contract_id: await subscriptionRequest(network) } });

export const walletExamples: Examples = {
  [`POST ${OFFERS}`]: (network) => ({ body: offerTerms(network) }),
  [`GET ${OFFERS}`]: async (network) => (await offer(network), { as: 'bob' }),
  [`POST ${OFFERS}/{tracking_id}/status`]: async (network) => (
    await offer(network),
    { path: { tracking_id: 'rent-1' } }
  ),
  ...onOffer('accept'),
  ...onOffer('reject'),
  ...onOffer('withdraw'),
  ...transfers('v0'),
  ...transfers('v2'),
  'GET /v0/wallet/token-standard/transfers': async (network) => (await network.transfer(), { as: 'bob' }),
  'POST /v0/wallet/buy-traffic-requests': (network) => ({ body: network.trafficTerms() }),
  'POST /v0/wallet/buy-traffic-requests/{tracking_id}/status': async (network) => {
    await network.call('alice', 'POST', '/v0/wallet/buy-traffic-requests', network.trafficTerms());
    return { path: { tracking_id: 'traffic-1' } };
  },
  'POST /v0/wallet/transfer-preapproval': () => ({ as: 'bob' }),
  'POST /v0/wallet/transfer-preapproval/send': async (network) => {
    await network.preapproval();
    return { body: { receiver_party_id: network.bob, amount: '2.5', deduplication_id: 'rent-1', description: 'rent' } };
  },
  'POST /v0/entry/create': () => ({ body: NAME }),
  'GET /v0/entry/all': async (network) => (await subscription(network), {}),
  [`GET ${SUBSCRIPTIONS}`]: async (network) => (await subscriptionRequest(network), {}),
  [`GET ${SUBSCRIPTIONS}/{contract_id}`]: onRequest,
  [`POST ${SUBSCRIPTIONS}/{contract_id}/accept`]: onRequest,
  [`POST ${SUBSCRIPTIONS}/{contract_id}/reject`]: onRequest,
  [`DELETE ${SUBSCRIPTIONS}/{contract_id}`]: async (network) => ({
    path: { contract_id: await subscription(network) },
  }),
  'GET /v0/wallet/subscription-initial-payments': async (network) => (await paidName(network), {}),
  'GET /v0/wallet/subscriptions': async (network) => (await subscription(network), {}),
  [`POST ${FUND}/allocate`]: async (network) => {
    await network.managedFund();
    return { body: { beneficiary: network.bob, ...GRANT } };
  },
  [`GET ${FUND}`]: async (network) => (await fundCoupon(network), { as: 'bob' }),
  [`GET ${FUND}/history`]: async (network) => {
    await network.call('alice', 'POST', `${FUND}/${await fundCoupon(network)}/withdraw`, { reason: 'there is one' });
    return { query: { limit: '10' } };
  },
  [`POST ${FUND}/{contract_id}/withdraw`]: async (network) => ({
    path: { contract_id: await fundCoupon(network) },
    body: { reason: 'there is one' },
  }),
  [`GET ${PROPOSALS}`]: async (network) => (await delegationProposal(network), { as: 'bob' }),
  [`POST ${PROPOSALS}/{contract_id}/accept`]: async (network) => ({
    as: 'bob',
    path: { contract_id: await delegationProposal(network) },
  }),
  [`POST ${PROPOSALS}/{contract_id}/reject`]: async (network) => ({
    as: 'bob',
    path: { contract_id: await delegationProposal(network) },
  }),
  'GET /v0/wallet/minting-delegations': async (network) => (await delegation(network), { as: 'bob' }),
  'POST /v0/wallet/minting-delegations/{contract_id}/reject': async (network) => ({
    as: 'bob',
    path: { contract_id: await delegation(network) },
  }),
  'POST /v0/wallet/tap': () => ({ body: { amount: '0.05' } }),
  'POST /v0/wallet/transactions': async (network) => (await network.transfer(), { body: { page_size: 2 } }),
};

/** Returns the id of the delegation by which bob collects alice's rewards. */
async function delegation(network: Network): Promise<string> {
  const path = `${PROPOSALS}/${await delegationProposal(network)}/accept`;
  return (await network.call('bob', 'POST', path)).contract_id;
}
