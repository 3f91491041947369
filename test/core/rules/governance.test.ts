import { ANS_CONFIG, dsoRulesOf, DSO_CONFIG } from '@coinlab/core/rules';
import { Duration, genesisConfig, PartyId, rulesOf, type AmuletConfig } from '@coinlab/core';
import type { AnsConfig, DsoRulesConfig, GovernanceAction } from '@coinlab/core/contracts';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, dso, worldOf, type World } from '../ledger-fixture.ts';

const nothing = Duration.ofMicros(0n);
const moment = Duration.ofMicros(1n);

function founder(party: PartyId, name: string) {
  return { party, name, rewardWeight: 10, participantId: `PAR::${name}` };
}

/** A network under fees that was founded by the given super validators. */
function governed(...names: readonly string[]): World {
  const world = worldOf({ profile: 'legacy-fees' });
  const svs = names.map((name, i) => founder(PartyId.of(`sv-${i}`), name));
  world.submit({ type: 'BootstrapDso', svs }, dso);
  return world;
}

function execute(world: World, action: GovernanceAction): void {
  world.submit({ type: 'ExecuteAction', action }, dso);
}

function refusedField(world: World, action: GovernanceAction): string {
  return world.refused('INVALID_ARGUMENT', { type: 'ExecuteAction', action }, dso).field;
}

describe('the configuration of the name service', () => {
  const change = (changes: Partial<AnsConfig>): GovernanceAction => ({
    type: 'SetAnsConfig',
    baseConfig: ANS_CONFIG,
    newConfig: { ...ANS_CONFIG, ...changes },
  });

  it.each([
    ['renewalDuration', { renewalDuration: nothing }, { renewalDuration: moment }],
    ['entryLifetime', { entryLifetime: nothing }, { entryLifetime: moment }],
    ['entryFeeUsd', { entryFeeUsd: amount('0') }, { entryFeeUsd: amount('0.0000000001') }],
  ] as const)('needs a %s above zero', (field, zero, least) => {
    const world = governed('SV');
    expect(refusedField(world, change(zero))).toBe(field);
    execute(world, change(least));
  });
});

describe('the configuration of the DSO', () => {
  const change = (changes: Partial<DsoRulesConfig>): GovernanceAction => ({
    type: 'SetDsoConfig',
    baseConfig: DSO_CONFIG,
    newConfig: { ...DSO_CONFIG, ...changes },
  });

  it.each([
    ['voteRequestLifetime', { voteRequestLifetime: nothing }, { voteRequestLifetime: moment }],
    ['voteCooldown', { voteCooldown: Duration.ofMicros(-1n) }, { voteCooldown: nothing }],
    ['mergeUnclaimedRewardsAbove', { mergeUnclaimedRewardsAbove: 0 }, { mergeUnclaimedRewardsAbove: 1 }],
    ['mergeMemberTrafficAbove', { mergeMemberTrafficAbove: 0 }, { mergeMemberTrafficAbove: 1 }],
  ] as const)('is refused with a %s below its minimum, and accepted with the minimum', (field, below, least) => {
    const world = governed('SV');
    expect(refusedField(world, change(below))).toBe(field);
    execute(world, change(least));
  });
});

describe('the super validators', () => {
  it('are sorted by name, including former ones', () => {
    const world = governed('C', 'A', 'E', 'B');
    const names = () => dsoRulesOf(world.state)?.svs.map(({ name }) => name);
    expect(names()).toEqual(['A', 'B', 'C', 'E']);
    execute(world, { type: 'AddSv', ...founder(alice, 'D') });
    expect(names()).toEqual(['A', 'B', 'C', 'D', 'E']);
    execute(world, { type: 'OffboardSv', party: alice });
    execute(world, { type: 'OffboardSv', party: PartyId.of('sv-1') });
    expect(dsoRulesOf(world.state)?.offboardedSvs.map(({ name }) => name)).toEqual(['A', 'D']);
  });

  it('need a name and a weight of at least zero at the foundation', () => {
    const world = governed('A');
    expect(refusedField(world, { type: 'AddSv', ...founder(alice, '') })).toBe('name');
    expect(refusedField(world, { type: 'AddSv', ...founder(alice, 'B'), rewardWeight: -1 })).toBe('rewardWeight');
    execute(world, { type: 'AddSv', ...founder(alice, 'B'), rewardWeight: 0 });
  });

  it('accept a new weight of at least zero, also when only one super validator exists', () => {
    const world = governed('A');
    const party = PartyId.of('sv-0');
    expect(refusedField(world, { type: 'SetSvRewardWeight', party, rewardWeight: -1 })).toBe('rewardWeight');
    execute(world, { type: 'SetSvRewardWeight', party, rewardWeight: 0 });
    expect(dsoRulesOf(world.state)?.svs[0]?.rewardWeight).toBe(0);
  });

  it('refuse a second super validator with the same party or name; the refusal has the contract id of the rules', () => {
    const world = governed('A');
    const rules = dsoRulesOf(world.state)?.id;
    for (const twice of [founder(PartyId.of('sv-0'), 'B'), founder(bob, 'A')]) {
      const command = { type: 'ExecuteAction', action: { type: 'AddSv', ...twice } } as const;
      expect(world.refused('ALREADY_EXISTS', command, dso).contract).toBe(rules);
    }
  });
});

describe('before the DSO is bootstrapped', () => {
  it.each<GovernanceAction>([
    { type: 'SetDsoConfig', baseConfig: DSO_CONFIG, newConfig: DSO_CONFIG },
    { type: 'SetAnsConfig', baseConfig: ANS_CONFIG, newConfig: ANS_CONFIG },
    { type: 'AddSv', ...founder(alice, 'A') },
  ])('$type is refused', (action) => {
    worldOf().refused('NOT_BOOTSTRAPPED', { type: 'ExecuteAction', action }, dso);
  });
});

describe('a change of the configuration', () => {
  // What two proposers wrote down from the same base, each in a copy of its own.
  const base = genesisConfig('legacy-fees');
  const { transferFeeSteps } = base.transferConfigUsd;
  const change = (changed: AmuletConfig): GovernanceAction => ({
    type: 'SetAmuletConfig',
    baseConfig: structuredClone(base),
    newConfig: structuredClone(changed),
  });
  const withSteps = (steps: AmuletConfig['transferConfigUsd']['transferFeeSteps'], config = base): AmuletConfig => ({
    ...config,
    transferConfigUsd: { ...config.transferConfigUsd, transferFeeSteps: steps },
  });
  const stepsOf = (world: World) => rulesOf(world.state)?.config.transferConfigUsd.transferFeeSteps;

  it.each([
    ['in its last rate', transferFeeSteps.with(2, { ...transferFeeSteps[2]!, rate: amount('0.00002') })], // three steps
    ['in its first threshold', transferFeeSteps.with(0, { ...transferFeeSteps[0]!, from: amount('50') })], // as above
    ['by one step more', [...transferFeeSteps, { from: amount('2000000'), rate: amount('0.000001') }]],
    ['by one step less', transferFeeSteps.slice(0, 2)],
    ['to none', []],
  ])('replaces a list as a whole when %s changed, and keeps an unchanged one', (_, steps) => {
    const world = governed('A');
    execute(world, change(withSteps(steps)));
    expect(stepsOf(world)).toEqual(steps);
    execute(world, change({ ...base, tickDuration: Duration.seconds(60) }));
    expect(stepsOf(world)).toEqual(steps);
    expect(rulesOf(world.state)?.config.tickDuration).toBe(Duration.seconds(60));
  });
});
