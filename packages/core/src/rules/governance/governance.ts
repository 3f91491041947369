import type { AnsConfig, AnsRules } from '../../contracts/ans.js';
import type { DsoRules, DsoRulesConfig, SuperValidator } from '../../contracts/governance/dso-rules.js';
import type { Effects } from '../../contracts/effects.js';
import type { ActionOf, GovernanceAction } from '../../contracts/governance/vote-request.js';
import { allOf, openRoundsOf, rulesOf, settingsOf, type LedgerState } from '../../contracts/state.js';
import { shown } from '../../kernel/malformed.js';
import type { Rejected } from '../../kernel/rejection.js';
import type { Result } from '../../kernel/result.js';
import { Round, type Instant } from '../../kernel/time.js';
import { refuseConfig } from './config.js';
import { grantFeaturedAppRight, requireFeaturedAppRight } from '../rewards/featured-apps.js';
import { patch } from './patch.js';
import { dsoRulesOf, superValidatorOf } from './super-majority.js';
import { allocateActivityRecord } from '../rewards/unclaimed.js';
import { invalid } from '../refusals.js';

export type ActionRejection = Rejected<
  | 'NOT_BOOTSTRAPPED'
  | 'CONTRACT_NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'GROUP_MISMATCH'
  | 'INVALID_ARGUMENT'
  | 'NON_POSITIVE_AMOUNT'
  | 'DEADLINE_PASSED'
  | 'INSUFFICIENT_FUNDS'
>;

/**
 * Adds the effects of an accepted vote: it changes contracts, never coins. Source: specification §2.2, §3.19.
 * @returns null, or the refusal; the effects are then incomplete and must be dropped
 */
export function applyAction(
  action: GovernanceAction,
  state: LedgerState,
  effects: Effects,
  now: Instant,
): ActionRejection | null {
  switch (action.type) {
    case 'SetAmuletConfig':
      return setAmuletConfig(action, state, effects);
    case 'SetDsoConfig':
    case 'AddSv':
    case 'OffboardSv':
    case 'SetSvRewardWeight':
      return changeDsoRules(action, state, effects);
    case 'SetAnsConfig':
      return setAnsConfig(action, state, effects);
    case 'GrantFeaturedAppRight':
      return refusalOf(grantFeaturedAppRight(action.provider, state, effects));
    case 'RevokeFeaturedAppRight': {
      const right = requireFeaturedAppRight(effects, action.right);
      if (!right.ok) return right.error;
      effects.archive(right.value);
      return null;
    }
    case 'AllocateUnclaimedActivityRecord':
      return refusalOf(allocateActivityRecord(action, state, effects, now));
  }
}

function refusalOf<Refusal>(result: Result<unknown, Refusal>): Refusal | null {
  return result.ok ? null : result.error;
}

function setAmuletConfig(
  { baseConfig, newConfig }: ActionOf<'SetAmuletConfig'>,
  state: LedgerState,
  effects: Effects,
): ActionRejection | null {
  const rules = rulesOf(state);
  if (!rules) return { code: 'NOT_BOOTSTRAPPED' };
  const config = patch(rules.config, baseConfig, newConfig);
  const refused = refuseConfig(config, settingsOf(state).profile.name);
  if (refused) return refused;
  effects.archive(rules);
  effects.create('AmuletRules', { isDevNet: rules.isDevNet, config });
  return null;
}

function setAnsConfig(
  { baseConfig, newConfig }: ActionOf<'SetAnsConfig'>,
  state: LedgerState,
  effects: Effects,
): ActionRejection | null {
  const rules = ansRulesOf(state);
  if (!rules) return { code: 'NOT_BOOTSTRAPPED' };
  const config = patch(rules.config, baseConfig, newConfig);
  const refused = refuseAnsConfig(config);
  if (refused) return refused;
  effects.archive(rules);
  effects.create('AnsRules', { config });
  return null;
}

function changeDsoRules(
  action: ActionOf<'SetDsoConfig' | 'AddSv' | 'OffboardSv' | 'SetSvRewardWeight'>,
  state: LedgerState,
  effects: Effects,
): ActionRejection | null {
  const rules = dsoRulesOf(state);
  if (!rules) return { code: 'NOT_BOOTSTRAPPED' };
  const refused = refuseChange(action, rules);
  if (refused) return refused;
  effects.replace(rules, changed(action, rules, state));
  return null;
}

