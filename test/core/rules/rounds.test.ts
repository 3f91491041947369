import {
  closableRounds,
  closedRounds,
  dustRoundOf,
  earliestAdvance,
  emptyLedger,
  genesis,
  genesisConfig,
  nextAmuletPrice,
  openRoundsOf,
  Round,
  summarizingRounds,
  type Command,
  type LedgerOptions,
} from '@coinlab/core';
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

describe('rounds that wait for the DSO', () => {
  it('come in ascending order, in whichever order they were made', () => {
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

  it('the registry of 24 hours refuses too, though its configuration states are there', () => {
    const world = worldOf({ profile: 'feeless-24h' });
    const inputs = [world.fund(alice, '2')];
    for (const { id } of openRoundsOf(world.state)) world.take(id);
    world.refused('ROUND_NOT_OPEN', { type: 'SelfTransfer', sender: alice, amount: unit, inputs }, alice);
  });

  it('no liveness can be recorded, whether a round is named or not', () => {
    const world = roundless();
    world.submit({ type: 'GrantValidatorLicense', validator: alice, sponsor: bob }, dso);
    const record: Command = { type: 'RecordValidatorLivenessActivity', validator: alice };
    expect(world.refused('ROUND_NOT_OPEN', record, alice).opensAt).toBeNull();
    world.refused('CONTRACT_NOT_FOUND', { ...record, round: Round.of(0) }, alice);
  });

  it('nothing is known of the next round, its price or dust', () => {
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
  it('advance only together', () => {
    const world = worldOf();
    world.take(openRoundsOf(world.state)[2]!.id); // three are open
    expect(earliestAdvance(world.state)).toBeNull();
  });
});
