import {
  Amount,
  contractsOf,
  type Command,
  type ContractId,
  type LedgerOptions,
  type PartyId,
  type RejectionCode,
} from '@coinlab/core';
import { contractsByKey } from '@coinlab/core/views';
import type { FeaturedAppActivityMarker, FeaturedAppRight } from '@coinlab/core/contracts';
import { describe, expect, it } from 'vitest';
import {
  alice,
  amount,
  bob,
  carol,
  dso,
  provider as operator,
  second,
  worldOf,
  type World,
} from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

type Batch = Extract<Command, { type: 'BatchMergeHoldings' }>;
type Call = Batch['calls'][number];

const nowhere = 999_999 as ContractId;
const propose: Command = { type: 'ProposeMergeDelegation', owner: alice, operator, meta: { plan: 'basic' } };

function proposed(world: World = worldOf(), owner: PartyId = alice) {
  const { detail } = world.accepted('MergeDelegationProposed', { ...propose, owner } as Command, owner);
  return { world, proposal: detail.proposal };
}

function delegated(world: World = worldOf(), owner: PartyId = alice) {
  const { proposal } = proposed(world, owner);
  const accept: Command = { type: 'AcceptMergeDelegation', proposal };
  return { world, delegation: world.accepted('MergeDelegationAccepted', accept, operator).detail.delegation };
}

/** A world in which alice and bob have delegated merging, and the operator can batch. */
function batching(options: LedgerOptions = {}) {
  const world = worldOf(options);
  const of = { [alice]: delegated(world, alice).delegation, [bob]: delegated(world, bob).delegation };
  const create: Command = { type: 'CreateBatchMergeUtility', operator };
  const { utility } = world.accepted('BatchMergeUtilityCreated', create, operator).detail;
  const batch = (...calls: readonly Call[]): Batch => ({ type: 'BatchMergeHoldings', utility, calls });
  const delegationOf = (owner: PartyId): ContractId => of[owner] as ContractId;
  return { world, utility, batch, delegationOf };
}

function preapprove(world: World, receiver: PartyId): void {
  const inputs = [world.fund(carol, '200')];
  const expiresAt = second(86_400);
  world.submit({ type: 'CreatePreapproval', receiver, provider: carol, expiresAt, inputs }, receiver, carol);
}

const merging = (owner: PartyId, inputs: readonly ContractId[], value: string): NonNullable<Call['merge']> => ({
  sender: owner,
  receiver: owner,
  amount: amount(value),
  inputs,
});

const paying = (owner: PartyId, inputs: readonly ContractId[], value: string): NonNullable<Call['extra']> => ({
  sender: operator,
  receiver: owner,
  amount: amount(value),
  inputs,
});

const right = { template: 'FeaturedAppRight', provider: operator } as Omit<FeaturedAppRight, 'id'>;

