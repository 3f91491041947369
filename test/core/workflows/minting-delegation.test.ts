import {
  Amount,
  contractsOf,
  genesisConfig,
  type Command,
  type ContractId,
  type LedgerOptions,
  type PartyId,
  type RejectionCode,
  type Round,
} from '@coinlab/core';
import { contractsByKey } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import {
  alice as beneficiary,
  amount,
  bob,
  carol,
  dso,
  provider as delegate,
  second,
  tickOf,
  worldOf,
  type World,
} from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

type Propose = Extract<Command, { type: 'ProposeMintingDelegation' }>;

const nowhere = 999_999 as ContractId;
const terms = { beneficiary, delegate, expiresAt: second(3600), amuletMergeLimit: 3 };
const propose: Propose = { type: 'ProposeMintingDelegation', ...terms };

function proposed(world: World = worldOf(), change: Partial<Propose> = {}) {
  const command = { ...propose, ...change };
  const { detail } = world.accepted('MintingDelegationProposed', command, command.beneficiary);
  return { world, proposal: detail.proposal };
}

function delegated(world: World = worldOf(), change: Partial<Propose> = {}) {
  const { proposal } = proposed(world, change);
  const accept: Command = { type: 'AcceptMintingDelegation', proposal };
  const by = change.delegate ?? delegate;
  return { world, delegation: world.accepted('MintingDelegationAccepted', accept, by).detail.delegation };
}

const mint = (delegation: ContractId, inputs: readonly ContractId[]): Command => ({
  type: 'MintForBeneficiary',
  delegation,
  inputs,
});

function grant(world: World, to: PartyId, value: string): ContractId {
  return world.put({
    template: 'UnclaimedActivityRecord',
    beneficiary: to,
    amount: amount(value),
    reason: 'unrewarded activity',
    expiresAt: second(86_400),
  });
}

describe('a minting delegation', () => {
  it('is proposed by the beneficiary and accepted by the delegate', () => {
    const { world, proposal } = proposed();
    const accept: Command = { type: 'AcceptMintingDelegation', proposal };
    world.refused('NOT_AUTHORISED', accept, beneficiary);
    const { archived, created, detail } = world.accepted('MintingDelegationAccepted', accept, delegate);
    expect(archived).toEqual([proposal]);
    expect(created).toEqual([{ id: detail.delegation, template: 'MintingDelegation', ...terms }]);
    expect(detail.replaced).toBeNull();
    world.refused('CONTRACT_NOT_FOUND', accept, delegate);
  });

  it('can be proposed by the beneficiary only', () => {
    expect(worldOf().refused('NOT_AUTHORISED', propose, delegate).required).toBe(beneficiary);
  });

  it('replaces the older delegation that the delegate names', () => {
    const { world, delegation: old } = delegated();
    const { proposal } = proposed(world, { expiresAt: second(7200) });
    const accept: Command = { type: 'AcceptMintingDelegation', proposal, existing: old };
    const { archived, detail } = world.accepted('MintingDelegationAccepted', accept, delegate);
    expect(archived).toEqual([old, proposal]);
    expect(detail).toMatchObject({ replaced: old, expiresAt: second(7200) });
    const key = `delegation:${beneficiary}:${delegate}`;
    expect([...contractsByKey(world.state, 'MintingDelegation', key)].map(({ id }) => id)).toEqual([detail.delegation]);
  });

  describe('a minting delegation accepted in place of another', () => {
    const { world, delegation: own } = delegated();
    const { delegation: ofBob } = delegated(world, { beneficiary: bob });
    const { delegation: toCarol } = delegated(world, { delegate: carol });
    const { proposal } = proposed(world);
    interface Plan {
      proposal: ContractId;
      actAs: readonly PartyId[];
      existing: ContractId;
    }
    precedence<Plan>(
      { proposal, actAs: [delegate], existing: own },
      [
        ['CONTRACT_NOT_FOUND', { proposal: nowhere }, 'the proposal'],
        ['NOT_AUTHORISED', { actAs: [beneficiary, dso] }],
        ['CONTRACT_NOT_FOUND', { existing: nowhere }, 'the older delegation'],
        ['GROUP_MISMATCH', { existing: ofBob }, 'of another beneficiary'],
        ['GROUP_MISMATCH', { existing: toCarol }, 'to another delegate'],
      ],
      (code: RejectionCode, { actAs, ...named }: Plan) =>
        void world.refused(code, { type: 'AcceptMintingDelegation', ...named }, ...actAs),
    );
  });

  it.each([
    ['rejected by the delegate', 'RejectMintingDelegationProposal', 'MintingDelegationProposalRejected', delegate],
    [
      'withdrawn by the beneficiary',
      'WithdrawMintingDelegationProposal',
      'MintingDelegationProposalWithdrawn',
      beneficiary,
    ],
  ] as const)('can be %s while it is open, also after its expiry', (_, type, kind, actor) => {
    const other = actor === delegate ? beneficiary : delegate;
    for (const at of [second(0), second(9999)]) {
      const { world, proposal } = proposed();
      world.at(at);
      expect(world.refused('NOT_AUTHORISED', { type, proposal }, other, dso).required).toBe(actor);
      expect(world.accepted(kind, { type, proposal }, actor).archived).toEqual([proposal]);
      world.refused('CONTRACT_NOT_FOUND', { type, proposal }, actor);
    }
  });

  it.each([
    ['delegate', 'RejectMintingDelegation', 'MintingDelegationRejected', delegate],
    ['beneficiary', 'WithdrawMintingDelegation', 'MintingDelegationWithdrawn', beneficiary],
  ] as const)('can be ended by the %s, also after its expiry', (_, type, kind, actor) => {
    const other = actor === delegate ? beneficiary : delegate;
    for (const at of [second(0), second(9999)]) {
      const { world, delegation } = delegated();
      world.at(at);
      expect(world.refused('NOT_AUTHORISED', { type, delegation }, other, dso).required).toBe(actor);
      expect(world.accepted(kind, { type, delegation }, actor).archived).toEqual([delegation]);
      world.refused('CONTRACT_NOT_FOUND', { type, delegation }, actor);
    }
  });
});

