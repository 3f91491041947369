import type { Ask, Examples, Network } from './network.ts';

const DAY_LATER = '2026-01-02T00:00:00Z';
const NOTHING = { values: {} };
const EXTRA = { context: NOTHING, meta: NOTHING };

const instrument = ({ dso }: Network): object => ({ admin: dso, id: 'Amulet' });

/** Alice's request to the factory for a payment to bob, in the first version of the standard. */
const transferV1 = (network: Network): object => ({
  expectedAdmin: network.dso,
  transfer: {
    sender: network.alice,
    receiver: network.bob,
    amount: '2.5',
    instrumentId: instrument(network),
    requestedAt: network.start,
    executeBefore: DAY_LATER,
    inputHoldingCids: [],
    meta: NOTHING,
  },
  extraArgs: EXTRA,
});

/** The request in the second version of the standard: with accounts instead of parties, and with the actors. */
const transferV2 = (network: Network): object => ({
  actors: [network.alice],
  transfer: {
    sender: { owner: network.alice, provider: null, id: '' },
    receiver: { owner: network.bob, provider: null, id: '' },
    amount: '2.5',
    instrumentId: instrument(network),
    requestedAt: network.start,
    executeBefore: DAY_LATER,
    inputHoldingCids: [],
    meta: NOTHING,
  },
  extraArgs: EXTRA,
});

const settlement = ({ start, bob }: Network): object => ({
  executor: bob,
  settlementRef: { id: 'trade-1', cid: null },
  requestedAt: start,
  allocateBefore: DAY_LATER,
  settleBefore: '2026-01-03T00:00:00Z',
  meta: NOTHING,
});

const allocation = (network: Network): object => ({
  expectedAdmin: network.dso,
  allocation: {
    settlement: settlement(network),
    transferLegId: 'leg-1',
    transferLeg: {
      sender: network.alice,
      receiver: network.bob,
      amount: '2.5',
      instrumentId: instrument(network),
      meta: NOTHING,
    },
  },
  requestedAt: network.start,
  inputHoldingCids: [],
  extraArgs: EXTRA,
});

const onTransfer = async (network: Network): Promise<Ask> => ({
  path: { transferInstructionId: await network.transfer() },
  body: { excludeDebugFields: true },
});

/** The coin's rules create no allocation, so every id is unknown. */
const onAllocation = (): Ask => ({ path: { allocationId: `00${'0'.repeat(136)}` }, body: {}, status: 404 });

const contextsOf = (version: 'v1' | 'v2'): Examples =>
  Object.fromEntries(
    ['accept', 'reject', 'withdraw'].map((verb) => [
      `POST /registry/transfer-instruction/${version}/{transferInstructionId}/choice-contexts/${verb}`,
      onTransfer,
    ]),
  );

export const registryExamples: Examples = {
  'POST /registry/transfer-instruction/v2/transfer-factory': (network) => ({
    body: { choiceArguments: transferV2(network), excludeDebugFields: true },
  }),
  'POST /registry/transfer-instruction/v1/transfer-factory': (network) => ({
    body: { choiceArguments: transferV1(network), excludeDebugFields: true },
  }),
  ...contextsOf('v2'),
  ...contextsOf('v1'),
  'POST /registry/allocation-instruction/v1/allocation-factory': (network) => ({
    body: { choiceArguments: allocation(network), excludeDebugFields: true },
  }),
  'POST /registry/allocation-instruction/v2/allocation-factory': (network) => ({
    body: { choiceArguments: { settlement: settlement(network) }, excludeDebugFields: true },
  }),
  'POST /registry/allocation/v2/settlement-factory': (network) => ({
    body: { choiceArguments: { settlement: settlement(network) }, excludeDebugFields: true },
  }),
  'POST /registry/allocations/v1/{allocationId}/choice-contexts/execute-transfer': onAllocation,
  'POST /registry/allocations/v1/{allocationId}/choice-contexts/withdraw': onAllocation,
  'POST /registry/allocations/v1/{allocationId}/choice-contexts/cancel': onAllocation,
  'POST /registry/allocations/v2/{allocationId}/choice-contexts/withdraw': onAllocation,
  'POST /registry/allocations/v2/{allocationId}/choice-contexts/cancel': onAllocation,
  'GET /registry/metadata/v1/instruments/{instrumentId}': () => ({ path: { instrumentId: 'Amulet' } }),
};
