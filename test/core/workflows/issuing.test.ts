import {
  Amount,
  genesisConfig,
  GENESIS_TIME,
  Instant,
  Round,
  type Command,
  type PartyId,
  type ProfileName,
} from '@coinlab/core';
import { allOf, firstByKey, roundStandingOf } from '@coinlab/core/views';
import {
  closableRounds,
  closedRounds,
  convertibleMarkers,
  mintableCouponsOf,
  summarizingRounds,
} from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, provider, tickOf, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const zero = Round.of(0);
const start: Command = { type: 'StartIssuing', round: zero };
const close: Command = { type: 'CloseRound', round: zero };
const archive: Command = { type: 'ArchiveClosedRound', round: zero };

/** Seconds since the genesis. */
function clock(at: Instant): number {
  return Number((at - GENESIS_TIME) / 1_000_000n);
}

/** Puts coupons of round 0 with the totals of the first worked vector. */
function recordVector(world: World): void {
  const put = world.put.bind(world);
  put({ template: 'ValidatorRewardCoupon', user: alice, amount: amount('400'), round: zero });
  put({ template: 'ValidatorRewardCoupon', user: bob, amount: amount('600'), round: zero });
  const app = { template: 'AppRewardCoupon', provider, beneficiary: null, round: zero } as const;
  put({ ...app, featured: true, amount: amount('500') });
  put({ ...app, featured: false, amount: amount('200') });
  put({ template: 'SvRewardCoupon', sv: carol, beneficiary: carol, weight: 100, round: zero });
  for (let i = 0; i < 9; i++) put({ template: 'ValidatorLivenessActivityRecord', validator: alice, round: zero });
  put({ template: 'ValidatorFaucetCoupon', validator: bob, round: zero });
  // Of another round: not counted.
  put({ template: 'ValidatorRewardCoupon', user: alice, amount: amount('7'), round: Round.of(1) });
}

/** The first vector's network; round 0 is summarizing at 600 s. */
function summarizing(profile: ProfileName = 'feeless'): World {
  const [first, ...later] = genesisConfig(profile).issuanceCurve;
  const issuanceCurve = first
    ? [{ ...first, issuance: { ...first.issuance, developmentFundPercentage: Amount.zero } }, ...later]
    : [];
  const world = worldOf({ profile, config: { issuanceCurve } });
  recordVector(world);
  world.advanceRounds();
  return world;
}

function issuing(): World {
  const world = summarizing();
  world.submit(start, dso);
  return world;
}

function closed(): World {
  const world = issuing().at('2026-01-01T00:40:00Z');
  world.submit(close, dso);
  return world;
}

describe('a summarizing round', () => {
  it.each<ProfileName>(['legacy-fees', 'feeless', 'feeless-24h'])(
    'issues the payouts that follow from its totals, in the profile %s',
    (name) => {
      const world = summarizing(name);
      expect(summarizingRounds(world.state).map(({ round }) => round)).toEqual([0]);
      const { detail } = world.accepted('IssuingStarted', start, dso);
      expect(detail).toMatchObject({
        minted: 0n,
        burned: 0n,
        totals: {
          validatorRewards: amount('1000'),
          featuredAppRewards: amount('500'),
          unfeaturedAppRewards: amount('200'),
          svWeight: 100,
          livenessRecords: 10,
        },
        toIssue: amount('761035.0076103501'),
        developmentFund: 0n,
      });
      expect(firstByKey(world.state, 'IssuingMiningRound', 'round:0')).toMatchObject({
        perValidatorRewardCoupon: amount('0.2'),
        perFeaturedAppRewardCoupon: amount('100'),
        perUnfeaturedAppRewardCoupon: amount('0.6'),
        perSvRewardCoupon: amount('6088.2800608828'),
        perValidatorFaucetCoupon: amount('570'),
      });
      expect(summarizingRounds(world.state)).toEqual([]);
    },
  );

  it('puts unclaimable coin into one UnclaimedReward', () => {
    const world = issuing();
    expect([...allOf(world.state, 'UnclaimedReward')].map(({ amount: value }) => Amount.short(value))).toEqual([
      // 32151.7503805175 of the validators, 64035.2511415525 of the apps, 0.0000000001 of the super validators
      '96187.0015220701',
    ]);
    expect([...allOf(world.state, 'UnclaimedDevelopmentFundCoupon')]).toEqual([]);
  });

  it('puts the share of the development fund into the fund', () => {
    const world = worldOf();
    world.advanceRounds();
    world.submit(start, dso);
    expect([...allOf(world.state, 'UnclaimedDevelopmentFundCoupon')]).toMatchObject([{ amount: 380517503805175n }]);
  });

  it('has no development fund share in the legacy profile', () => {
    const world = worldOf({ profile: 'legacy-fees' });
    world.advanceRounds();
    expect(world.accepted('IssuingStarted', start, dso).detail.developmentFund).toBe(0n);
  });

  it('opens for minting a tick later, for two ticks', () => {
    const world = issuing();
    const round = firstByKey(world.state, 'IssuingMiningRound', 'round:0');
    expect(clock(world.now)).toBe(600);
    expect(round && [round.opensAt, round.targetClosesAt].map(clock)).toEqual([1200, 2400]);
  });
});

