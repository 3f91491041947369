import { allOf } from '@coinlab/core/views';
import { Round, type Command, type PartyId, type ProfileName } from '@coinlab/core';
import { roundToCollect, svRewardStateOf } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, dso, second, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const sv = carol;

interface Share {
  readonly beneficiary: PartyId;
  readonly weight: number;
}

const shares: readonly Share[] = [
  { beneficiary: sv, weight: 7 },
  { beneficiary: alice, weight: 3 },
];

/** A network with one super validator, whose reward weight is 10. */
function founded(profile: ProfileName = 'feeless', initialRound = 0): World {
  const world = worldOf({ profile, initialRound: Round.of(initialRound) });
  const founder = { party: sv, name: 'SV', rewardWeight: 10, participantId: 'PAR::sv' };
  world.submit({ type: 'BootstrapDso', svs: [founder] }, dso);
  return world;
}

function receive(round?: number, beneficiaries: readonly Share[] = shares): Command {
  const command = { type: 'ReceiveSvRewardCoupon', sv, beneficiaries } as const;
  return round === undefined ? command : { ...command, round: Round.of(round) };
}

describe('the reward of a super validator', () => {
  it.each<ProfileName>(['legacy-fees', 'feeless', 'feeless-24h'])(
    'is one coupon per beneficiary, in the profile %s',
    (name) => {
      const world = founded(name);
      const { detail } = world.accepted('SvRewardCouponsReceived', receive(0), sv);
      expect(detail).toMatchObject({ sv, round: 0, missed: 0, minted: 0n, burned: 0n });
      expect([...allOf(world.state, 'SvRewardCoupon')]).toMatchObject([
        { sv, beneficiary: sv, weight: 7, round: 0 },
        { sv, beneficiary: alice, weight: 3, round: 0 },
      ]);
      expect(svRewardStateOf(world.state, sv)).toMatchObject({
        lastRoundCollected: 0,
        roundsCollected: 1,
        roundsMissed: 0,
        couponsIssued: 2,
      });
    },
  );

  it('is collected at most once per round, and never for an earlier round', () => {
    const world = founded();
    world.submit(receive(1), sv);
    world.refused('ALREADY_EXISTS', receive(1), sv);
    world.refused('ALREADY_EXISTS', receive(0), sv);
  });

  it('is collected in the newest usable round when the command names none', () => {
    expect(founded().accepted('SvRewardCouponsReceived', receive(), sv).detail.round).toBe(1);
  });

  it('counts missed rounds from the round in which the super validator joined', () => {
    const world = founded('feeless', 40);
    world.advanceRounds(3);
    // It joined in round 40; 40 to 43 are missed.
    expect(world.accepted('SvRewardCouponsReceived', receive(44), sv).detail.missed).toBe(4);
    world.advanceRounds(2);
    world.submit(receive(45), sv);
    expect(svRewardStateOf(world.state, sv)).toMatchObject({
      lastRoundCollected: 45,
      roundsCollected: 2,
      roundsMissed: 4,
      couponsIssued: 4,
    });
    expect([...allOf(world.state, 'SvRewardState')]).toHaveLength(1);
  });

  it('is due in the usable round that opened first among those not yet collected', () => {
    const world = founded();
    const due = (of: PartyId = sv): number | null => roundToCollect(world.state, of, world.now);
    expect(due()).toBe(0);
    world.submit(receive(0), sv);
    expect(due()).toBe(1);
    world.submit(receive(1), sv);
    expect(due()).toBeNull();
    expect(due(alice)).toBeNull();
    expect(roundToCollect(worldOf().state, sv, world.now)).toBeNull();
  });

  it('is refused before the DSO is bootstrapped', () => {
    worldOf().refused('NOT_BOOTSTRAPPED', receive(), sv);
  });
});

describe('ReceiveSvRewardCoupon', () => {
  interface Plan {
    readonly actAs: PartyId;
    readonly sv: PartyId;
    readonly round: number;
    readonly beneficiaries: readonly Share[];
  }
  const twice = [
    { beneficiary: bob, weight: 9 },
    { beneficiary: bob, weight: 2 },
  ];
  precedence<Plan>(
    { actAs: sv, sv, round: 1, beneficiaries: shares },
    [
      ['NOT_AUTHORISED', { actAs: dso, sv: alice }],
      ['GROUP_MISMATCH', { actAs: alice, sv: alice }],
      ['CONTRACT_NOT_FOUND', { round: 9 }],
      ['ROUND_NOT_OPEN', { round: 2 }],
      ['ALREADY_EXISTS', { round: 0 }],
      ['INVALID_ARGUMENT', { beneficiaries: [{ beneficiary: bob, weight: 0 }] }, 'a weight of zero'],
      ['INVALID_ARGUMENT', { beneficiaries: twice }, 'a beneficiary twice'],
      ['INVALID_ARGUMENT', { beneficiaries: [{ beneficiary: bob, weight: 9 }] }, 'too little'],
    ],
    (code, { actAs, round, ...fields }) => {
      const world = founded();
      world.submit(receive(0), sv);
      const rejection = world.refused(
        code,
        { type: 'ReceiveSvRewardCoupon', ...fields, round: Round.of(round) },
        actAs,
      );
      if (rejection.code === 'ROUND_NOT_OPEN') expect(rejection.opensAt).toBe(second(600));
    },
  );
});