function refuseChange(
  action: ActionOf<'SetDsoConfig' | 'AddSv' | 'OffboardSv' | 'SetSvRewardWeight'>,
  rules: DsoRules,
): ActionRejection | null {
  switch (action.type) {
    case 'SetDsoConfig':
      return refuseDsoConfig(patch(rules.config, action.baseConfig, action.newConfig));
    case 'AddSv':
      return refuseSuperValidator(action, [...rules.svs, ...rules.offboardedSvs], rules);
    case 'OffboardSv':
    case 'SetSvRewardWeight': {
      const { party } = action;
      if (!superValidatorOf(rules, party)) return notSuperValidator(rules, party);
      if (action.type === 'SetSvRewardWeight') return refuseWeight(action.rewardWeight, 'rewardWeight');
      return unless(rules.svs.length > 1, 'party', party, 'not the last super validator');
    }
  }
}

function changed(
  action: ActionOf<'SetDsoConfig' | 'AddSv' | 'OffboardSv' | 'SetSvRewardWeight'>,
  { epoch, svs, offboardedSvs, config }: DsoRules,
  state: LedgerState,
): Partial<DsoRules> {
  switch (action.type) {
    case 'SetDsoConfig':
      return { config: patch(config, action.baseConfig, action.newConfig) };
    case 'AddSv': {
      const { party, name, rewardWeight, participantId } = action;
      const sv = { party, name, joinedAsOfRound: currentRound(state), rewardWeight, participantId };
      return { epoch: epoch + 1, svs: byName([...svs, sv]) };
    }
    case 'OffboardSv': {
      const left = svs.filter(({ party }) => party === action.party);
      return {
        epoch: epoch + 1,
        svs: svs.filter(({ party }) => party !== action.party),
        offboardedSvs: byName([...offboardedSvs, ...left]),
      };
    }
    case 'SetSvRewardWeight': {
      const { party, rewardWeight } = action;
      return { svs: svs.map((sv) => (sv.party === party ? { ...sv, rewardWeight } : sv)) };
    }
  }
}

export function ansRulesOf(state: LedgerState): AnsRules | null {
  for (const rules of allOf(state, 'AnsRules')) return rules;
  return null;
}

export function refuseAnsConfig(config: AnsConfig): Rejected<'INVALID_ARGUMENT'> | null {
  return (
    unless(config.renewalDuration > 0n, 'renewalDuration', config.renewalDuration, 'above zero') ??
    unless(config.entryLifetime > 0n, 'entryLifetime', config.entryLifetime, 'above zero') ??
    unless(config.entryFeeUsd > 0n, 'entryFeeUsd', config.entryFeeUsd, 'above zero')
  );
}

export function refuseDsoConfig(config: DsoRulesConfig): Rejected<'INVALID_ARGUMENT'> | null {
  const { voteRequestLifetime, voteCooldown, mergeUnclaimedRewardsAbove, mergeMemberTrafficAbove } = config;
  const merges = 'a whole number from 1';
  return (
    unless(voteRequestLifetime > 0n, 'voteRequestLifetime', voteRequestLifetime, 'above zero') ??
    unless(voteCooldown >= 0n, 'voteCooldown', voteCooldown, 'zero or above') ??
    unless(mergeUnclaimedRewardsAbove >= 1, 'mergeUnclaimedRewardsAbove', mergeUnclaimedRewardsAbove, merges) ??
    unless(mergeMemberTrafficAbove >= 1, 'mergeMemberTrafficAbove', mergeMemberTrafficAbove, merges)
  );
}

export function refuseSuperValidator(
  sv: Pick<SuperValidator, 'party' | 'name' | 'rewardWeight'>,
  others: readonly SuperValidator[],
  rules: DsoRules | null,
): Rejected<'ALREADY_EXISTS' | 'INVALID_ARGUMENT'> | null {
  const contract = rules?.id ?? null;
  if (others.some(({ party }) => party === sv.party))
    return { code: 'ALREADY_EXISTS', what: `super validator ${sv.party}`, contract };
  if (others.some(({ name }) => name === sv.name))
    return { code: 'ALREADY_EXISTS', what: `a super validator with the name ${sv.name}`, contract };
  return unless(sv.name !== '', 'name', sv.name, 'a text') ?? refuseWeight(sv.rewardWeight, 'rewardWeight');
}

export function notSuperValidator(rules: DsoRules, party: string): Rejected<'GROUP_MISMATCH'> {
  return {
    code: 'GROUP_MISMATCH',
    contract: rules.id,
    field: 'svs',
    expected: 'an active super validator',
    actual: party,
  };
}

export function byName(svs: readonly SuperValidator[]): readonly SuperValidator[] {
  return [...svs].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

export function currentRound(state: LedgerState): Round {
  return openRoundsOf(state)[0]?.round ?? Round.of(0);
}

function refuseWeight(weight: number, field: string): Rejected<'INVALID_ARGUMENT'> | null {
  return unless(weight >= 0, field, weight, 'a whole number from 0');
}

function unless(fits: boolean, field: string, value: unknown, expected: string): Rejected<'INVALID_ARGUMENT'> | null {
  return fits ? null : invalid(field, shown(value), expected);
}
