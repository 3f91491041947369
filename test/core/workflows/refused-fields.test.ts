import {
  Amount,
  Duration,
  emptyLedger,
  genesis,
  genesisConfig,
  Instant,
  Round,
  type Command,
  type LedgerOptions,
  type PartyId,
  type Rejection,
} from '@coinlab/core';
import { ANS_CONFIG, DSO_CONFIG } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, dso, provider, second, worldOf, type World } from '../ledger-fixture.ts';

/*
 * A table of precedence commits every fault below a row too, so that it cannot tell two rows of one code apart. Here each field is
 * wrong alone, just beyond its bound, and right at the bound.
 */
const memberId = 'PAR::alice::1220ab';
const share = { beneficiary: alice, weight: Amount.one };
const sv = { party: bob, name: 'SV', rewardWeight: 10, participantId: 'PAR::sv' };

function founded(): World {
  const world = worldOf();
  world.submit({ type: 'BootstrapDso', svs: [sv] }, dso);
  world.put({ template: 'FeaturedAppRight', provider });
  world.submit({ type: 'GrantValidatorLicense', validator: alice, sponsor: bob }, dso);
  return world;
}

const marker = (weight: string): Command => ({
  type: 'CreateActivityMarker',
  provider,
  beneficiaries: [share],
  weight: amount(weight),
});
const rewarded = (...weights: readonly (readonly [PartyId, number])[]): Command => ({
  type: 'ReceiveSvRewardCoupon',
  sv: bob,
  beneficiaries: weights.map(([beneficiary, weight]) => ({ beneficiary, weight })),
});
const requested = (trafficBytes: number, migrationId = 0): Command => ({
  type: 'CreateTrafficRequest',
  endUser: alice,
  memberId,
  migrationId,
  trafficBytes,
  trackingId: 'traffic-1',
  expiresAt: second(60),
});
const consumed = (bytes: number, migrationId = 0): Command => ({
  type: 'ConsumeTraffic',
  memberId,
  migrationId,
  bytes,
});
const metadata = (version: string, contactPoint: string): Command => ({
  type: 'UpdateLicenseMetadata',
  validator: alice,
  version,
  contactPoint,
});

describe('a field with a bound', () => {
  it.each<[what: string, field: string, wrong: Command, right: Command, ...by: PartyId[]]>([
    ['a marker of less than one', 'weight', marker('0.9999999999'), marker('1'), provider],
    ['a marker of more than ten thousand', 'weight', marker('10000.0000000001'), marker('10000'), provider],
    ['a share of nothing', 'beneficiaries', rewarded([bob, 10], [alice, 0]), rewarded([bob, 9], [alice, 1]), bob],
    ['a share below nothing', 'beneficiaries', rewarded([bob, 11], [alice, -1]), rewarded([bob, 10]), bob],
    ['a share twice', 'beneficiaries', rewarded([bob, 5], [bob, 5]), rewarded([bob, 5], [alice, 5]), bob],
    ['a request of no bytes', 'trafficBytes', requested(0), requested(1), alice],
    ['a request for a migration below 0', 'migrationId', requested(1, -1), requested(1, 0), alice],
    ['a message of no bytes', 'bytes', consumed(0), consumed(1), dso],
    ['a message for a migration below 0', 'migrationId', consumed(1, -1), consumed(1, 0), dso],
    ['a version that is long', 'version', metadata('x'.repeat(256), 'mail'), metadata('x'.repeat(255), 'mail'), alice],
  ])('is refused beyond the bound and accepted at it: %s (%s)', (_, field, wrong, right, ...actAs) => {
    const world = founded();
    expect(world.refused('INVALID_ARGUMENT', wrong, ...actAs).field).toBe(field);
    world.submit(right, ...actAs);
  });

  it('metadata of a license are accepted with one changed field and refused with none', () => {
    const world = founded();
    world.submit(metadata('1', 'mail'), alice);
    world.wait(3600);
    world.refused('INVALID_ARGUMENT', metadata('1', 'mail'), alice);
    world.submit(metadata('1', 'phone'), alice);
    world.wait(3600);
    world.submit(metadata('2', 'phone'), alice);
  });
});

