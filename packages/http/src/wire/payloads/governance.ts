import { dsoRulesOf } from '@coinlab/core/rules';
import type { ContractOf, LedgerState, PartyId } from '@coinlab/core';
import type { GovernanceAction, SuperValidator } from '@coinlab/core/contracts';
import { amuletConfigPayload, ansConfigPayload, dsoConfigPayload } from './configs.js';
import { cid, int, optional, roundOf, time, variant, type Dialect, type Payload, type Terms } from './fields.js';

// Payloads of governance contracts. Source: specification of the API §11.1, §11.5.

export function voteRequestPayload(request: ContractOf<'VoteRequest'>, terms: Terms): Payload {
  return {
    dso: terms.dso,
    requester: request.requester,
    action: actionPayload(request.action, terms),
    reason: { ...request.reason },
    voteBefore: time(request.voteBefore),
    votes: request.votes.map(({ name, sv, accept, reason, castAt }) => [
      name,
      { sv, accept, reason: { ...reason }, optCastAt: time(castAt) },
    ]),
    trackingCid: optional(request.trackingCid, cid),
    targetEffectiveAt: optional(request.targetEffectiveAt, time),
  };
}

export function dsoRulesPayload(rules: ContractOf<'DsoRules'>, { dso }: Terms, isDevNet: boolean): Payload {
  return {
    dso,
    epoch: int(rules.epoch),
    svs: rules.svs.map(superValidatorPayload),
    offboardedSvs: rules.offboardedSvs.map(superValidatorPayload),
    // The network no longer has a delegate; clients still expect a party.
    dsoDelegate: rules.svs[0]?.party ?? dso,
    config: dsoConfigPayload(rules.config),
    initialTrafficState: [],
    isDevNet,
  };
}

export function amuletPriceVotePayload(vote: ContractOf<'AmuletPriceVote'>, { dso, decimal }: Terms): Payload {
  const { sv, amuletPrice, lastUpdatedAt } = vote;
  return { dso, sv, amuletPrice: optional(amuletPrice, decimal), lastUpdatedAt: time(lastUpdatedAt) };
}

/** The super validator may be off-boarded. */
export function svRewardStatePayload(state: ContractOf<'SvRewardState'>, { dso }: Terms, ledger: LedgerState): Payload {
  const rules = dsoRulesOf(ledger);
  const known = rules ? [...rules.svs, ...rules.offboardedSvs] : [];
  return {
    dso,
    svName: known.find(({ party }) => party === state.sv)?.name ?? state.sv,
    state: {
      numRoundsMissed: int(state.roundsMissed),
      numRoundsCollected: int(state.roundsCollected),
      lastRoundCollected: roundOf(state.lastRoundCollected),
      numCouponsIssued: int(state.couponsIssued),
    },
  };
}

function superValidatorPayload(sv: SuperValidator): readonly [PartyId, Payload] {
  const { party, name, joinedAsOfRound, rewardWeight, participantId } = sv;
  return [party, { name, joinedAsOfRound: roundOf(joinedAsOfRound), svRewardWeight: int(rewardWeight), participantId }];
}

function actionPayload(action: GovernanceAction, dialect: Dialect): Payload {
  const ofDso = (tag: string, value: Payload): Payload => variant('ARC_DsoRules', { dsoAction: variant(tag, value) });
  switch (action.type) {
    case 'SetAmuletConfig':
      return variant('ARC_AmuletRules', {
        amuletRulesAction: variant('CRARC_SetConfig', {
          newConfig: amuletConfigPayload(action.newConfig, dialect),
          baseConfig: amuletConfigPayload(action.baseConfig, dialect),
        }),
      });
    // The network has no such action; this one is named after the action for the coin's rules.
    case 'SetAnsConfig':
      return variant('ARC_AnsRules', {
        ansRulesAction: variant('ANSRARC_SetConfig', {
          newConfig: ansConfigPayload(action.newConfig, dialect),
          baseConfig: ansConfigPayload(action.baseConfig, dialect),
        }),
      });
    case 'SetDsoConfig':
      return ofDso('SRARC_SetConfig', {
        newConfig: dsoConfigPayload(action.newConfig),
        baseConfig: dsoConfigPayload(action.baseConfig),
      });
    case 'AddSv':
      return ofDso('SRARC_AddSv', {
        newSvParty: action.party,
        newSvName: action.name,
        newSvRewardWeight: int(action.rewardWeight),
        newSvParticipantId: action.participantId,
        // Known only when the action takes effect.
        joinedAsOfRound: null,
      });
    case 'OffboardSv':
      return ofDso('SRARC_OffboardSv', { sv: action.party });
    case 'SetSvRewardWeight':
      return ofDso('SRARC_UpdateSvRewardWeight', {
        svParty: action.party,
        newRewardWeight: int(action.rewardWeight),
      });
    case 'GrantFeaturedAppRight':
      return ofDso('SRARC_GrantFeaturedAppRight', { provider: action.provider });
    case 'RevokeFeaturedAppRight':
      return ofDso('SRARC_RevokeFeaturedAppRight', { rightCid: cid(action.right) });
    case 'AllocateUnclaimedActivityRecord':
      return ofDso('SRARC_CreateUnallocatedUnclaimedActivityRecord', {
        beneficiary: action.beneficiary,
        amount: dialect.decimal(action.amount),
        reason: action.reason,
        expiresAt: time(action.expiresAt),
      });
  }
}