describe('minting for a beneficiary', () => {
  it('mints its rewards as one coin without the beneficiary’s signature', () => {
    const { world, delegation } = delegated();
    const rewards = [grant(world, beneficiary, '2'), grant(world, beneficiary, '3')];
    const { archived, detail } = world.accepted('MintedForBeneficiary', mint(delegation, rewards), delegate);
    expect(archived).toEqual(rewards);
    expect(world.coinsOf(beneficiary)).toEqual(['5.0']);
    expect(detail).toMatchObject({
      delegation,
      delegate,
      sender: beneficiary,
      receiver: beneficiary,
      amount: amount('5'),
      minted: amount('5'),
      burned: 0n,
      inputs: 2,
      coins: 0,
      change: world.holdings(beneficiary)[0]?.id,
    });
    expect([...contractsOf(world.state, 'MintingDelegation', beneficiary)]).toHaveLength(1);
  });

  it('merges coins and rewards into one coin, and earns no featured reward', () => {
    const { world, delegation } = delegated();
    world.put({ template: 'FeaturedAppRight', provider: delegate });
    const coins = world.fundEach(beneficiary, ['1', '2', '3', '4', '5', '6']);
    const reward = grant(world, beneficiary, '0.5');
    const { created, detail } = world.accepted(
      'MintedForBeneficiary',
      mint(delegation, [reward, ...coins.slice(0, 4)]),
      delegate,
    );
    expect(created.map(({ template }) => template)).toEqual(['Holding']);
    expect(world.coinsOf(beneficiary)).toEqual(['5.0', '6.0', '10.5']);
    expect(detail).toMatchObject({ minted: amount('0.5'), inputs: 5, coins: 4 });
  });

  it('is refused when it would leave fewer coins than the merge limit', () => {
    const { world, delegation } = delegated();
    const coins = world.fundEach(beneficiary, ['1', '2', '3', '4', '5', '6']);
    const refused = world.refused('INVALID_ARGUMENT', mint(delegation, coins.slice(0, 5)), delegate);
    expect(refused.field).toBe('inputs');
    world.accepted('MintedForBeneficiary', mint(delegation, coins.slice(0, 4)), delegate);
    expect(world.holdings(beneficiary)).toHaveLength(3);
  });

  it('accepts one coin at any merge limit, because the number of coins stays the same', () => {
    const { world, delegation } = delegated();
    const [coin] = world.fundEach(beneficiary, ['1']) as [ContractId];
    world.accepted('MintedForBeneficiary', mint(delegation, [grant(world, beneficiary, '2'), coin]), delegate);
    expect(world.coinsOf(beneficiary)).toEqual(['3.0']);
  });

  it('accepts a locked coin once its lock has expired', () => {
    const { world, delegation } = delegated();
    const inputs = [world.fund(beneficiary, '7')];
    const offer: Command = {
      type: 'CreateOffer',
      sender: beneficiary,
      receiver: bob,
      amount: amount('7'),
      executeBefore: second(60),
      inputs,
    };
    const { lockedHolding } = world.accepted('TransferOffered', offer, beneficiary).detail;
    world.refused('LOCK_NOT_EXPIRED', mint(delegation, [lockedHolding]), delegate);
    world.at(second(60)).accepted('MintedForBeneficiary', mint(delegation, [lockedHolding]), delegate);
    expect(world.coinsOf(beneficiary)).toEqual(['7.0']);
  });

  it('succeeds until the delegation expires, and is refused at that time', () => {
    const { world, delegation } = delegated();
    const command = mint(delegation, [grant(world, beneficiary, '2')]);
    const late = world.fork().at(terms.expiresAt);
    expect(late.refused('DEADLINE_PASSED', command, delegate).deadline).toBe(terms.expiresAt);
    world.at(tickOf(terms.expiresAt, -1)).accepted('MintedForBeneficiary', command, delegate);
  });

  it('costs the create fee of its coin in the legacy profile', () => {
    const { world, delegation } = delegated(worldOf({ profile: 'legacy-fees', amuletPrice: Amount.one }));
    const { detail } = world.accepted(
      'MintedForBeneficiary',
      mint(delegation, [grant(world, beneficiary, '2')]),
      delegate,
    );
    expect(detail).toMatchObject({ minted: amount('2'), burned: amount('0.03') });
    expect(world.coinsOf(beneficiary)).toEqual(['1.97']);
  });

  it('creates no coin when the fee of the legacy profile equals the minted amount', () => {
    const { world, delegation } = delegated(worldOf({ profile: 'legacy-fees', amuletPrice: Amount.one }));
    const fee = amount('0.03');
    const { detail, created } = world.accepted(
      'MintedForBeneficiary',
      mint(delegation, [grant(world, beneficiary, '0.03')]),
      delegate,
    );
    expect(detail).toMatchObject({ amount: 0n, change: null, minted: fee, burned: fee });
    expect(created).toEqual([]);
  });

  describe('minting with invalid inputs', () => {
    const few: LedgerOptions = {
      config: { transferConfigUsd: { ...genesisConfig('feeless').transferConfigUsd, maxNumInputs: 5 } },
    };
    const { world, delegation } = delegated(worldOf(few));
    const coins = world.fundEach(beneficiary, ['1', '2', '3', '4', '5', '6']);
    const foreign = world.fund(bob, '1');
    const early = world.put({
      template: 'AppRewardCoupon',
      provider: beneficiary,
      featured: true,
      amount: amount('1'),
      round: 0 as Round,
      beneficiary: null,
    });
    const first = coins[0] as ContractId;
    interface Plan {
      delegation: ContractId;
      actAs: readonly PartyId[];
      late: boolean;
      inputs: readonly ContractId[];
    }
    precedence<Plan>(
      { delegation, actAs: [delegate], late: false, inputs: coins.slice(0, 4) },
      [
        ['CONTRACT_NOT_FOUND', { delegation: nowhere }, 'the delegation'],
        ['NOT_AUTHORISED', { actAs: [beneficiary, dso] }],
        ['DEADLINE_PASSED', { late: true }],
        ['NO_INPUTS', { inputs: [], late: false }],
        ['DUPLICATE_INPUT', { inputs: [first, first] }],
        ['CONTRACT_NOT_FOUND', { inputs: [nowhere] }, 'an input'],
        ['GROUP_MISMATCH', { inputs: [foreign] }],
        ['ROUND_NOT_ISSUING', { inputs: [early] }],
        ['MAX_INPUTS_EXCEEDED', { inputs: coins }],
        ['INVALID_ARGUMENT', { inputs: coins.slice(0, 5) }, 'the merge limit'],
      ],
      (code: RejectionCode, { actAs, late, ...named }: Plan) =>
        void world
          .fork()
          .at(second(late ? 3600 : 10))
          .refused(code, { type: 'MintForBeneficiary', ...named }, ...actAs),
    );
  });
});
