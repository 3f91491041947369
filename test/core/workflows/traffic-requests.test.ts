import { contractsOf, genesisConfig, type Command, type ContractId, type LedgerOptions } from '@coinlab/core';
import { participantOf } from '@coinlab/core/rules';
import { trackingOf, trafficStatusOf } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, provider, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>;

const deadline = second(100);
const nowhere = 999_999 as ContractId;
const memberId = participantOf(provider);
const { traffic } = genesisConfig('feeless');
const member = { memberId, synchronizerId: traffic.activeSynchronizer, migrationId: 0 };
const dear: LedgerOptions = {
  amuletPrice: amount('0.15'),
  config: { traffic: { ...traffic, extraTrafficPriceUsd: amount('60') } },
};

function requestOf(fields: Partial<CommandOf<'CreateTrafficRequest'>> = {}): CommandOf<'CreateTrafficRequest'> {
  return {
    type: 'CreateTrafficRequest',
    endUser: alice,
    memberId,
    trafficBytes: 200_000,
    trackingId: 'traffic-1',
    expiresAt: deadline,
    ...fields,
  };
}

const complete = (request: ContractId, inputs: readonly ContractId[]): Command => ({
  type: 'CompleteTrafficRequest',
  request,
  walletProvider: provider,
  inputs,
});
const cancel = (request: ContractId): Command => ({ type: 'CancelTrafficRequest', request, reason: 'out of funds' });
const expire = (request: ContractId): Command => ({ type: 'ExpireTrafficRequest', request });

/** A world in which alice, who has a coin of 100, asks for traffic that costs 80. */
function requested(fields: Partial<CommandOf<'CreateTrafficRequest'>> = {}) {
  const world = worldOf(dear);
  const coin = world.fund(alice, '100');
  const { detail } = world.accepted('TrafficRequestCreated', requestOf(fields), alice);
  return { world, coin, request: detail.request };
}

function statusOf(world: World) {
  const { status, failure, reason, contract } = trackingOf(world.state, alice, 'traffic', 'traffic-1') ?? {};
  return [status, failure, reason, contract];
}

describe('a request to buy traffic', () => {
  it('belongs to its user, and is tracked', () => {
    const { world, request } = requested();
    expect([...contractsOf(world.state, 'BuyTrafficRequest', alice)]).toMatchObject([
      { id: request, endUser: alice, ...member, trafficBytes: 200_000, expiresAt: deadline, trackingId: 'traffic-1' },
    ]);
    expect(statusOf(world)).toEqual(['created', null, null, request]);
    expect(trackingOf(world.state, bob, 'traffic', 'traffic-1')).toBeNull();
  });

  it('is created without a check of funds, synchronizer or minimum amount', () => {
    const world = worldOf(dear);
    world.submit(requestOf({ trafficBytes: 1, synchronizerId: 'elsewhere::1220', expiresAt: second(-1) }), alice);
  });

  it('can have the tracking id of an offer, but not that of another request', () => {
    const { world } = requested();
    const offer = { amount: amount('1'), unit: 'coin', description: '', expiresAt: deadline } as const;
    world.submit({ type: 'CreateWalletOffer', sender: alice, receiver: bob, trackingId: 'traffic-1', ...offer }, alice);
    world.refused('DUPLICATE_TRACKING_ID', requestOf(), alice);
    world.submit(requestOf({ endUser: bob }), bob);
  });

  precedence(
    { actor: alice, memberId, trafficBytes: 1, trackingId: 'fresh' },
    [
      ['NOT_AUTHORISED', { actor: bob }],
      ['INVALID_ARGUMENT', { memberId: '' }, 'member'],
      ['INVALID_ARGUMENT', { trafficBytes: 0 }, 'bytes'],
      ['INVALID_ARGUMENT', { trackingId: 'x'.repeat(280) }, 'tracking id'],
      ['DUPLICATE_TRACKING_ID', { trackingId: 'traffic-1' }],
    ],
    (code, { actor, ...fields }) => {
      requested().world.refused(code, requestOf(fields), actor);
    },
  );

  it("is completed with the user's coins when user and wallet provider both act", () => {
    const { world, coin, request } = requested();
    const { detail } = world.accepted('TrafficRequestCompleted', complete(request, [coin]), alice, provider);
    expect(detail).toMatchObject({
      payer: alice,
      ...member,
      cost: amount('80'),
      burned: amount('80'),
      request,
      walletProvider: provider,
      trackingId: 'traffic-1',
    });
    expect(world.coinsOf(alice)).toEqual(['20.0']);
    expect(trafficStatusOf(world.state, member, world.now).extraBytes).toBe(200_000);
    expect(statusOf(world)).toEqual(['completed', null, null, detail.memberTraffic]);
    world.refused('CONTRACT_NOT_FOUND', complete(request, []), alice, provider);
    world.refused('CONTRACT_NOT_FOUND', cancel(request), alice);
  });

  it.each([
    ['INSUFFICIENT_FUNDS', { trafficBytes: 300_000 }],
    ['UNKNOWN_SYNCHRONIZER', { synchronizerId: 'elsewhere::1220' }],
    ['INSUFFICIENT_TOPUP_AMOUNT', { trafficBytes: 199_999 }],
  ] as const)('is cancelled with its failure as the reason after %s', (code, fields) => {
    const { world, coin, request } = requested(fields);
    world.refused(code, complete(request, [coin]), alice, provider);
    const { detail } = world.accepted('TrafficRequestCancelled', cancel(request), alice);
    expect(detail).toMatchObject({ request, endUser: alice, reason: 'out of funds', trackingId: 'traffic-1' });
    expect(statusOf(world)).toEqual(['failed', 'rejected', 'out of funds', null]);
    expect(world.coinsOf(alice)).toEqual(['100.0']);
  });

  it('can be completed or cancelled until its deadline, and expired from then on', () => {
    const { world, coin, request } = requested();
    world.at(tickOf(deadline, -1)).refused('DEADLINE_NOT_REACHED', expire(request), alice);
    expect(world.ledger.check(cancel(request), { now: world.now, actAs: [alice] })).toBeNull();
    world.at(deadline);
    world.refused('DEADLINE_PASSED', complete(request, [coin]), alice, provider);
    world.refused('DEADLINE_PASSED', cancel(request), alice);
    world.refused('NOT_AUTHORISED', expire(request), bob);
    const { detail } = world.accepted('TrafficRequestExpired', expire(request), alice);
    expect(detail.reason).toBeNull();
    expect(statusOf(world)).toEqual(['failed', 'expired', null, null]);
  });

  precedence(
    { known: true, actAs: [alice, provider], at: 0, inputs: true },
    [
      ['CONTRACT_NOT_FOUND', { known: false }],
      ['NOT_AUTHORISED', { actAs: [provider] }],
      ['DEADLINE_PASSED', { at: 100 }],
      ['INSUFFICIENT_FUNDS', { inputs: false }],
    ],
    (code, { known, actAs, at, inputs }) => {
      const { world, coin, request } = requested();
      const command = complete(known ? request : nowhere, inputs ? [coin] : []);
      world.at(second(at)).refused(code, command, ...actAs);
    },
  );

  it('cannot be completed without the wallet provider', () => {
    const { world, coin, request } = requested();
    expect(world.refused('NOT_AUTHORISED', complete(request, [coin]), alice).required).toBe(provider);
  });
});
