import { signedHash } from './external-party.ts';
import type { Ask, Example, Examples, Network } from './network.ts';

const FEATURED = '/v0/wallet/self-grant-feature-app-right';

/** Features alice's app and returns the id of the right. */
async function featured(network: Network): Promise<string> {
  return (await network.call('alice', 'POST', FEATURED)).contract_id;
}

/** Returns the id of a request to feature alice's app. It stays open, because one of three super validators has voted. */
async function voteRequest(network: Network, more: object = {}): Promise<string> {
  const as = (party: string, command: object): Promise<{ created: { template: string; id: number }[] }> =>
    network.command(command, party);
  for (const name of ['sv-2', 'sv-3']) {
    const party = name.replace('sv-2', network.alice).replace('sv-3', network.bob);
    const action = { type: 'AddSv', party, name, rewardWeight: 10, participantId: `PAR::${party}` };
    await as(network.dso, { type: 'ExecuteAction', action });
  }
  const action = { type: 'GrantFeaturedAppRight', provider: network.alice };
  const reason = { url: 'https://example.com', body: 'A fine app.' };
  await as(network.sv, { type: 'RequestVote', requester: network.sv, action, reason, ...more });
  const {
    dso_rules_vote_requests: [request],
  } = await network.call(null, 'GET', '/v0/admin/sv/voterequests');
  return request.contract_id;
}

/** Creates a transfer command: alice signs herself and pays bob by his preapproval. */
async function transferCommand(network: Network): Promise<void> {
  await network.command({ type: 'CreateTransferCommandCounter', sender: network.alice }, network.dso);
  await network.command(
    {
      type: 'CreateTransferCommand',
      sender: network.alice,
      receiver: network.bob,
      delegate: network.validator,
      amount: '2.5',
      expiresAt: '2026-01-02T00:00:00.000000Z',
      nonce: 0,
    },
    network.alice,
  );
}

/** Two hours after a payment by preapproval: rounds are closed, rewards minted and traffic bought. */
async function closedRounds(network: Network): Promise<void> {
  await network.command({ type: 'SelfGrantFeaturedAppRight', provider: network.validator }, network.validator);
  await network.preapproval();
  const gift = { receiver_party_id: network.bob, amount: '2.5', deduplication_id: 'rent-1' };
  await network.call('alice', 'POST', '/v0/wallet/transfer-preapproval/send', gift);
  await network.call('alice', 'POST', '/v0/wallet/buy-traffic-requests', network.trafficTerms());
  await network.advance(120);
}

const ofRound =
  (query: Readonly<Record<string, string>>): Example =>
  async (network) => {
    await closedRounds(network);
    return { query };
  };

async function firstUpdate(network: Network): Promise<Ask> {
  const { transactions } = await network.call(null, 'POST', '/v2/updates', { page_size: 1 });
  return { path: { update_id: transactions[0].update_id } };
}

const owners = ({ alice, bob }: Network): readonly string[] => [alice, bob];
const snapshot = ({ start }: Network): object => ({ migration_id: 0, record_time: start });
const traffic = ({ synchronizer, participantId }: Network): Ask => ({
  path: { domain_id: synchronizer, member_id: participantId },
});
const participant = ({ synchronizer, alice }: Network): Ask => ({ path: { domain_id: synchronizer, party_id: alice } });
const DSO_NAME = { path: { name: 'dso.ans' } };