describe('a merge delegation', () => {
  it('is proposed by the owner and accepted by the operator', () => {
    const { world, proposal } = proposed();
    const accept: Command = { type: 'AcceptMergeDelegation', proposal };
    world.refused('NOT_AUTHORISED', accept, alice);
    const { archived, created, detail } = world.accepted('MergeDelegationAccepted', accept, operator);
    expect(archived).toEqual([proposal]);
    expect(created).toEqual([
      { id: detail.delegation, template: 'MergeDelegation', operator, owner: alice, meta: { plan: 'basic' } },
    ]);
    world.refused('CONTRACT_NOT_FOUND', accept, operator);
  });

  it('can be proposed by the owner only', () => {
    expect(worldOf().refused('NOT_AUTHORISED', propose, operator).required).toBe(alice);
  });

  it.each([
    ['rejected by the operator', 'RejectMergeDelegationProposal', 'MergeDelegationProposalRejected', operator, alice],
    ['withdrawn by the owner', 'WithdrawMergeDelegationProposal', 'MergeDelegationProposalWithdrawn', alice, operator],
  ] as const)('can be %s before it is accepted', (_, type, kind, actor, other) => {
    const { world, proposal } = proposed();
    expect(world.refused('NOT_AUTHORISED', { type, proposal }, other, dso).required).toBe(actor);
    expect(world.accepted(kind, { type, proposal }, actor).archived).toEqual([proposal]);
    world.refused('CONTRACT_NOT_FOUND', { type, proposal }, other);
    world.refused('CONTRACT_NOT_FOUND', { type: 'AcceptMergeDelegation', proposal }, operator);
  });

  it.each([
    ['operator', 'RejectMergeDelegation', 'MergeDelegationRejected', operator, alice],
    ['owner', 'WithdrawMergeDelegation', 'MergeDelegationWithdrawn', alice, operator],
  ] as const)('can be ended by the %s', (_, type, kind, actor, other) => {
    const { world, delegation } = delegated();
    expect(world.refused('NOT_AUTHORISED', { type, delegation }, other, dso).required).toBe(actor);
    expect(world.accepted(kind, { type, delegation }, actor).archived).toEqual([delegation]);
    world.refused('CONTRACT_NOT_FOUND', { type, delegation }, actor);
    const inputs = world.fundEach(alice, ['1', '2']);
    const merge: Command = { type: 'MergeDelegatedHoldings', delegation, merge: merging(alice, inputs, '3') };
    world.refused('CONTRACT_NOT_FOUND', merge, operator);
  });

  it('can be used by the operator only, and only for transfers of the owner to itself', () => {
    const { world, delegation } = delegated();
    const inputs = world.fundEach(alice, ['1', '2']);
    const merge: Command = { type: 'MergeDelegatedHoldings', delegation, merge: merging(alice, inputs, '3') };
    expect(world.refused('NOT_AUTHORISED', merge, alice, bob, dso).required).toBe(operator);
    for (const side of ['sender', 'receiver'] as const) {
      const astray = { ...merge, merge: { ...merging(alice, inputs, '3'), [side]: bob } };
      expect(world.refused('GROUP_MISMATCH', astray, operator)).toMatchObject({ field: `merge.${side}`, actual: bob });
    }
    world.accepted('DelegatedHoldingsMerged', merge, operator);
  });
});

describe('the batch utility', () => {
  it('can be created several times by an operator, and each copy can merge', () => {
    const { world, utility } = batching();
    const again: Command = { type: 'CreateBatchMergeUtility', operator };
    world.refused('NOT_AUTHORISED', again, alice);
    const second = world.accepted('BatchMergeUtilityCreated', again, operator).detail.utility;
    expect(second).not.toBe(utility);
    expect([...contractsByKey(world.state, 'BatchMergeUtility', `operator:${operator}`)].map(({ id }) => id)).toEqual([
      utility,
      second,
    ]);
  });
});

