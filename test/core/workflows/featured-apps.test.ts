import { allOf, countByKey } from '@coinlab/core/views';
import {
  Amount,
  genesisConfig,
  Round,
  type Command,
  type ContractId,
  type PartyId,
  type ProfileName,
} from '@coinlab/core';
import { convertibleMarkers, featuredRightOf, type Beneficiary } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, provider, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const nowhere = 999_999 as ContractId;
const grant: Command = { type: 'GrantFeaturedAppRight', provider };

/** A network at 0.15 USD with a featured provider. */
function featuredWorld(profile: ProfileName = 'feeless'): World {
  const world = worldOf({ profile, amuletPrice: amount('0.15') });
  world.submit(grant, dso);
  return world;
}

function share(beneficiary: PartyId, weight: string): Beneficiary {
  return { beneficiary, weight: amount(weight) };
}

function mark(beneficiaries: readonly Beneficiary[], weight?: string): Command {
  const command = { type: 'CreateActivityMarker', provider, beneficiaries } as const;
  return weight === undefined ? command : { ...command, weight: amount(weight) };
}

function marked(world: World): readonly (readonly [PartyId, string])[] {
  return [...allOf(world.state, 'FeaturedAppActivityMarker')].map(
    ({ beneficiary, weight }) => [beneficiary, Amount.short(weight)] as const,
  );
}

function convert(world: World, round?: number): Command {
  const markers = convertibleMarkers(world.state).map(({ id }) => id);
  return { type: 'ConvertActivityMarkers', markers, ...(round === undefined ? {} : { round: Round.of(round) }) };
}

function coupons(world: World): readonly object[] {
  return [...allOf(world.state, 'AppRewardCoupon')].map(
    ({ provider: by, beneficiary, featured, amount: value, round }) => ({
      provider: by,
      beneficiary,
      featured,
      amount: value,
      round,
    }),
  );
}

describe('a featured app right', () => {
  it('is granted by the DSO, once per provider', () => {
    const world = featuredWorld();
    const right = featuredRightOf(world.state, provider);
    expect(right?.provider).toBe(provider);
    expect(world.refused('ALREADY_EXISTS', grant, dso).contract).toBe(right?.id);
  });

  it.each([provider, dso])('is found by its provider, also if the DSO is the provider: %s', (holder) => {
    const world = worldOf();
    const own: Command = { type: 'GrantFeaturedAppRight', provider: holder };
    const { right } = world.accepted('FeaturedAppRightGranted', own, dso).detail;
    expect(featuredRightOf(world.state, holder)?.id).toBe(right);
    expect(countByKey(world.state, 'FeaturedAppRight', holder)).toBe(1);
    expect(world.refused('ALREADY_EXISTS', own, dso).contract).toBe(right);
    const marks: Command = { type: 'CreateActivityMarker', provider: holder, beneficiaries: [share(alice, '1')] };
    world.accepted('ActivityMarkersCreated', marks, holder);
    world.submit({ type: 'CancelFeaturedAppRight', right }, holder);
    expect(featuredRightOf(world.state, holder)).toBeNull();
    expect(countByKey(world.state, 'FeaturedAppRight', holder)).toBe(0);
  });

  it('is granted by the provider itself, on a DevNet only', () => {
    const take: Command = { type: 'SelfGrantFeaturedAppRight', provider };
    const world = worldOf();
    world.accepted('FeaturedAppRightGranted', take, provider);
    expect(featuredRightOf(world.state, provider)).not.toBeNull();
    worldOf({ isDevNet: false }).refused('DEVNET_ONLY', take, provider);
  });

  it('is withdrawn by the DSO or cancelled by the provider', () => {
    const world = featuredWorld();
    const right = (): ContractId => featuredRightOf(world.state, provider)?.id ?? nowhere;
    const withdraw: Command = { type: 'WithdrawFeaturedAppRight', right: right(), reason: 'gone' };
    expect(world.accepted('FeaturedAppRightWithdrawn', withdraw, dso).detail).toMatchObject({ reason: 'gone' });
    expect(featuredRightOf(world.state, provider)).toBeNull();
    world.submit(grant, dso);
    world.accepted('FeaturedAppRightCancelled', { type: 'CancelFeaturedAppRight', right: right() }, provider);
    expect(featuredRightOf(world.state, provider)).toBeNull();
  });
});