describe('an issuing round', () => {
  it('pays the coupons of its round in full when the wallet merges them', () => {
    const world = issuing().at('2026-01-01T00:20:00Z');
    const coupons = [...allOf(world.state, 'AppRewardCoupon')].map(({ id }) => id);
    const { detail } = world.accepted(
      'HoldingsMerged',
      { type: 'MergeHoldings', owner: provider, inputs: coupons },
      provider,
    );
    expect(detail).toMatchObject({ minted: amount('50120'), burned: 0n, rewards: { appRewards: amount('50120') } });
    expect(world.coinsOf(provider)).toEqual(['50120.0']);
  });

  it('pays a liveness record and a faucet coupon the same amount', () => {
    const world = issuing().at('2026-01-01T00:20:00Z');
    for (const [validator, minted] of [
      [alice, '5130'],
      [bob, '570'],
    ] as const) {
      const records = [
        ...allOf(world.state, 'ValidatorLivenessActivityRecord'),
        ...allOf(world.state, 'ValidatorFaucetCoupon'),
      ].filter((coupon) => coupon.validator === validator);
      const command: Command = { type: 'MergeHoldings', owner: validator, inputs: records.map(({ id }) => id) };
      const { detail } = world.accepted('HoldingsMerged', command, validator);
      expect(detail).toMatchObject({ minted: amount(minted), rewards: { faucetRewards: amount(minted) } });
    }
  });

  it('reports minted coupons in the update, also when their payout is zero', () => {
    const world = worldOf();
    const inputs = [
      world.put({
        template: 'AppRewardCoupon',
        provider,
        featured: true,
        amount: Amount.unit,
        beneficiary: null,
        round: zero,
      }),
    ];
    const figures = { perValidatorRewardCoupon: 0n, perFeaturedAppRewardCoupon: 0n, perUnfeaturedAppRewardCoupon: 0n };
    world.put({
      template: 'IssuingMiningRound',
      round: zero,
      opensAt: world.now,
      targetClosesAt: world.now,
      ...(figures as Record<keyof typeof figures, Amount>),
      perSvRewardCoupon: Amount.zero,
      perValidatorFaucetCoupon: Amount.zero,
    });
    const { detail } = world.accepted('HoldingsMerged', { type: 'MergeHoldings', owner: provider, inputs }, provider);
    expect(detail).toMatchObject({ minted: 0n, change: null, rewards: { appRewards: 0n } });
  });

  it('pays no coupon before it opens or after it is closed', () => {
    const world = issuing();
    const coupon = [...allOf(world.state, 'AppRewardCoupon')][0]?.id;
    if (coupon === undefined) throw new Error('the provider has a coupon');
    const mint: Command = { type: 'MergeHoldings', owner: provider, inputs: [coupon] };
    const opensAt = Instant.of('2026-01-01T00:20:00Z');
    expect(world.at(tickOf(opensAt, -1)).refused('ROUND_NOT_ISSUING', mint, provider).opensAt).toBe(opensAt);
    world.at('2026-01-01T00:40:00Z').submit(close, dso);
    expect(world.refused('ROUND_NOT_ISSUING', mint, provider).opensAt).toBeNull();
  });

  it('pays coupons after its target close until it is closed', () => {
    const world = issuing().at('2026-01-01T10:00:00Z');
    const [coupon] = allOf(world.state, 'SvRewardCoupon');
    const mint: Command = { type: 'MergeHoldings', owner: carol, inputs: coupon ? [coupon.id] : [] };
    expect(world.accepted('HoldingsMerged', mint, carol).detail.minted).toBe(amount('608828.00608828'));
  });

  it('can be closed from its target close on, with its figures unchanged', () => {
    const world = issuing().at('2026-01-01T00:40:00Z');
    expect(closableRounds(world.state, tickOf(world.now, -1))).toEqual([]);
    expect(closableRounds(world.state, world.now).map(({ round }) => round)).toEqual([0]);
    const { created } = world.accepted('RoundClosed', close, dso);
    expect(created).toMatchObject([
      { template: 'ClosedMiningRound', round: 0, perSvRewardCoupon: amount('6088.2800608828') },
    ]);
    expect(closableRounds(world.state, world.now)).toEqual([]);
  });
});

describe('a closed round', () => {
  it('is archived once none of its coupons is active', () => {
    const world = worldOf();
    world.advanceRounds();
    world.submit(start, dso);
    world.at('2026-01-01T00:40:00Z').submit(close, dso);
    expect(closedRounds(world.state).map(({ round }) => round)).toEqual([0]);
    world.accepted('RoundArchived', archive, dso);
    expect(roundStandingOf(world.state, zero, world.now)).toBeNull();
  });

  it('is not archived while an unexpired coupon is active', () => {
    const world = closed();
    const { coupon } = world.refused('ROUND_NOT_EMPTY', archive, dso);
    expect(coupon).toBe([...allOf(world.state, 'ValidatorRewardCoupon')][0]?.id);
  });
});

