import type { ContractOf } from '@coinlab/core';
import type { IssuanceFigures } from '@coinlab/core/contracts';
import { issuanceConfigPayload, transferConfigPayload } from './configs.js';
import { relTime, roundOf, time, type Dialect, type Payload, type Terms } from './fields.js';

// Payloads of rounds. Source: specification of the API §11.1, §11.8.

export function openMiningRoundPayload(open: ContractOf<'OpenMiningRound'>, terms: Terms): Payload {
  return {
    dso: terms.dso,
    round: roundOf(open.round),
    amuletPrice: terms.decimal(open.amuletPrice),
    opensAt: time(open.opensAt),
    targetClosesAt: time(open.targetClosesAt),
    issuingFor: relTime(open.issuingFor),
    transferConfigUsd: transferConfigPayload(open.transferConfigUsd, terms),
    issuanceConfig: issuanceConfigPayload(open.issuanceConfig, terms),
    tickDuration: relTime(open.tickDuration),
  };
}

export function summarizingMiningRoundPayload(
  { round, amuletPrice, issuanceConfig, tickDuration }: ContractOf<'SummarizingMiningRound'>,
  terms: Terms,
): Payload {
  return {
    dso: terms.dso,
    round: roundOf(round),
    amuletPrice: terms.decimal(amuletPrice),
    issuanceConfig: issuanceConfigPayload(issuanceConfig, terms),
    tickDuration: relTime(tickDuration),
  };
}

export function issuingMiningRoundPayload(issuing: ContractOf<'IssuingMiningRound'>, terms: Terms): Payload {
  const { round, opensAt, targetClosesAt } = issuing;
  return {
    dso: terms.dso,
    round: roundOf(round),
    ...figuresPayload(issuing, terms),
    opensAt: time(opensAt),
    targetClosesAt: time(targetClosesAt),
  };
}

export function closedMiningRoundPayload(closed: ContractOf<'ClosedMiningRound'>, terms: Terms): Payload {
  return { dso: terms.dso, round: roundOf(closed.round), ...figuresPayload(closed, terms) };
}

export function configStatePayload(state: ContractOf<'ExternalPartyConfigState'>, terms: Terms): Payload {
  const { holdingFeesOpenRound, amuletPrice, transferConfigUsd, targetArchiveAfter } = state;
  return {
    dso: terms.dso,
    holdingFeesOpenRound: roundOf(holdingFeesOpenRound),
    amuletPrice: terms.decimal(amuletPrice),
    transferConfigUsd: transferConfigPayload(transferConfigUsd, terms),
    targetArchiveAfter: time(targetArchiveAfter),
  };
}

function figuresPayload(figures: IssuanceFigures, { decimal }: Dialect): Payload {
  return {
    issuancePerValidatorRewardCoupon: decimal(figures.perValidatorRewardCoupon),
    issuancePerFeaturedAppRewardCoupon: decimal(figures.perFeaturedAppRewardCoupon),
    issuancePerUnfeaturedAppRewardCoupon: decimal(figures.perUnfeaturedAppRewardCoupon),
    issuancePerSvRewardCoupon: decimal(figures.perSvRewardCoupon),
    optIssuancePerValidatorFaucetCoupon: decimal(figures.perValidatorFaucetCoupon),
  };
}
