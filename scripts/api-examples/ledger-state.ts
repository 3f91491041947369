import type { Example, Examples, Network } from './network.ts';

const HOLDING = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';

const coins = (party: string): object => ({
  filtersByParty: {
    [party]: {
      cumulative: [
        { identifierFilter: { InterfaceFilter: { value: { interfaceId: HOLDING, includeInterfaceView: true } } } },
      ],
    },
  },
});

const updates: Example = ({ alice }) => ({
  as: 'alice',
  query: { limit: '1' },
  body: {
    beginExclusive: 0,
    updateFormat: {
      includeTransactions: { eventFormat: coins(alice), transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
    },
  },
});

const everything = (party: string): object => ({ filtersByParty: { [party]: {} } });

/** All that Alice sees of the transactions of her coins. */
const effects = (party: string): object => ({
  includeTransactions: { eventFormat: everything(party), transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' },
});

async function lastOf(network: Network): Promise<{ updateId: string; offset: number; contractId: string }> {
  await network.call('alice', 'POST', '/v0/wallet/tap', { amount: '5' });
  const body = { beginExclusive: 0, descendingOrder: true, filter: coins(network.alice) };
  const [last] = await network.call('alice', 'POST', '/v2/updates/flats?limit=1', body);
  const { updateId, offset, events } = last.update.Transaction.value;
  return { updateId, offset, contractId: events[0].CreatedEvent.contractId };
}

const lookups: Examples = {
  'POST /v2/updates/update-by-id': async (network) => ({
    as: 'alice',
    body: { updateId: (await lastOf(network)).updateId, updateFormat: effects(network.alice) },
  }),
  'POST /v2/updates/update-by-offset': async (network) => ({
    as: 'alice',
    body: { offset: (await lastOf(network)).offset, updateFormat: effects(network.alice) },
  }),
  'POST /v2/updates/transaction-by-id': async (network) => ({
    as: 'alice',
    body: { updateId: (await lastOf(network)).updateId, requestingParties: [network.alice] },
  }),
  'POST /v2/updates/transaction-by-offset': async (network) => ({
    as: 'alice',
    body: { offset: (await lastOf(network)).offset, requestingParties: [network.alice] },
  }),
  'GET /v2/updates/transaction-tree-by-id/{update-id}': async (network) => ({
    as: 'alice',
    path: { 'update-id': (await lastOf(network)).updateId },
    query: { parties: network.alice },
  }),
  'GET /v2/updates/transaction-tree-by-offset/{offset}': async (network) => ({
    as: 'alice',
    path: { offset: String((await lastOf(network)).offset) },
    query: { parties: network.alice },
  }),
  'POST /v2/events/events-by-contract-id': async (network) => ({
    as: 'alice',
    body: { contractId: (await lastOf(network)).contractId, eventFormat: coins(network.alice) },
  }),
  'POST /v2/contracts/contract-by-id': async (network) => ({
    as: 'alice',
    body: { contractId: (await lastOf(network)).contractId, queryingParties: [network.alice] },
  }),
};

export const ledgerStateExamples: Examples = {
  'GET /v2/state/ledger-end': () => ({ as: 'alice' }),
  'GET /v2/state/latest-pruned-offsets': () => ({ as: 'alice' }),
  'POST /v2/state/active-contracts': async (network) => ({
    as: 'alice',
    query: { limit: '200' },
    body: {
      activeAtOffset: (await network.call('alice', 'GET', '/v2/state/ledger-end')).offset,
      eventFormat: coins(network.alice),
    },
  }),
  'POST /v2/state/active-contracts-page': ({ alice }) => ({
    as: 'alice',
    body: { eventFormat: coins(alice), maxPageSize: 1 },
  }),
  'POST /api/ledger/v2/updates': updates,
  'POST /v2/updates/flats': updates,
  'POST /v2/updates/trees': ({ alice }) => ({
    as: 'alice',
    query: { limit: '1' },
    body: { beginExclusive: 0, filter: everything(alice) },
  }),
  'POST /v2/updates/get-updates-page': ({ alice }) => ({
    as: 'alice',
    body: { updateFormat: effects(alice), maxPageSize: 1 },
  }),
  ...lookups,
};