describe('a reward', () => {
  it.each<ProfileName>(['feeless', 'feeless-24h'])(
    'is earned by a preapproved transfer and minted as coin, in the profile %s',
    (profile) => {
      const world = worldOf({ profile, amuletPrice: amount('0.15') });
      world.submit({ type: 'GrantFeaturedAppRight', provider }, dso);
      const expiresAt = Instant.of('2027-01-01T00:00:00Z');
      const times = { validFrom: world.now, lastRenewedAt: world.now, expiresAt };
      world.put({ template: 'TransferPreapproval', receiver: bob, provider, ...times });
      const inputs = [world.fund(alice, '10')];
      world.submit({ type: 'DirectTransfer', sender: alice, receiver: bob, amount: amount('10'), inputs }, alice);
      const markers = convertibleMarkers(world.state).map(({ id }) => id);
      expect(markers).toHaveLength(profile === 'feeless-24h' ? 1 : 0);
      if (markers.length > 0) world.submit({ type: 'ConvertActivityMarkers', markers }, dso);
      expect([...allOf(world.state, 'AppRewardCoupon')]).toMatchObject([{ round: 1, amount: amount('6.6666666667') }]);

      world.advanceRounds(2);
      world.submit({ type: 'StartIssuing', round: Round.of(1) }, dso);
      world.wait(600);
      const [mintable] = mintableCouponsOf(world.state, provider, world.now);
      expect(mintable?.payout).toBe(amount('666.66666667'));
      const minted: Command = { type: 'MergeHoldings', owner: provider, inputs: mintable ? [mintable.coupon.id] : [] };
      world.submit(minted, provider);
      expect(world.coinsOf(provider)).toEqual(['666.66666667']);

      world.wait(1200).submit({ type: 'CloseRound', round: Round.of(1) }, dso);
      world.submit({ type: 'ArchiveClosedRound', round: Round.of(1) }, dso);
    },
  );
});

describe('the phases of a round', () => {
  it('follow one another, each as one contract', () => {
    const world = summarizing();
    const phase = (): string | undefined => roundStandingOf(world.state, zero, world.now)?.phase;
    const phases = [phase()];
    world.submit(start, dso);
    phases.push(phase());
    world.at('2026-01-01T00:40:00Z').submit(close, dso);
    phases.push(phase());
    expect(phases).toEqual(['summarizing', 'issuing', 'closed']);
    for (const command of [start, close]) world.refused('CONTRACT_NOT_FOUND', command, dso);
  });
});

interface Plan {
  readonly actAs: PartyId;
  readonly round: Round;
  readonly at: string;
}

const good: Plan = { actAs: dso, round: zero, at: '2026-01-01T00:40:00Z' };
const commands = { StartIssuing: summarizing, CloseRound: issuing, ArchiveClosedRound: closed } as const;

describe.each(Object.keys(commands) as (keyof typeof commands)[])('the command %s', (type) => {
  precedence<Plan>(
    good,
    [
      ['NOT_AUTHORISED', { actAs: alice }],
      ['CONTRACT_NOT_FOUND', { round: Round.of(9) }],
      ...(type === 'CloseRound' ? ([['DEADLINE_NOT_REACHED', { at: '2026-01-01T00:39:59Z' }]] as const) : []),
      ...(type === 'ArchiveClosedRound' ? ([['ROUND_NOT_EMPTY', {}]] as const) : []),
    ],
    (code, { actAs, round, at }) => {
      const world = commands[type]();
      world.at(type === 'CloseRound' ? at : world.now).refused(code, { type, round }, actAs);
    },
  );
});

describe('the totals of a round', () => {
  it.each([
    ['1.0000000013', '0.2000000002'],
    ['0.000001', '0.2'],
    ['0.0000000013', '0.3333333333'],
  ])('with %s validator rewards pay %s each, to the last digit of the formula', (value, figure) => {
    const world = worldOf();
    world.put({ template: 'ValidatorRewardCoupon', user: alice, amount: amount(value), round: zero });
    world.advanceRounds();
    world.submit(start, dso);
    const round = firstByKey(world.state, 'IssuingMiningRound', 'round:0');
    expect(round && Amount.short(round.perValidatorRewardCoupon)).toBe(figure);
  });

  it('are refused above 38 digits', () => {
    const world = worldOf();
    for (let i = 0; i < 2; i++)
      world.put({ template: 'ValidatorRewardCoupon', user: alice, amount: Amount.max, round: zero });
    world.advanceRounds();
    expect(world.refused('INVALID_DECIMAL', start, dso).units).toBe(2n * Amount.max);
  });

  it('are refused when the super validators’ weights exceed the safe integers', () => {
    const world = worldOf();
    for (const weight of [Number.MAX_SAFE_INTEGER, 1])
      world.put({ template: 'SvRewardCoupon', sv: alice, beneficiary: alice, round: zero, weight });
    world.advanceRounds();
    expect(world.refused('INVALID_DECIMAL', start, dso).field).toBe('reward weight of the round');
  });
});