describe('merging for one owner', () => {
  it('makes one coin of many without the owner’s signature, and keeps the balance', () => {
    const { world, delegation } = delegated();
    const inputs = world.fundEach(alice, ['1', '2', '3.5']);
    const { archived, detail } = world.accepted(
      'DelegatedHoldingsMerged',
      { type: 'MergeDelegatedHoldings', delegation, merge: merging(alice, inputs, '6.5') },
      operator,
    );
    expect(archived).toEqual(inputs);
    expect(world.coinsOf(alice)).toEqual(['6.5']);
    expect(detail).toEqual({
      minted: 0n,
      burned: 0n,
      operator,
      utility: null,
      calls: [
        {
          delegation,
          owner: alice,
          inputs: 3,
          holdings: [world.holdings(alice)[0]?.id],
          amount: amount('6.5'),
          extra: 0n,
          markers: 0,
          extraFees: null,
          mergeFees: null,
        },
      ],
      operatorChange: null,
    });
    // The delegation is there for the next merge.
    expect([...contractsOf(world.state, 'MergeDelegation', alice)]).toHaveLength(1);
  });

  it('counts the change as an output, so three coins can become two, but two coins cannot', () => {
    const { world, delegation } = delegated();
    const [a, b, c] = world.fundEach(alice, ['1', '2', '3']) as [ContractId, ContractId, ContractId];
    const merge = (inputs: readonly ContractId[], value: string): Command => ({
      type: 'MergeDelegatedHoldings',
      delegation,
      merge: merging(alice, inputs, value),
    });
    expect(world.refused('MERGE_NOT_REDUCING', merge([a, b], '2.5'), operator)).toMatchObject({
      inputs: 2,
      outputs: 2,
    });
    expect(world.refused('MERGE_NOT_REDUCING', merge([a], '1'), operator)).toMatchObject({ inputs: 1, outputs: 1 });
    world.accepted('DelegatedHoldingsMerged', merge([a, b, c], '5'), operator);
    expect(world.coinsOf(alice)).toEqual(['5.0', '1.0']);
  });

  it('accepts 100 holdings and refuses 101', () => {
    const { world, delegation } = delegated();
    const inputs = world.fundEach(alice, Array<string>(101).fill('1'));
    const merge = (count: number): Command => ({
      type: 'MergeDelegatedHoldings',
      delegation,
      merge: merging(alice, inputs.slice(0, count), String(count)),
    });
    expect(world.refused('MAX_INPUTS_EXCEEDED', merge(101), operator)).toMatchObject({ inputs: 101, limit: 100 });
    world.accepted('DelegatedHoldingsMerged', merge(100), operator);
    expect(world.coinsOf(alice)).toEqual(['1.0', '100.0']);
  });

  it('adds the coin of an extra transfer to the merge', () => {
    const { world, delegation } = delegated();
    preapprove(world, alice);
    const [mine] = world.fundEach(alice, ['4']) as [ContractId];
    const pot = world.fund(operator, '10');
    const { detail } = world.accepted(
      'DelegatedHoldingsMerged',
      {
        type: 'MergeDelegatedHoldings',
        delegation,
        merge: merging(alice, [mine], '4'),
        extra: paying(alice, [pot], '0.5'),
      },
      operator,
    );
    expect(world.coinsOf(alice)).toEqual(['4.5']);
    expect(world.coinsOf(operator)).toEqual(['9.5']);
    expect(detail.calls[0]).toMatchObject({ inputs: 2, amount: amount('4.5'), extra: amount('0.5') });
    expect(detail.operatorChange).toBe(world.holdings(operator)[0]?.id);
  });

  it('accepts an extra transfer alone, when the owner has no coins to merge', () => {
    const { world, delegation } = delegated();
    preapprove(world, alice);
    const pot = world.fund(operator, '10');
    const { detail } = world.accepted(
      'DelegatedHoldingsMerged',
      { type: 'MergeDelegatedHoldings', delegation, extra: paying(alice, [pot], '10') },
      operator,
    );
    expect(world.coinsOf(alice)).toEqual(['10.0']);
    expect(detail.calls[0]).toMatchObject({ inputs: 0, holdings: [world.holdings(alice)[0]?.id] });
    expect(detail.operatorChange).toBeNull();
  });

  it('pays an operator without a preapproval when the operator is also the owner', () => {
    const world = worldOf();
    const { proposal } = world.accepted(
      'MergeDelegationProposed',
      { type: 'ProposeMergeDelegation', owner: operator, operator },
      operator,
    ).detail;
    const accept: Command = { type: 'AcceptMergeDelegation', proposal };
    const { delegation } = world.accepted('MergeDelegationAccepted', accept, operator).detail;
    const [a, b] = world.fundEach(operator, ['1', '2']) as [ContractId, ContractId];
    const command: Command = {
      type: 'MergeDelegatedHoldings',
      delegation,
      merge: merging(operator, [b], '2'),
      extra: paying(operator, [a], '1'),
    };
    world.accepted('DelegatedHoldingsMerged', command, operator);
    expect(world.coinsOf(operator)).toEqual(['3.0']);
  });

  it.each(['legacy-fees', 'feeless', 'feeless-24h'] as const)(
    'marks the activity of a featured operator, once per merge (%s)',
    (profile) => {
      const { world, delegation } = delegated(worldOf({ profile, amuletPrice: Amount.one }));
      const featured = world.put(right);
      const inputs = world.fundEach(alice, ['5', '3', '2']);
      const { detail, created } = world.accepted(
        'DelegatedHoldingsMerged',
        {
          type: 'MergeDelegatedHoldings',
          delegation,
          merge: merging(alice, inputs, '9'),
          activity: {
            right: featured,
            beneficiaries: [
              { beneficiary: operator, weight: amount('0.75') },
              { beneficiary: carol, weight: amount('0.25') },
            ],
          },
        },
        operator,
      );
      const markers = created.filter(
        (contract): contract is FeaturedAppActivityMarker => contract.template === 'FeaturedAppActivityMarker',
      );
      expect(markers.map(({ provider, beneficiary, weight }) => [provider, beneficiary, weight])).toEqual([
        [operator, operator, amount('0.75')],
        [operator, carol, amount('0.25')],
      ]);
      expect(detail.calls[0]?.markers).toBe(2);
    },
  );

  it('creates no activity marker when the call merged no coin', () => {
    const { world, delegation } = delegated();
    preapprove(world, alice);
    const pot = world.fund(operator, '10');
    const { created } = world.accepted(
      'DelegatedHoldingsMerged',
      { type: 'MergeDelegatedHoldings', delegation, extra: paying(alice, [pot], '10'), activity: { right: nowhere } },
      operator,
    );
    expect(created.map(({ template }) => template)).toEqual(['Holding']);
  });

  it('costs the fees of a transfer to oneself in the legacy profile', () => {
    const { world, delegation } = delegated(worldOf({ profile: 'legacy-fees', amuletPrice: Amount.one }));
    const inputs = world.fundEach(alice, ['1', '2']);
    const merge = (value: string): Command => ({
      type: 'MergeDelegatedHoldings',
      delegation,
      merge: merging(alice, inputs, value),
    });
    expect(world.refused('INSUFFICIENT_FUNDS', merge('3'), operator).missing).toBe(amount('0.03'));
    world.accepted('DelegatedHoldingsMerged', merge('2.97'), operator);
    expect(world.coinsOf(alice)).toEqual(['2.97']);
  });
});

