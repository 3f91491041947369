import {
  Amount,
  Duration,
  genesisConfig,
  PartyId,
  rulesOf,
  type Command,
  type ContractId,
  type ProfileName,
} from '@coinlab/core';
import { dsoInfoOf, voteRequestOf, voteStandingOf } from '@coinlab/core/views';
import { requiredVotes, rulingOn } from '@coinlab/core/rules';
import type { GovernanceAction } from '@coinlab/core/contracts';
import { describe, expect, it } from 'vitest';
import { alice, amount, dso, provider, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';

const svs = ['one', 'two', 'three', 'four'].map((name) => PartyId.of(`sv-${name}`));
const [one, two, three, four] = svs as [PartyId, PartyId, PartyId, PartyId];
const reason = { url: 'https://example.org/why', body: 'because' };
const feature: GovernanceAction = { type: 'GrantFeaturedAppRight', provider };
const week = 7 * 86_400;

/** Four super validators of weight 10: three votes decide. */
function governed(profile: ProfileName = 'feeless'): World {
  const world = worldOf({ profile });
  world.submit({ type: 'BootstrapDso', svs: svs.map((party, i) => founder(party, `SV ${i + 1}`)) }, dso);
  return world;
}

function founder(party: PartyId, name: string) {
  return { party, name, rewardWeight: 10, participantId: `PAR::${name}` };
}

function ask(world: World, extra: Partial<Extract<Command, { type: 'RequestVote' }>> = {}): ContractId {
  return world.accepted(
    'VoteRequested',
    { type: 'RequestVote', requester: one, action: feature, reason, ...extra },
    extra.requester ?? one,
  ).detail.trackingCid;
}

function vote(world: World, tracking: ContractId, accept: boolean, ...voters: readonly PartyId[]): void {
  for (const sv of voters) world.accepted('VoteCast', cast(world, tracking, sv, accept), sv);
}

function cast(world: World, tracking: ContractId, sv: PartyId, accept: boolean): Command {
  return { type: 'CastVote', request: current(world, tracking), sv, accept, reason };
}

function current(world: World, tracking: ContractId): ContractId {
  const request = voteRequestOf(world.state, tracking);
  if (!request) throw new Error('the vote is open');
  return request.id;
}

function close(world: World, tracking: ContractId, actor: PartyId = dso) {
  return world.accepted('VoteClosed', { type: 'CloseVote', request: current(world, tracking) }, actor).detail;
}

function featured(world: World): boolean {
  return world.ledger.check({ type: 'ExecuteAction', action: feature }, { now: world.now, actAs: [dso] }) !== null;
}

describe('a super-majority', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 4],
    [6, 4],
    [7, 5],
    [10, 7],
    [13, 9],
    [16, 11],
  ])('among %i super validators needs %i votes', (count, required) => {
    expect(requiredVotes(count)).toBe(required);
  });
});

describe('the ruling on a vote', () => {
  const early = { voteBefore: second(100), targetEffectiveAt: null };
  const later = { voteBefore: second(100), targetEffectiveAt: second(200) };

  it.each([
    ['enough yes votes', 'accepted', 3, 0, 0],
    ['enough no votes', 'rejected', 0, 3, 0],
    ['too few votes for either side', 'open', 2, 2, 0],
    ['too few votes for either side when the voting ends', 'expired', 2, 2, 100],
    ['enough yes votes when the voting ends', 'accepted', 3, 0, 100],
  ] as const)('without an effective time and with %s is %s', (_, ruling, yes, no, at) => {
    expect(rulingOn(early, { yes, no, required: 3 }, second(at))).toBe(ruling);
  });

  it.each([
    ['enough yes votes before the effective time', 'open', 4, 0, 99],
    ['enough no votes before the effective time', 'rejected', 0, 3, 0],
    ['too few votes before the voting ends', 'open', 1, 1, 99],
    ['too few votes when the voting ends', 'expired', 2, 0, 100],
    ['enough votes but no majority shortly before the effective time', 'open', 2, 1, 199],
    ['enough yes votes at the effective time', 'accepted', 3, 0, 200],
    ['no majority at the effective time', 'rejected', 2, 1, 200],
  ] as const)('with an effective time and with %s is %s', (_, ruling, yes, no, at) => {
    expect(rulingOn(later, { yes, no, required: 3 }, second(at))).toBe(ruling);
  });
});

