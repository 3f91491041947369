import type { Example, Examples } from './network.ts';

const HOLDING = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';

/** Alice's coins, with the view of the token standard. */
const coins = (party: string): object => ({
  filtersByParty: {
    [party]: {
      cumulative: [
        { identifierFilter: { InterfaceFilter: { value: { interfaceId: HOLDING, includeInterfaceView: true } } } },
      ],
    },
  },
});

/** The first change of Alice's coins. */
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
};
