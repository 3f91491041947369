import { allOf, countOfTemplate, openRoundsOf, voteRequestOf } from '@coinlab/core/views';
import { ANS_CONFIG, DSO_CONFIG } from '@coinlab/core/rules';
import { DSO_DEFAULTS, dsoRoutines, type Policy } from '@coinlab/automation';
import type { ContractId, ProfileName, Round, TemplateName } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, provider, second, worldOf, type World } from '../core/ledger-fixture.ts';
import { appCoupons, found, settle } from './automation-fixture.ts';

const routines = dsoRoutines(DSO_DEFAULTS);

function routine(name: string): Policy {
  const policy = routines[name];
  if (!policy) throw new Error(`there is no routine ${name}`);
  return policy;
}

function count(world: World, template: Exclude<TemplateName, 'Holding'>): number {
  return countOfTemplate(world.state, template);
}

function rounds(world: World): readonly Round[] {
  return openRoundsOf(world.state).map(({ round }) => round);
}

describe("the DSO's automation", () => {
  it('advances the rounds five seconds after they may advance, at the median price', () => {
    const world = worldOf();
    found(world, carol);
    world.submit({ type: 'VoteAmuletPrice', sv: carol, amuletPrice: amount('0.7') }, carol);
    const advance = routine('advance rounds');
    world.at(second(604.999999));
    expect(settle(world, advance)).toEqual([]);
    world.at(second(605));
    expect(settle(world, advance)).toEqual(['RoundsAdvanced']);
    expect(rounds(world)).toEqual([1, 2, 3]);
    expect(openRoundsOf(world.state)[2]?.amuletPrice).toBe(amount('0.7'));
  });

  it('advances one round after a delay, and does not catch up', () => {
    const world = worldOf();
    world.at(second(6000));
    expect(settle(world, routine('advance rounds'))).toEqual(['RoundsAdvanced']);
  });

  it.each([
    ['a tick ago when every open round is closed', 6_000, 0, 5_400],
    ['at the last update when that is less than a tick ago', 6_000, 5_900, 5_900],
    ['no sooner than rounds may advance', 1_801, 0, 1_201],
    ['now while an open round is current', 1_799, 0, 1_799],
  ])('advances rounds at this ledger time: %s', (_, now, lastUpdate, expected) => {
    const world = worldOf();
    if (lastUpdate > 0)
      world.at(second(lastUpdate)).submit({ type: 'Tap', receiver: alice, amount: amount('1') }, alice);
    world.at(second(now));
    expect(settle(world, routine('advance rounds'))).toEqual(['RoundsAdvanced']);
    expect(openRoundsOf(world.state).at(-1)?.opensAt).toBe(second(expected + 600));
  });

  it('does not advance rounds when fewer than three are open', () => {
    const world = worldOf();
    const [, , newest] = openRoundsOf(world.state);
    if (!newest) throw new Error('a world has three open rounds');
    world.take(newest.id);
    world.at(second(6000));
    expect(settle(world, routine('advance rounds'))).toEqual([]);
  });

  it('advances the config states in profiles that have them', () => {
    const world = worldOf({ profile: 'feeless-24h' });
    const advance = routine('advance config states');
    world.at(second(86_400 + 4));
    expect(settle(world, advance)).toEqual([]);
    world.wait(1);
    expect(settle(world, advance)).toEqual(['ConfigStatesAdvanced']);
    expect(settle(worldOf().at(second(90_000)), advance)).toEqual([]);
  });

  it('issues, closes and archives a round', () => {
    const world = worldOf();
    world.put({ template: 'FeaturedAppRight', provider });
    appCoupons(
      world,
      provider,
      0,
      Array.from({ length: 45 }, () => '1'),
    );
    world.at(second(605));
    settle(world, routine('advance rounds'));
    expect(settle(world, routine('start issuing'))).toEqual(['IssuingStarted']);
    world.at(second(2409.999999));
    expect(settle(world, routine('close rounds'))).toEqual([]);
    world.at(second(2410));
    expect(settle(world, routine('close rounds'))).toEqual(['RoundClosed']);
    expect(settle(world, routine('archive rounds'))).toEqual([]);
    expect(settle(world, routine('claim expired rewards'))).toEqual([
      'ExpiredRewardsClaimed',
      'ExpiredRewardsClaimed',
      'ExpiredRewardsClaimed',
    ]);
    expect(settle(world, routine('archive rounds'))).toEqual(['RoundArchived']);
  });

  it('converts markers in batches', () => {
    const world = worldOf();
    for (let i = 0; i < 5; i++) {
      world.put({ template: 'FeaturedAppActivityMarker', provider, beneficiary: provider, weight: amount('1') });
    }
    const convert = dsoRoutines({ ...DSO_DEFAULTS, markerBatch: 2 })['convert markers'];
    if (!convert) throw new Error('markers are converted');
    expect(settle(world, convert)).toEqual([
      'ActivityMarkersConverted',
      'ActivityMarkersConverted',
      'ActivityMarkersConverted',
    ]);
    expect(count(world, 'AppRewardCoupon')).toBe(3);
  });

  it('converts no markers before a round is usable', () => {
    const world = worldOf();
    world.put({ template: 'FeaturedAppActivityMarker', provider, beneficiary: provider, weight: amount('1') });
    world.at(second(-1));
    expect(settle(world, routine('convert markers'))).toEqual([]);
    world.at(second(0));
    expect(settle(world, routine('convert markers'))).toEqual(['ActivityMarkersConverted']);
  });

  describe('expiry of dust', () => {
    const tiny = '0.0001';
    const coin = {
      template: 'Holding',
      owner: alice,
      amount: amount('0.00001'),
      createdAt: 0 as Round,
      ratePerRound: amount('0.00002'),
    } as const;

    function dusty(profile: ProfileName): World {
      const world = worldOf({ profile, amuletPrice: amount('1') });
      world.fundEach(alice, [tiny, tiny, '1']);
      return world;
    }

    it('expires a coin once its fee exceeds its amount', () => {
      const world = dusty('feeless');
      world.advanceRounds(6);
      expect(settle(world, routine('expire dust'))).toEqual([]);
      world.advanceRounds(1);
      expect(settle(world, routine('expire dust'))).toEqual(['DustExpired']);
      expect(world.coinsOf(alice)).toEqual(['1.0']);
    });

    it('does not expire dust when dust expiry is switched off', () => {
      const world = dusty('feeless');
      world.advanceRounds(8);
      const expire = dsoRoutines({ ...DSO_DEFAULTS, expiresDust: false })['expire dust'];
      expect(expire && settle(world, expire)).toEqual([]);
    });

    it.each([
      ['feeless', 1],
      ['feeless-24h', 2],
    ] as const)('in the profile %s expires %i of two dust coins, one of them locked', (profile, expired) => {
      const world = worldOf({ profile, amuletPrice: amount('1') });
      const lock = { holders: [dso], expiresAt: second(1_000_000), context: null };
      world.put({ ...coin, lock });
      world.put({ ...coin, lock: null });
      if (profile === 'feeless') world.advanceRounds(3);
      else {
        for (let day = 1; day <= 2; day++) {
          world.advanceRounds(3);
          world.at(second(day * 86_400 + 5));
          settle(world, routine('advance config states'));
        }
      }
      settle(world, routine('expire dust'));
      expect(world.holdings(alice).length + world.locked(alice).length).toBe(2 - expired);
    });

    it('expires a locked coin once its lock has ended', () => {
      const world = worldOf();
      world.put({ ...coin, lock: { holders: [dso], expiresAt: second(5000), context: null } });
      world.advanceRounds(3);
      world.at(second(4999.999999));
      expect(settle(world, routine('expire dust'))).toEqual([]);
      world.at(second(5000));
      expect(settle(world, routine('expire dust'))).toEqual(['DustExpired']);
    });

    it('expires coins in batches', () => {
      const world = worldOf();
      for (let i = 0; i < 3; i++) world.put({ ...coin, lock: null });
      world.advanceRounds(3);
      const expire = dsoRoutines({ ...DSO_DEFAULTS, expiryBatch: 2 })['expire dust'];
      if (!expire) throw new Error('dust is expired');
      expect(settle(world, expire)).toEqual(['DustExpired', 'DustExpired']);
      expect(world.holdings(alice)).toEqual([]);
    });
  });

  it('merges a pool of unclaimed rewards when it has more than ten contracts', () => {
    const world = worldOf();
    for (const template of ['UnclaimedReward', 'UnclaimedDevelopmentFundCoupon'] as const) {
      for (let i = 1; i <= 10; i++) world.put({ template, amount: amount(String(i)) });
    }
    expect(settle(world, routine('merge pools'))).toEqual([]);
    world.put({ template: 'UnclaimedReward', amount: amount('45') });
    world.put({ template: 'UnclaimedDevelopmentFundCoupon', amount: amount('45') });
    expect(settle(world, routine('merge pools'))).toEqual(['UnclaimedRewardsMerged', 'DevelopmentFundMerged']);
    expect([...allOf(world.state, 'UnclaimedReward')].map((reward) => reward.amount)).toEqual([amount('100')]);
  });

  it("merges a member's traffic contracts when there are more than the configured number", () => {
    const world = worldOf({ amuletPrice: amount('1') });
    found(world, carol);
    const wanted = { ...DSO_CONFIG, mergeMemberTrafficAbove: 2 };
    world.submit(
      { type: 'ExecuteAction', action: { type: 'SetDsoConfig', baseConfig: DSO_CONFIG, newConfig: wanted } },
      dso,
    );
    const buy = (memberId: string): void => {
      const inputs = [world.fund(alice, '4')];
      world.submit({ type: 'BuyMemberTraffic', payer: alice, memberId, trafficBytes: 200_000, inputs }, alice);
    };
    for (let i = 0; i < 2; i++) ['PAR::a', 'PAR::b'].forEach(buy);
    expect(settle(world, routine('merge traffic'))).toEqual([]);
    buy('PAR::a');
    expect(settle(world, routine('merge traffic'))).toEqual(['MemberTrafficMerged']);
    expect(count(world, 'MemberTraffic')).toBe(3);
  });

  it('removes expired preapprovals, names, subscriptions and grants', () => {
    const world = worldOf();
    const expiresAt = second(100);
    world.put({
      template: 'TransferPreapproval',
      receiver: alice,
      provider,
      validFrom: world.now,
      lastRenewedAt: world.now,
      expiresAt,
    });
    const grant = { beneficiary: alice, amount: amount('1'), reason: 'late', expiresAt };
    world.put({ template: 'UnclaimedActivityRecord', ...grant });
    world.put({ template: 'DevelopmentFundCoupon', ...grant, fundManager: bob });
    world.put({ template: 'AnsEntry', user: alice, name: 'a', url: '', description: '', expiresAt });
    const expire = routine('expire contracts');
    world.at(second(104));
    expect(settle(world, expire)).toEqual([]);
    world.wait(1);
    expect(settle(world, expire)).toEqual([
      'PreapprovalExpired',
      'AnsEntryExpired',
      'ActivityRecordExpired',
      'DevelopmentFundCouponExpired',
    ]);
  });

  it.each([
    ['legacy-fees', []],
    ['feeless', ['TransferExpired']],
    ['feeless-24h', ['TransferExpired']],
  ] as const)('expires offers after their deadline in the profile %s by updates of the kinds %j', (profile, kinds) => {
    const world = worldOf({ profile, amuletPrice: amount('1') });
    const inputs = [world.fund(alice, '10')];
    const terms = { sender: alice, receiver: bob, amount: amount('1'), executeBefore: second(100) };
    world.submit({ type: 'CreateOffer', ...terms, inputs }, alice);
    const expire = routine('expire instructions');
    world.at(second(104));
    expect(settle(world, expire)).toEqual([]);
    world.wait(1);
    expect(settle(world, expire)).toEqual(kinds);
  });

  describe('closing of votes', () => {
    const action = { type: 'GrantFeaturedAppRight', provider } as const;
    const reason = { url: '', body: '' };

    function ask(world: World): ContractId {
      return world.accepted('VoteRequested', { type: 'RequestVote', requester: carol, action, reason }, carol).detail
        .request;
    }

    it('closes decided votes', () => {
      const world = worldOf();
      found(world, carol);
      const tracking = ask(world);
      expect(settle(world, routine('close votes'))).toEqual(['VoteClosed']);
      expect(voteRequestOf(world.state, tracking)).toBeNull();
      expect(count(world, 'FeaturedAppRight')).toBe(1);
    });

    it.each([
      ['feeless', 2],
      ['feeless-24h', 1],
    ] as const)(
      'in the profile %s closes %i of two accepted votes, one with an impossible action',
      (profile, closed) => {
        const world = worldOf({ profile });
        found(world, carol);
        ask(world);
        ask(world);
        expect(settle(world, routine('close votes'))).toHaveLength(closed);
      },
    );

    it('closes a rejected vote even if its action would fail', () => {
      const world = worldOf({ profile: 'feeless-24h' });
      found(world, carol);
      world.submit({ type: 'GrantFeaturedAppRight', provider }, dso);
      const request = ask(world);
      expect(settle(world, routine('close votes'))).toEqual([]);
      world.wait(60);
      world.submit({ type: 'CastVote', request, sv: carol, accept: false, reason }, carol);
      expect(settle(world, routine('close votes'))).toEqual(['VoteClosed']);
    });

    it('closes no vote while there are no super validators', () => {
      const world = worldOf();
      world.put({
        template: 'VoteRequest',
        requester: 'SV',
        action,
        reason,
        voteBefore: second(60),
        votes: [],
        trackingCid: null,
        targetEffectiveAt: null,
      });
      world.at(second(120));
      expect(settle(world, routine('close votes'))).toEqual([]);
    });

    it('leaves undecided votes open', () => {
      const world = worldOf();
      world.submit(
        {
          type: 'BootstrapDso',
          svs: [carol, bob].map((party, i) => ({ party, name: `SV ${i}`, rewardWeight: 1, participantId: 'PAR::sv' })),
        },
        dso,
      );
      ask(world);
      expect(settle(world, routine('close votes'))).toEqual([]);
    });
  });

  describe('collection of name payments', () => {
    function paid(world: World, user: typeof alice): void {
      const name = { name: 'n', url: '', description: '' };
      const { reference } = world.accepted(
        'AnsEntryRequested',
        { type: 'RequestAnsEntry', user, ...name },
        user,
      ).detail;
      const inputs = [world.fund(user, '300')];
      world.submit({ type: 'PayAnsSubscription', subscription: reference, inputs }, user);
    }

    it('returns the coin of a name payment that came too late', () => {
      const world = worldOf();
      found(world, carol);
      paid(world, alice);
      paid(world, bob);
      const collect = routine('collect name payments');
      expect(settle(world, collect)).toEqual(['AnsPaymentCollected', 'AnsPaymentRejected']);
      expect([...allOf(world.state, 'AnsEntry')].map(({ user }) => user)).toEqual([alice]);
      paid(world, bob);
      expect(settle(world, collect)).toEqual(['AnsPaymentRejected']);
      world.at(second(Number(ANS_CONFIG.entryLifetime / 1_000_000n)));
      paid(world, bob);
      expect(settle(world, collect)).toEqual(['AnsPaymentCollected']);
      expect([...allOf(world.state, 'AnsEntry')].map(({ user }) => user)).toEqual([bob]);
    });

    it('removes an expired name with its subscription', () => {
      const world = worldOf();
      found(world, carol);
      paid(world, alice);
      settle(world, routine('collect name payments'));
      const expire = routine('expire contracts');
      world.wait(Number(ANS_CONFIG.entryLifetime / 1_000_000n) + 4);
      expect(settle(world, expire)).toEqual([]);
      world.wait(1);
      expect(settle(world, expire)).toEqual(['AnsSubscriptionExpired', 'AnsEntryExpired']);
    });
  });

  it('returns no task for a new ledger', () => {
    const world = worldOf();
    for (const policy of Object.values(routines)) expect(settle(world, policy)).toEqual([]);
  });
});