describe('a vote', () => {
  it('begins with the requester’s approval, and is open for a week', () => {
    const world = governed();
    const tracking = ask(world);
    const standing = voteStandingOf(world.state, tracking, world.now);
    expect(standing).toMatchObject({
      request: { requester: 'SV 1', trackingCid: null, voteBefore: second(week) },
      tally: { yes: 1, no: 0, required: 3, abstainingSvs: ['SV 2', 'SV 3', 'SV 4'] },
      ruling: 'open',
    });
  });

  it('keeps the id of its first contract through all votes', () => {
    const world = governed();
    const tracking = ask(world);
    vote(world, tracking, true, two);
    vote(world, tracking, false, three);
    expect(voteRequestOf(world.state, tracking)).toMatchObject({ trackingCid: tracking });
    expect(voteRequestOf(world.state, tracking)?.id).not.toBe(tracking);
  });

  it('executes its action once a super-majority accepts, and any super validator can close it', () => {
    const world = governed();
    const tracking = ask(world);
    vote(world, tracking, true, two, three);
    expect(close(world, tracking, four)).toMatchObject({ outcome: 'Accepted', effectiveAt: world.now, yes: 3 });
    expect(featured(world)).toBe(true);
    expect(voteRequestOf(world.state, tracking)).toBeNull();
  });

  it('is rejected once a super-majority rejects', () => {
    const world = governed();
    const tracking = ask(world);
    vote(world, tracking, false, two, three, four);
    expect(close(world, tracking)).toMatchObject({ outcome: 'Rejected', no: 3, effectiveAt: null });
    expect(featured(world)).toBe(false);
  });

  it('expires at the end of the voting period without a decision', () => {
    const world = governed();
    const tracking = ask(world);
    vote(world, tracking, true, two);
    world.at(second(week));
    expect(close(world, tracking)).toMatchObject({ outcome: 'Expired', abstainingSvs: ['SV 3', 'SV 4'] });
  });

  it('with an effective time stays open until that time, and its votes can change', () => {
    const world = governed();
    const tracking = ask(world, { voteBefore: second(100), targetEffectiveAt: second(300) });
    vote(world, tracking, true, two, three);
    world.at(second(150));
    world.refused('VOTE_NOT_CLOSABLE', { type: 'CloseVote', request: current(world, tracking) }, dso);
    vote(world, tracking, false, two);
    world.at(second(300));
    expect(close(world, tracking)).toMatchObject({ outcome: 'Rejected', yes: 2, no: 1 });
  });

  it('with an effective time executes its action at that time', () => {
    const world = governed();
    const tracking = ask(world, { voteBefore: second(100), targetEffectiveAt: second(300) });
    vote(world, tracking, true, two, three);
    world.at(second(400));
    expect(close(world, tracking)).toMatchObject({ outcome: 'Accepted', effectiveAt: second(300) });
  });

  it('accepts a changed vote of the same super validator after a cool-down of a minute', () => {
    const world = governed();
    const tracking = ask(world);
    vote(world, tracking, true, two);
    world.wait(59);
    const refusal = world.refused('TOO_SOON', cast(world, tracking, two, false), two);
    expect(refusal.notBefore).toBe(second(60));
    world.wait(1);
    vote(world, tracking, false, two);
    expect(voteStandingOf(world.state, tracking, world.now)?.tally).toMatchObject({ yes: 1, no: 1 });
  });

  it('sorts its votes by party, for any order of casting', () => {
    const votesAfter = (...voters: readonly PartyId[]): readonly PartyId[] => {
      const world = governed();
      const tracking = ask(world, { requester: two });
      vote(world, tracking, true, ...voters);
      return voteRequestOf(world.state, tracking)?.votes.map(({ sv }) => sv) ?? [];
    };
    const byParty = [...svs].sort();
    expect(votesAfter(one, three, four)).toEqual(byParty);
    expect(votesAfter(four, three, one)).toEqual(byParty);
  });

  it('ignores votes of former super validators, and then needs fewer votes', () => {
    const world = governed();
    const tracking = ask(world);
    vote(world, tracking, true, two, four);
    world.submit({ type: 'ExecuteAction', action: { type: 'OffboardSv', party: four } }, dso);
    const standing = voteStandingOf(world.state, tracking, world.now);
    expect(standing?.tally).toEqual({
      yes: 2,
      no: 0,
      required: 2,
      offboardedVoters: ['SV 4'],
      abstainingSvs: ['SV 3'],
    });
    world.refused('GROUP_MISMATCH', cast(world, tracking, four, false), four);
    expect(close(world, tracking)).toMatchObject({ outcome: 'Accepted', offboardedVoters: ['SV 4'] });
  });

  it('ends as accepted with a failure when its action is refused', () => {
    const world = governed();
    const tracking = ask(world);
    vote(world, tracking, true, two, three);
    world.submit({ type: 'ExecuteAction', action: feature }, dso);
    expect(close(world, tracking)).toMatchObject({ outcome: 'AcceptedButActionFailed', failure: 'ALREADY_EXISTS' });
  });

  it('cannot be closed while its action fails, in the profile where failures abort', () => {
    const world = governed('feeless-24h');
    const tracking = ask(world);
    vote(world, tracking, true, two, three);
    world.submit({ type: 'ExecuteAction', action: feature }, dso);
    world.refused('ALREADY_EXISTS', { type: 'CloseVote', request: current(world, tracking) }, dso);
  });

  it('leaves the state unchanged when its action fails half-way', () => {
    const world = governed();
    world.put({ template: 'UnclaimedReward', amount: amount('1') });
    const action: GovernanceAction = {
      type: 'AllocateUnclaimedActivityRecord',
      beneficiary: alice,
      amount: amount('2'),
      reason: 'late',
      expiresAt: second(week * 4),
    };
    const tracking = ask(world, { action });
    vote(world, tracking, true, two, three);
    const update = world.accepted('VoteClosed', { type: 'CloseVote', request: current(world, tracking) }, dso);
    expect(update.detail).toMatchObject({ outcome: 'AcceptedButActionFailed', failure: 'INSUFFICIENT_FUNDS' });
    expect([update.archived.length, update.created.length]).toEqual([1, 0]);
  });

  it('on a configuration changes only the fields that its action changes', () => {
    const world = governed();
    const base = genesisConfig('feeless');
    const trackings = [
      ask(world, { action: config({ transferPreapprovalFeeUsd: amount('0.5') }) }),
      ask(world, { action: config({ traffic: { ...base.traffic, minTopupBytes: 300_000 } }) }),
    ];
    for (const tracking of trackings) {
      vote(world, tracking, true, two, three);
      close(world, tracking);
      world.wait(60);
    }
    expect(rulesOf(world.state)?.config).toEqual({
      ...base,
      transferPreapprovalFeeUsd: amount('0.5'),
      traffic: { ...base.traffic, minTopupBytes: 300_000 },
    });
  });

  describe('is refused', () => {
    it('before the DSO is founded', () => {
      worldOf().refused('NOT_BOOTSTRAPPED', { type: 'RequestVote', requester: one, action: feature, reason }, alice);
    });

    it('with the code of the first failed check when requested', () => {
      const world = governed();
      const late = { voteBefore: world.now, targetEffectiveAt: tickOf(world.now, -1) };
      const base = { type: 'RequestVote', action: feature, reason } as const;
      world.refused('NOT_AUTHORISED', { ...base, requester: alice, ...late }, one);
      world.refused('GROUP_MISMATCH', { ...base, requester: alice, ...late }, alice);
      world.refused('DEADLINE_PASSED', { ...base, requester: one, ...late }, one);
      const disordered = { voteBefore: second(10), targetEffectiveAt: second(9) };
      const grant = { type: 'AllocateUnclaimedActivityRecord', beneficiary: alice, reason: 'work' } as const;
      const endless: GovernanceAction = { ...grant, amount: (Amount.max + 1n) as Amount, expiresAt: second(10) };
      world.refused('INVALID_DECIMAL', { ...base, requester: one, action: endless, ...disordered }, one);
      world.refused('INVALID_ARGUMENT', { ...base, requester: one, ...disordered }, one);
    });

    it('with the code of the first failed check for a vote that breaks several rules', () => {
      const world = governed();
      const tracking = ask(world, { voteBefore: second(30) });
      const stale = cast(world, tracking, alice, true);
      vote(world, tracking, true, two);
      world.refused('CONTRACT_NOT_FOUND', stale, two);
      world.at(second(30));
      world.refused('NOT_AUTHORISED', cast(world, tracking, alice, true), two);
      world.refused('GROUP_MISMATCH', cast(world, tracking, alice, true), alice);
      world.refused('DEADLINE_PASSED', cast(world, tracking, two, true), two);
    });

    it('with the code of the first failed check when closed', () => {
      const world = governed();
      const tracking = ask(world);
      const request = current(world, tracking);
      world.refused('NOT_AUTHORISED', { type: 'CloseVote', request }, alice);
      const open = world.refused('VOTE_NOT_CLOSABLE', { type: 'CloseVote', request }, dso);
      expect(open).toMatchObject({ yes: 1, no: 0, required: 3 });
      vote(world, tracking, true, two);
      world.refused('CONTRACT_NOT_FOUND', { type: 'CloseVote', request }, alice);
    });
  });
});