describe('an activity marker', () => {
  it.each<ProfileName>(['legacy-fees', 'feeless', 'feeless-24h'])(
    'is created for each beneficiary, in the profile %s',
    (name) => {
      const world = featuredWorld(name);
      const { detail } = world.accepted(
        'ActivityMarkersCreated',
        mark([share(alice, '0.25'), share(bob, '0.5'), share(alice, '0.25')]),
        provider,
      );
      expect(detail.markers).toHaveLength(2);
      expect(marked(world)).toEqual([
        [alice, '0.5'],
        [bob, '0.5'],
      ]);
    },
  );

  it('has an overall weight up to ten thousand', () => {
    const world = featuredWorld();
    world.submit(mark([share(alice, '0.25'), share(bob, '0.75')], '10000'), provider);
    expect(marked(world)).toEqual([
      [alice, '2500.0'],
      [bob, '7500.0'],
    ]);
  });
});

describe('the conversion of markers', () => {
  it('gives each beneficiary one coupon with the total worth of its markers', () => {
    const world = featuredWorld();
    world.submit(mark([share(provider, '1')]), provider);
    world.submit(mark([share(alice, '0.5'), share(provider, '0.5')]), provider);
    const { detail } = world.accepted('ActivityMarkersConverted', convert(world), dso);
    expect(detail).toMatchObject({ round: 1, markers: 3, minted: 0n, burned: 0n });
    expect(marked(world)).toEqual([]);
    // 1 USD at 0.15 is 6.6666666667 coin.
    const coupon = { provider, featured: true, round: 1 };
    expect(coupons(world)).toEqual([
      { ...coupon, beneficiary: null, amount: amount('10') },
      { ...coupon, beneficiary: alice, amount: amount('3.3333333334') },
    ]);
  });

  it('gives 6.6666666667 coin per marker at 0.15 USD, in the named round', () => {
    const world = featuredWorld();
    world.submit(mark([share(alice, '1')]), provider);
    world.submit(convert(world, 0), dso);
    expect(coupons(world)).toMatchObject([{ amount: amount('6.6666666667'), round: 0 }]);
  });

  it.each([null, '0'])('archives markers without a coupon when their worth is configured as %s', (worth) => {
    const featuredAppActivityMarkerAmountUsd = worth === null ? null : amount(worth);
    const world = worldOf({ config: { ...genesisConfig('feeless'), featuredAppActivityMarkerAmountUsd } });
    world.submit(grant, dso);
    world.submit(mark([share(alice, '1')]), provider);
    expect(world.accepted('ActivityMarkersConverted', convert(world), dso).detail.coupons).toEqual([]);
    expect(marked(world)).toEqual([]);
    expect(coupons(world)).toEqual([]);
  });

  it('creates no coupon for markers worth zero', () => {
    const world = worldOf({ amuletPrice: Amount.of('1000000000') });
    world.submit(grant, dso);
    world.submit(mark([share(alice, '0.0000000001'), share(bob, '0.9999999999')]), provider);
    world.submit(convert(world), dso);
    expect(coupons(world)).toMatchObject([{ beneficiary: bob }]);
  });

  it('converts the oldest markers first, in batches', () => {
    const world = featuredWorld();
    for (const beneficiary of [alice, bob, carol]) world.submit(mark([share(beneficiary, '1')]), provider);
    expect(convertibleMarkers(world.state, 2).map(({ beneficiary }) => beneficiary)).toEqual([alice, bob]);
  });

  it('is refused when a coupon would be worth more than 38 digits', () => {
    const featuredAppActivityMarkerAmountUsd = amount('9999999999999999999999999999');
    const world = worldOf({ config: { ...genesisConfig('feeless'), featuredAppActivityMarkerAmountUsd } });
    world.submit(grant, dso);
    world.submit(mark([share(alice, '1')]), provider);
    world.refused('INVALID_DECIMAL', convert(world), dso);
  });
});

