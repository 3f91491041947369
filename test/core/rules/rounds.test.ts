import {
  Amount,
  emptyLedger,
  genesis,
  genesisConfig,
  Round,
  type Command,
  type ContractId,
  type LedgerOptions,
  type PartyId,
} from '@coinlab/core';
import {
  closableRounds,
  closedRounds,
  dustRoundOf,
  earliestAdvance,
  nextAmuletPrice,
  summarizingRounds,
} from '@coinlab/core/rules';
import { firstByKey, openRoundsOf } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, dso, provider, second, World, worldOf } from '../ledger-fixture.ts';

const unit = amount('1');
const figures = {
  perValidatorRewardCoupon: unit,
  perFeaturedAppRewardCoupon: unit,
  perUnfeaturedAppRewardCoupon: unit,
  perSvRewardCoupon: unit,
  perValidatorFaucetCoupon: unit,
};

/** A ledger that is open and has no rounds. */
function roundless(options: LedgerOptions = {}): World {
  const [open] = genesis(options);
  const opened = emptyLedger().submit(open!.command, open!.context); // a genesis begins with OpenLedger
  if (!opened.ok) throw new Error('a ledger opens');
  return new World(opened.value.ledger, options);
}

describe('rounds that are due for the DSO', () => {
  it('are sorted in ascending order for any order of creation', () => {
    const world = worldOf();
    const { issuanceCurve, tickDuration } = genesisConfig('feeless');
    const { issuance: issuanceConfig } = issuanceCurve[0]!; // a curve has a first step
    for (const round of [7, 5, 6].map(Round.of)) {
      world.put({ template: 'SummarizingMiningRound', round, amuletPrice: unit, issuanceConfig, tickDuration });
      world.put({ template: 'IssuingMiningRound', round, opensAt: second(0), targetClosesAt: second(0), ...figures });
      world.put({ template: 'ClosedMiningRound', round, ...figures });
    }
    for (const rounds of [
      summarizingRounds(world.state),
      closableRounds(world.state, world.now),
      closedRounds(world.state),
    ])
      expect(rounds.map(({ round }) => round)).toEqual([5, 6, 7]);
  });
});