export const scanExamples: Examples = {
  'POST /v0/amulet-rules': () => ({ body: {} }),
  'POST /v0/external-party-amulet-rules': () => ({ body: {} }),
  'POST /v0/ans-rules': () => ({ body: {} }),
  'POST /v0/open-and-issuing-mining-rounds': () => ({
    body: { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] },
  }),
  'GET /v0/closed-rounds': async (network) => (await network.advance(60), {}),
  'GET /v0/validators/validator-faucets': async (network) => {
    await network.advance(30);
    return { query: { validator_ids: network.validator } };
  },
  'GET /v0/featured-apps': async (network) => (await featured(network), {}),
  'GET /v0/featured-apps/by-provider/{provider_party_id}': async (network) => {
    await featured(network);
    return { path: { provider_party_id: network.alice } };
  },
  'GET /v0/featured-apps/{provider_party_id}': async (network) => {
    await featured(network);
    return { path: { provider_party_id: network.alice } };
  },
  'GET /v0/featured-apps/by-contract-id/{contract_id}': async (network) => ({
    path: { contract_id: await featured(network) },
  }),
  'GET /v0/domains/{domain_id}/members/{member_id}/traffic-status': async (network) => traffic(network),
  'GET /v0/domains/{domain_id}/parties/{party_id}/participant-id': participant,
  'GET /v1/domains/{domain_id}/parties/{party_id}/participant-id': participant,
  'GET /v0/voterequests/{vote_request_contract_id}': async (network) => ({
    path: { vote_request_contract_id: await voteRequest(network) },
  }),
  'POST /v0/voterequest': async (network) => ({ body: { vote_request_contract_ids: [await voteRequest(network)] } }),
  'GET /v0/admin/sv/voterequests': async (network) => (await voteRequest(network), {}),
  'POST /v0/state/acs': (network) => ({ body: { ...snapshot(network), page_size: 2 } }),
  'POST /v1/state/acs': (network) => ({ body: { ...snapshot(network), page_size: 2 } }),
  'POST /v0/holdings/state': (network) => ({
    body: { ...snapshot(network), page_size: 2, owner_party_ids: owners(network) },
  }),
  'POST /v1/holdings/state': (network) => ({
    body: { ...snapshot(network), page_size: 2, owner_party_ids: owners(network) },
  }),
  'POST /v0/holdings/summary': (network) => ({ body: { ...snapshot(network), owner_party_ids: owners(network) } }),
  'GET /v0/state/acs/snapshot-timestamp': () => ({ query: { before: '2026-01-02T00:00:00Z', migration_id: '0' } }),
  'GET /v0/state/acs/snapshot-timestamp-after': () => ({
    query: { after: '2025-12-31T00:00:00Z', migration_id: '0' },
  }),
  'POST /v2/updates': () => ({ body: { page_size: 1 } }),
  'GET /v2/updates/{update_id}': firstUpdate,
  'GET /v2/updates/hash/{hash}': async (network) => ({ path: { hash: await signedHash(network) } }),
  'POST /v1/updates': () => ({ body: { page_size: 1 } }),
  'GET /v1/updates/{update_id}': firstUpdate,
  'POST /v0/updates': () => ({ body: { page_size: 1 } }),
  'GET /v0/updates/{update_id}': firstUpdate,
  'POST /v0/events': () => ({ body: { page_size: 1 } }),
  'GET /v0/events/{update_id}': firstUpdate,
  'POST /v0/transactions': async (network) => (
    await network.transfer(),
    { body: { page_size: 1, sort_order: 'desc' } }
  ),
  'POST /v0/activities': async (network) => (await network.transfer(), { body: { page_size: 1 } }),
  'GET /v0/aggregated-rounds': ofRound({}),
  'GET /v0/round-of-latest-data': ofRound({}),
  'GET /v0/rewards-collected': ofRound({ round: '3' }),
  'GET /v0/amulet-config-for-round': () => ({ query: { round: '0' } }),
  'GET /v0/top-providers-by-app-rewards': ofRound({ round: '5', limit: '10' }),
  'GET /v0/top-validators-by-validator-rewards': ofRound({ round: '5', limit: '10' }),
  'GET /v0/top-validators-by-purchased-traffic': ofRound({ round: '5', limit: '10' }),
  'POST /v0/round-totals': async (network) => {
    await closedRounds(network);
    return { body: { start_round: 2, end_round: 3 } };
  },
  'POST /v0/round-party-totals': async (network) => {
    await closedRounds(network);
    return { body: { start_round: 2, end_round: 3 } };
  },
  'POST /v0/admin/sv/voteresults': async (network) => {
    // A vote of a week would take 20,000 polls.
    await voteRequest(network, { voteBefore: '2026-01-01T01:00:00Z' });
    await network.advance(60);
    return { body: { limit: 10 } };
  },
  'GET /v0/migrations/schedule': () => ({ status: 404 }),
  'GET /v0/transfer-preapprovals/by-party/{party}': async (network) => {
    await network.preapproval();
    return { path: { party: network.bob } };
  },
  'GET /v0/transfer-command-counter/{party}': async (network) => (await transferCommand(network), {}),
  'GET /v0/transfer-command/status': async (network) => {
    await transferCommand(network);
    return { query: { sender: network.alice, nonce: '0' } };
  },
  'GET /v0/ans-entries': () => ({ query: { page_size: '10' } }),
  'GET /v0/ans-entries/by-party/{party}': ({ dso }) => ({ path: { party: dso } }),
  'GET /v0/ans-entries/by-name/{name}': () => DSO_NAME,
  'GET /v0/acs/{party}': () => ({}),
};