describe('CreateActivityMarker', () => {
  it('accepts twenty beneficiaries and refuses 21, or a weight above one', () => {
    const world = featuredWorld();
    const twenty = Array.from({ length: 20 }, () => share(alice, '0.05'));
    world.submit(mark(twenty), provider);
    const more = [...twenty.slice(1), share(alice, '0.04'), share(bob, '0.01')];
    expect(world.refused('INVALID_ARGUMENT', mark(more), provider).field).toBe('beneficiaries');
    // The share that cannot be is named, not the sum.
    const { value } = world.refused('INVALID_ARGUMENT', mark([share(alice, '0.5'), share(bob, '1.5')]), provider);
    expect(value).toBe(Amount.format(amount('1.5')));
  });

  interface Plan {
    readonly actAs: PartyId;
    readonly withRight: boolean;
    readonly weight: string;
    readonly beneficiaries: readonly Beneficiary[];
  }
  const whole = [share(alice, '1')];
  const many = Array.from({ length: 21 }, () => share(alice, '0.9'));
  precedence<Plan>(
    { actAs: provider, withRight: true, weight: '1', beneficiaries: whole },
    [
      ['NOT_AUTHORISED', { actAs: dso }],
      ['CONTRACT_NOT_FOUND', { withRight: false }],
      ['INVALID_ARGUMENT', { weight: '0.9999999999' }, 'too light'],
      ['INVALID_ARGUMENT', { weight: '10000.0000000001' }, 'too heavy'],
      ['INVALID_ARGUMENT', { beneficiaries: many }, 'too many'],
      ['INVALID_ARGUMENT', { beneficiaries: [share(alice, '0'), share(bob, '1')] }, 'a weight of zero'],
      ['INVALID_ARGUMENT', { beneficiaries: [share(alice, '0.5')] }, 'a part is missing'],
      ['INVALID_ARGUMENT', { beneficiaries: [] }, 'no beneficiary'],
    ],
    (code, { actAs, withRight, weight, beneficiaries }) => {
      const world = withRight ? featuredWorld() : worldOf();
      world.refused(code, mark(beneficiaries, weight), actAs);
    },
  );
});

describe.each(['WithdrawFeaturedAppRight', 'CancelFeaturedAppRight'] as const)('the command %s', (type) => {
  interface Plan {
    readonly actAs: PartyId;
    readonly right: ContractId | null;
  }
  precedence<Plan>(
    { actAs: type === 'CancelFeaturedAppRight' ? provider : dso, right: null },
    [
      ['CONTRACT_NOT_FOUND', { right: nowhere }],
      ['NOT_AUTHORISED', { actAs: type === 'CancelFeaturedAppRight' ? dso : provider }],
    ],
    (code, { actAs, right }) => {
      const world = featuredWorld();
      const id = right ?? featuredRightOf(world.state, provider)?.id ?? nowhere;
      const command: Command =
        type === 'CancelFeaturedAppRight' ? { type, right: id } : { type, right: id, reason: '' };
      world.refused(code, command, actAs);
    },
  );
});

describe.each([
  ['GrantFeaturedAppRight', dso, alice],
  ['SelfGrantFeaturedAppRight', provider, dso],
] as const)('the command %s', (type, actor, other) => {
  interface Plan {
    readonly actAs: PartyId;
    readonly isDevNet: boolean;
  }
  precedence<Plan>(
    { actAs: actor, isDevNet: true },
    [
      ['NOT_AUTHORISED', { actAs: other }],
      ...(type === 'SelfGrantFeaturedAppRight' ? ([['DEVNET_ONLY', { isDevNet: false }]] as const) : []),
      ['ALREADY_EXISTS', {}],
    ],
    (code, { actAs, isDevNet }) => {
      const world = worldOf({ isDevNet });
      world.submit(grant, dso);
      world.refused(code, { type, provider }, actAs);
    },
  );
});

describe('ConvertActivityMarkers', () => {
  interface Plan {
    readonly actAs: PartyId;
    readonly markers: (world: World) => readonly ContractId[];
    readonly round: number;
  }
  const all = (world: World): readonly ContractId[] => convertibleMarkers(world.state).map(({ id }) => id);
  precedence<Plan>(
    { actAs: dso, markers: all, round: 1 },
    [
      ['NOT_AUTHORISED', { actAs: provider }],
      ['NO_INPUTS', { markers: () => [] }],
      ['CONTRACT_NOT_FOUND', { round: 9 }, 'no such round'],
      ['ROUND_NOT_OPEN', { round: 2 }],
      ['DUPLICATE_INPUT', { markers: (world) => [...all(world), ...all(world), nowhere] }],
      ['CONTRACT_NOT_FOUND', { markers: (world) => [...all(world), nowhere] }, 'no such marker'],
    ],
    (code, { actAs, markers, round }) => {
      const world = featuredWorld();
      world.submit(mark([share(alice, '1')]), provider);
      const command: Command = { type: 'ConvertActivityMarkers', markers: markers(world), round: Round.of(round) };
      world.refused(code, command, actAs);
    },
  );
});