describe('while no round is open', () => {
  it.each<[what: string, command: Command]>([
    ['a transfer to oneself', { type: 'SelfTransfer', sender: alice, amount: unit, inputs: [] }],
    ['a direct transfer', { type: 'DirectTransfer', sender: alice, receiver: bob, amount: unit, inputs: [] }],
    [
      'a purchase of traffic',
      { type: 'BuyMemberTraffic', payer: alice, memberId: 'PAR::alice::1220ab', trafficBytes: 200_000, inputs: [] },
    ],
  ])('%s is refused', (_, command) => {
    const world = roundless();
    const times = { validFrom: world.now, lastRenewedAt: world.now, expiresAt: second(600) };
    world.put({ template: 'TransferPreapproval', receiver: bob, provider, ...times });
    const coin = { amount: unit, createdAt: Round.of(0), ratePerRound: amount('0.0001'), lock: null };
    const inputs = [world.put({ template: 'Holding', owner: alice, ...coin })];
    world.refused('ROUND_NOT_OPEN', { ...command, inputs } as Command, alice);
  });

  const expiresAt = second(600);
  it.each<[what: string, (world: World, coin: ContractId) => Command, ...by: PartyId[]]>([
    ['a merge', (_, coin) => ({ type: 'MergeHoldings', owner: alice, inputs: [coin] }), alice],
    [
      'minting for a beneficiary',
      (world, coin) => {
        const delegation = { beneficiary: alice, delegate: provider, expiresAt, amuletMergeLimit: 1 };
        const id = world.put({ template: 'MintingDelegation', ...delegation });
        return { type: 'MintForBeneficiary', delegation: id, inputs: [coin] };
      },
      provider,
    ],
    [
      'the acceptance of an offer',
      (world) => {
        const lock = { holders: [dso], expiresAt, context: 'offer' };
        const coin = { owner: alice, amount: unit, createdAt: Round.of(0), ratePerRound: Amount.unit, lock };
        const lockedHolding = world.put({ template: 'Holding', ...coin });
        const terms = { sender: alice, receiver: bob, amount: unit, requestedAt: world.now, meta: {} };
        const transfer = { ...terms, executeBefore: expiresAt };
        return {
          type: 'AcceptOffer',
          instruction: world.put({ template: 'TransferInstruction', transfer, lockedHolding }),
        };
      },
      bob,
    ],
    [
      'the completion of a wallet offer',
      (world, coin) => {
        const terms = { sender: alice, receiver: bob, amount: unit, unit: 'coin', trackingId: 'rent' } as const;
        const offer: Command = { type: 'CreateWalletOffer', ...terms, description: '', expiresAt };
        const { detail } = world.accepted('WalletOfferCreated', offer, alice);
        const accept: Command = { type: 'AcceptWalletOffer', offer: detail.offer };
        const { accepted } = world.accepted('WalletOfferAccepted', accept, bob).detail;
        return { type: 'CompleteWalletOffer', accepted, walletProvider: provider, inputs: [coin] };
      },
      alice,
      provider,
    ],
    [
      'sending an order',
      (world, coin) => {
        world.submit({ type: 'CreateTransferCommandCounter', sender: alice }, dso);
        const terms = { sender: alice, receiver: bob, delegate: provider, amount: unit, expiresAt, nonce: 0 };
        const order: Command = { type: 'CreateTransferCommand', ...terms };
        const { command } = world.accepted('TransferCommandCreated', order, alice).detail;
        const preapproval = firstByKey(world.state, 'TransferPreapproval', `receiver:${bob}`)?.id ?? null;
        return { type: 'SendTransferCommand', command, inputs: [coin], preapproval };
      },
      provider,
    ],
  ])('%s is refused and changes nothing', (_, commandIn, ...actAs) => {
    const world = roundless();
    const times = { validFrom: world.now, lastRenewedAt: world.now, expiresAt };
    world.put({ template: 'TransferPreapproval', receiver: bob, provider, ...times });
    const coin = { amount: unit, createdAt: Round.of(0), ratePerRound: amount('0.0001'), lock: null };
    const id = world.put({ template: 'Holding', owner: alice, ...coin });
    world.refused('ROUND_NOT_OPEN', commandIn(world, id), ...actAs);
  });

  it('the registry of feeless-24h refuses transfers, although config states exist', () => {
    const world = worldOf({ profile: 'feeless-24h' });
    const inputs = [world.fund(alice, '2')];
    for (const { id } of openRoundsOf(world.state)) world.take(id);
    world.refused('ROUND_NOT_OPEN', { type: 'SelfTransfer', sender: alice, amount: unit, inputs }, alice);
  });

  it('liveness cannot be recorded, with or without a named round', () => {
    const world = roundless();
    world.submit({ type: 'GrantValidatorLicense', validator: alice, sponsor: bob }, dso);
    const record: Command = { type: 'RecordValidatorLivenessActivity', validator: alice };
    expect(world.refused('ROUND_NOT_OPEN', record, alice).opensAt).toBeNull();
    world.refused('CONTRACT_NOT_FOUND', { ...record, round: Round.of(0) }, alice);
  });

  it('the price of the next round, the time of its creation and the dust round are null in queries', () => {
    const { state } = roundless();
    expect([earliestAdvance(state), nextAmuletPrice(state), dustRoundOf(state)]).toEqual([null, null, null]);
    expect(dustRoundOf(roundless({ profile: 'feeless-24h' }).state)).toBeNull();
  });

  it('a super validator counts from round 0', () => {
    const world = roundless();
    const svs = [{ party: alice, name: 'A', rewardWeight: 1, participantId: 'PAR::a' }];
    const { created } = world.submit({ type: 'BootstrapDso', svs }, dso);
    expect(created).toContainEqual(expect.objectContaining({ svs: [{ ...svs[0], joinedAsOfRound: 0 }] }));
  });
});

describe('the three open rounds', () => {
  it('are archived only when one advance archives all three', () => {
    const world = worldOf();
    world.take(openRoundsOf(world.state)[2]!.id); // three are open
    expect(earliestAdvance(world.state)).toBeNull();
  });
});