describe('a batch of merges', () => {
  it('is one update for many owners', () => {
    const { world, batch, delegationOf, utility } = batching();
    const ofAlice = world.fundEach(alice, ['1', '2']);
    const ofBob = world.fundEach(bob, ['3', '4', '5']);
    const { detail, archived } = world.accepted(
      'DelegatedHoldingsMerged',
      batch(
        { delegation: delegationOf(alice), merge: merging(alice, ofAlice, '3') },
        { delegation: delegationOf(bob), merge: merging(bob, ofBob, '12') },
      ),
      operator,
    );
    expect(archived).toEqual([...ofAlice, ...ofBob]);
    expect(detail.utility).toBe(utility);
    expect(detail.calls.map(({ owner, inputs }) => [owner, inputs])).toEqual([
      [alice, 2],
      [bob, 3],
    ]);
    expect([world.coinsOf(alice), world.coinsOf(bob)]).toEqual([['3.0'], ['12.0']]);
  });

  it('passes the change of an extra transfer to the next extra transfer, across calls without one', () => {
    const { world, batch, delegationOf } = batching();
    preapprove(world, alice);
    preapprove(world, bob);
    const pot = world.fund(operator, '10');
    const ofAlice = world.fundEach(alice, ['1', '1', '1']);
    const { detail } = world.accepted(
      'DelegatedHoldingsMerged',
      batch(
        { delegation: delegationOf(alice), extra: paying(alice, [pot], '1') },
        { delegation: delegationOf(alice), merge: merging(alice, ofAlice, '3') },
        { delegation: delegationOf(bob), extra: paying(bob, [], '2') },
        { delegation: delegationOf(bob), extra: paying(bob, [], '3') },
      ),
      operator,
    );
    expect(world.coinsOf(alice)).toEqual(['1.0', '3.0']);
    expect(world.coinsOf(bob)).toEqual(['2.0', '3.0']);
    expect(world.coinsOf(operator)).toEqual(['4.0']);
    expect(detail.operatorChange).toBe(world.holdings(operator)[0]?.id);
  });

  it('accepts 100 calls in one batch', () => {
    const { world, batch, delegationOf } = batching();
    const calls = Array.from({ length: 100 }, () => ({
      delegation: delegationOf(alice),
      merge: merging(alice, world.fundEach(alice, ['1', '1']), '2'),
    }));
    expect(world.accepted('DelegatedHoldingsMerged', batch(...calls), operator).detail.calls).toHaveLength(100);
    expect(world.coinsOf(alice)).toEqual(Array<string>(100).fill('2.0'));
  });

  it('takes effect as a whole, or not at all', () => {
    const { world, batch, delegationOf } = batching();
    const good = { delegation: delegationOf(alice), merge: merging(alice, world.fundEach(alice, ['1', '2']), '3') };
    const bad = { delegation: delegationOf(bob), merge: merging(bob, world.fundEach(bob, ['1']), '1') };
    const before = world.ledger.hash();
    world.refused('MERGE_NOT_REDUCING', batch(good, bad), operator);
    expect(world.ledger.hash()).toBe(before);
    world.accepted('DelegatedHoldingsMerged', batch(good), operator);
  });

  it('is refused when two calls name the same coin', () => {
    const { world, batch, delegationOf } = batching();
    const [a, b] = world.fundEach(alice, ['1', '2']) as [ContractId, ContractId];
    const call = { delegation: delegationOf(alice), merge: merging(alice, [a, b], '3') };
    expect(world.refused('DUPLICATE_INPUT', batch(call, call), operator).contract).toBe(a);
  });

  it.each([1, 2, 5, 9, 12])('can merge %i coins that its earlier calls created, but no coin twice', (made) => {
    const { world, batch, delegationOf } = batching();
    const delegation = delegationOf(alice);
    const next = (): number => world.state.nextContract;
    const pairs = Array.from({ length: made }, () => world.fundEach(alice, ['1', '1']));
    const first = next();
    const calls = pairs.map((inputs) => ({ delegation, merge: merging(alice, inputs, '2') }));
    const merge = (inputs: readonly number[]): Call => ({
      delegation,
      merge: merging(alice, inputs as readonly ContractId[], String(2 * inputs.length)),
    });
    const coins = Array.from({ length: made }, (_, i) => first + i);
    // A coin that a call made, one that is still to be made, one of before, and each once more.
    for (const coin of coins) {
      const twice = world.refused('DUPLICATE_INPUT', batch(...calls, merge([...coins, coin])), operator);
      expect(twice.contract).toBe(coin);
      if (made === 1) continue;
      const again = batch(...calls, merge(coins), merge([coin, first + made]));
      expect(world.refused('DUPLICATE_INPUT', again, operator).contract).toBe(coin);
      const others = coins.filter((other) => other !== coin);
      const none = batch(...calls, merge(coins), merge([first + made, coin]));
      expect(world.refused('DUPLICATE_INPUT', none, operator).contract).toBe(coin);
      const unborn = batch(...calls, merge([...others, first + made]));
      expect(world.refused('CONTRACT_NOT_FOUND', unborn, operator).contract).toBe(first + made);
      const far = batch(...calls, merge([...others, first + made + 1]));
      expect(world.refused('CONTRACT_NOT_FOUND', far, operator).contract).toBe(first + made + 1);
    }
    for (const pair of pairs)
      for (const old of pair)
        expect(world.refused('DUPLICATE_INPUT', batch(...calls, merge([first, old])), operator).contract).toBe(old);
    if (made === 1) return;
    for (const some of [coins, coins.toReversed(), coins.slice(1), coins.slice(0, -1)].filter(
      (each) => each.length > 1,
    )) {
      const fork = world.fork();
      const { archived, created } = fork.accepted('DelegatedHoldingsMerged', batch(...calls, merge(some)), operator);
      expect(archived).toEqual(pairs.flat());
      expect(created.map(({ id }) => id)).toEqual([...coins.filter((coin) => !some.includes(coin)), first + made]);
      expect(fork.coinsOf(alice)).toHaveLength(made - some.length + 1);
    }
  });

  describe('refusals of a single call', () => {
    const { world, batch, utility, delegationOf } = batching();
    const [a, b, c] = world.fundEach(alice, ['1', '2', '3']) as [ContractId, ContractId, ContractId];
    const pot = world.fund(operator, '10');
    preapprove(world, alice);
    const strangers = world.put(right);
    world.take(strangers);
    const foreignRight = world.put({ ...right, provider: carol } as Omit<FeaturedAppRight, 'id'>);
    const mine = world.put(right);
    const { delegation: ofBob } = (() => {
      const { proposal } = world.accepted(
        'MergeDelegationProposed',
        { type: 'ProposeMergeDelegation', owner: bob, operator: carol },
        bob,
      ).detail;
      return world.accepted('MergeDelegationAccepted', { type: 'AcceptMergeDelegation', proposal }, carol).detail;
    })();
    const delegation = delegationOf(alice);
    interface Plan {
      utility: ContractId;
      actAs: readonly PartyId[];
      empty: boolean;
      delegation: ContractId;
      merge: Call['merge'] | null;
      extra: Call['extra'] | null;
      activity: Call['activity'] | null;
    }
    const good: Plan = {
      utility,
      actAs: [operator],
      empty: false,
      delegation,
      merge: merging(alice, [a, b], '3'),
      extra: paying(alice, [pot], '1'),
      activity: { right: mine },
    };
    const commandOf = (plan: Plan): Command => ({
      ...batch(
        ...(plan.empty
          ? []
          : [
              {
                delegation: plan.delegation,
                ...(plan.merge ? { merge: plan.merge } : {}),
                ...(plan.extra ? { extra: plan.extra } : {}),
                ...(plan.activity ? { activity: plan.activity } : {}),
              },
            ]),
      ),
      utility: plan.utility,
    });

    it('do not apply to the valid call', () => {
      world.fork().accepted('DelegatedHoldingsMerged', commandOf(good), ...good.actAs);
    });

    precedence<Plan>(
      good,
      [
        ['CONTRACT_NOT_FOUND', { utility: nowhere }, 'the utility'],
        ['NOT_AUTHORISED', { actAs: [alice, dso] }],
        ['INVALID_ARGUMENT', { empty: true }, 'no call'],
        ['CONTRACT_NOT_FOUND', { empty: false, delegation: nowhere }, 'the delegation'],
        ['GROUP_MISMATCH', { delegation: ofBob }, "another operator's delegation"],
        ['INVALID_ARGUMENT', { merge: null, extra: null }, 'neither transfer'],
        [
          'GROUP_MISMATCH',
          { extra: { ...paying(alice, [pot], '1'), sender: carol } },
          'the sender of the extra transfer',
        ],
        ['GROUP_MISMATCH', { extra: paying(bob, [pot], '1') }, 'the receiver of the extra transfer'],
        ['INSUFFICIENT_FUNDS', { extra: paying(alice, [pot], '11') }, 'the extra transfer'],
        [
          'GROUP_MISMATCH',
          { extra: paying(alice, [pot], '1'), merge: merging(bob, [a, b], '3') },
          'the owner of the merge',
        ],
        ['INSUFFICIENT_FUNDS', { merge: merging(alice, [a, b], '4') }, 'the merge'],
        ['MERGE_NOT_REDUCING', { merge: merging(alice, [c], '0.5') }],
        ['CONTRACT_NOT_FOUND', { merge: merging(alice, [a, b], '3'), activity: { right: strangers } }, 'the right'],
        ['GROUP_MISMATCH', { activity: { right: foreignRight } }, "another provider's right"],
        [
          'INVALID_ARGUMENT',
          { activity: { right: mine, beneficiaries: [{ beneficiary: carol, weight: amount('0.5') }] } },
          'weights that sum to a half',
        ],
      ],
      (code: RejectionCode, plan: Plan) => void world.refused(code, commandOf(plan), ...plan.actAs),
    );
  });

  it('refuses an extra transfer without the owner’s preapproval', () => {
    const { world, batch, delegationOf } = batching();
    const pot = world.fund(operator, '10');
    const extra = { delegation: delegationOf(alice), extra: paying(alice, [pot], '1') };
    world.refused('CONTRACT_NOT_FOUND', batch(extra), operator);
    preapprove(world, alice);
    world.accepted('DelegatedHoldingsMerged', batch(extra), operator);
  });
});