describe('the DSO', () => {
  const execute = (world: World, action: GovernanceAction) => world.submit({ type: 'ExecuteAction', action }, dso);
  const refuse = (world: World, code: Parameters<World['refused']>[0], action: GovernanceAction) =>
    world.refused(code, { type: 'ExecuteAction', action }, dso);

  it('is bootstrapped once, with its super validators sorted by name', () => {
    const world = governed();
    expect(dsoInfoOf(world.state)).toMatchObject({
      dso,
      votesRequired: 3,
      dsoRules: { epoch: 0, svs: [{ name: 'SV 1', joinedAsOfRound: 0 }, {}, {}, {}] },
    });
    world.refused('ALREADY_EXISTS', { type: 'BootstrapDso', svs: [] }, dso);
  });

  it('cannot be bootstrapped by another party, without members, or with a repeated member', () => {
    const world = worldOf();
    world.refused('NOT_AUTHORISED', { type: 'BootstrapDso', svs: [] }, alice);
    world.refused('INVALID_ARGUMENT', { type: 'BootstrapDso', svs: [] }, dso);
    const twice = [founder(one, 'A'), founder(one, 'B')];
    world.refused('ALREADY_EXISTS', { type: 'BootstrapDso', svs: twice }, dso);
    const sameName = [founder(one, 'A'), founder(two, 'A')];
    world.refused('ALREADY_EXISTS', { type: 'BootstrapDso', svs: sameName }, dso);
    const weight = [{ ...founder(one, 'A'), rewardWeight: -1 }];
    world.refused('INVALID_ARGUMENT', { type: 'BootstrapDso', svs: weight }, dso);
  });

  it('can add, reweight and off-board super validators', () => {
    const world = governed();
    world.advanceRounds(3);
    execute(world, { type: 'AddSv', ...founder(alice, 'SV 5') });
    execute(world, { type: 'SetSvRewardWeight', party: alice, rewardWeight: 7 });
    execute(world, { type: 'OffboardSv', party: one });
    const rules = dsoInfoOf(world.state)?.dsoRules;
    expect(rules?.epoch).toBe(2);
    expect(rules?.svs.map(({ name, rewardWeight, joinedAsOfRound }) => [name, rewardWeight, joinedAsOfRound])).toEqual([
      ['SV 2', 10, 0],
      ['SV 3', 10, 0],
      ['SV 4', 10, 0],
      ['SV 5', 7, 3],
    ]);
    expect(rules?.offboardedSvs.map(({ name }) => name)).toEqual(['SV 1']);
    refuse(world, 'ALREADY_EXISTS', { type: 'AddSv', ...founder(one, 'SV 6') });
    refuse(world, 'ALREADY_EXISTS', { type: 'AddSv', ...founder(provider, 'SV 1') });
    refuse(world, 'GROUP_MISMATCH', { type: 'SetSvRewardWeight', party: one, rewardWeight: 1 });
    refuse(world, 'GROUP_MISMATCH', { type: 'OffboardSv', party: one });
  });

  it('cannot off-board its last super validator', () => {
    const world = worldOf();
    world.submit({ type: 'BootstrapDso', svs: [founder(one, 'A')] }, dso);
    refuse(world, 'INVALID_ARGUMENT', { type: 'OffboardSv', party: one });
  });

  it('can grant and revoke featured app rights', () => {
    const world = governed();
    const granted = execute(world, feature);
    refuse(world, 'ALREADY_EXISTS', feature);
    const right = granted.created[0]?.id as ContractId;
    execute(world, { type: 'RevokeFeaturedAppRight', right });
    refuse(world, 'CONTRACT_NOT_FOUND', { type: 'RevokeFeaturedAppRight', right });
    expect(featured(world)).toBe(false);
  });

  it('can allocate unclaimed rewards, and the remaining coin returns to the pool', () => {
    const world = governed();
    for (const value of ['3', '4', '5']) world.put({ template: 'UnclaimedReward', amount: amount(value) });
    const action = {
      type: 'AllocateUnclaimedActivityRecord',
      beneficiary: alice,
      amount: amount('6'),
      reason: 'late',
      expiresAt: second(1000),
    } as const;
    const { created, archived } = execute(world, action);
    expect(archived).toHaveLength(2);
    expect(created).toMatchObject([
      { template: 'UnclaimedReward', amount: amount('1') },
      { template: 'UnclaimedActivityRecord', beneficiary: alice, amount: amount('6') },
    ]);
    const exact = governed();
    for (const value of ['3', '4', '5']) exact.put({ template: 'UnclaimedReward', amount: amount(value) });
    const taken = execute(exact, { ...action, amount: amount('7') });
    expect([taken.archived.length, taken.created.map(({ template }) => template)]).toEqual([
      2,
      ['UnclaimedActivityRecord'],
    ]);
    refuse(world, 'NON_POSITIVE_AMOUNT', { ...action, amount: Amount.zero, expiresAt: world.now });
    refuse(world, 'DEADLINE_PASSED', { ...action, amount: amount('60'), expiresAt: world.now });
    refuse(world, 'INSUFFICIENT_FUNDS', { ...action, amount: amount('60') });
  });

  it('refuses an invalid configuration', () => {
    const world = governed();
    refuse(world, 'INVALID_ARGUMENT', config({ tickDuration: Duration.seconds(0) }));
    const { config: dsoConfig } = dsoInfoOf(world.state)?.dsoRules ?? { config: undefined };
    if (!dsoConfig) throw new Error('the DSO is founded');
    const wanted = { ...dsoConfig, mergeUnclaimedRewardsAbove: 0 };
    refuse(world, 'INVALID_ARGUMENT', { type: 'SetDsoConfig', baseConfig: dsoConfig, newConfig: wanted });
    execute(world, {
      type: 'SetDsoConfig',
      baseConfig: dsoConfig,
      newConfig: { ...dsoConfig, voteCooldown: Duration.seconds(0) },
    });
    expect(dsoInfoOf(world.state)?.dsoRules.config.voteCooldown).toBe(0n);
  });
});

function config(changes: Partial<ReturnType<typeof genesisConfig>>): GovernanceAction {
  const baseConfig = genesisConfig('feeless');
  return { type: 'SetAmuletConfig', baseConfig, newConfig: { ...baseConfig, ...changes } };
}