describe('the start of a network', () => {
  /** The rejection of the first refused command of a genesis. */
  function heard(options: LedgerOptions, change: (command: Command) => Command): Rejection | null {
    let ledger = emptyLedger();
    for (const { command, context } of genesis(options)) {
      const result = ledger.submit(change(command), context);
      if (!result.ok) return result.error;
      ledger = result.value.ledger;
    }
    return null;
  }
  const bootstrapped = (fields: object): Rejection | null =>
    heard({}, (command) => (command.type === 'BootstrapRounds' ? { ...command, ...fields } : command));
  const tick = genesisConfig('feeless').tickDuration;

  it('refuses a first round that is shorter than a tick', () => {
    expect(bootstrapped({ round0Duration: tick })).toBeNull();
    expect(bootstrapped({ round0Duration: Duration.ofMicros(tick - 1n) })).toMatchObject({ field: 'round0Duration' });
  });

  it('refuses a price of zero', () => {
    expect(bootstrapped({ amuletPrice: Amount.unit })).toBeNull();
    expect(bootstrapped({ amuletPrice: Amount.zero })?.code).toBe('NON_POSITIVE_AMOUNT');
    const world = worldOf().at(second(1200));
    world.refused('NON_POSITIVE_AMOUNT', { type: 'AdvanceOpenRounds', amuletPrice: Amount.zero }, dso);
    world.submit({ type: 'AdvanceOpenRounds', amuletPrice: Amount.unit }, dso);
  });

  it('refuses a first round at which the network’s age exceeds half the longest duration', () => {
    const latest = Number(Duration.longest / 2n / tick) - 2;
    expect(bootstrapped({ initialRound: Round.of(latest) })).toBeNull();
    expect(bootstrapped({ initialRound: Round.of(latest + 1) })).toMatchObject({ field: 'initialRound' });
  });

  it('refuses a seed outside 0 to 4294967295', () => {
    const opened = (seed: number): Rejection | null =>
      heard({}, (command) => (command.type === 'OpenLedger' ? { ...command, seed } : command));
    for (const seed of [0, 0xffff_ffff]) expect(opened(seed)).toBeNull();
    for (const seed of [-1, 0x1_0000_0000, 0.5]) expect(opened(seed)).toMatchObject({ field: 'seed' });
  });

  it('refuses a merge threshold or an entry fee of zero', () => {
    const config = { ...DSO_CONFIG, mergeUnclaimedRewardsAbove: 0 };
    const ansConfig = { ...ANS_CONFIG, entryFeeUsd: Amount.zero };
    for (const wrong of [{ config }, { ansConfig }, { config, ansConfig }])
      worldOf().refused('INVALID_ARGUMENT', { type: 'BootstrapDso', svs: [sv], ...wrong }, dso);
    worldOf().submit({ type: 'BootstrapDso', svs: [sv], config: DSO_CONFIG, ansConfig: ANS_CONFIG }, dso);
  });
});

describe('a vote on an action with its own effective time', () => {
  it('is accepted when the action takes effect at the end of voting, and refused when earlier', () => {
    const world = founded();
    const voteBefore = second(3600);
    const request = (targetEffectiveAt: Instant): Command => ({
      type: 'RequestVote',
      requester: bob,
      action: { type: 'GrantFeaturedAppRight', provider: alice },
      reason: { url: '', body: 'asked' },
      voteBefore,
      targetEffectiveAt,
    });
    const early = request(Instant.ofMicros(voteBefore - 1n));
    expect(world.refused('INVALID_ARGUMENT', early, bob).field).toBe('targetEffectiveAt');
    expect(world.accepted('VoteRequested', request(voteBefore), bob).detail.accept).toBe(true);
  });
});
