import type { ContractOf, PartyId } from '@coinlab/core';
import type { IssuanceFigures } from '@coinlab/core/contracts';
import { issuanceConfigPayload, transferConfigPayload } from './configs.js';
import { decimal, relTime, roundOf, time, type Payload } from './fields.js';

// Payloads of rounds. Source: specification of the API §11.1, §11.8.

export function openMiningRoundPayload(open: ContractOf<'OpenMiningRound'>, dso: PartyId): Payload {
  return {
    dso,
    round: roundOf(open.round),
    amuletPrice: decimal(open.amuletPrice),
    opensAt: time(open.opensAt),
    targetClosesAt: time(open.targetClosesAt),
    issuingFor: relTime(open.issuingFor),
    transferConfigUsd: transferConfigPayload(open.transferConfigUsd),
    issuanceConfig: issuanceConfigPayload(open.issuanceConfig),
    tickDuration: relTime(open.tickDuration),
  };
}

export function summarizingMiningRoundPayload(
  { round, amuletPrice, issuanceConfig, tickDuration }: ContractOf<'SummarizingMiningRound'>,
  dso: PartyId,
): Payload {
  return {
    dso,
    round: roundOf(round),
    amuletPrice: decimal(amuletPrice),
    issuanceConfig: issuanceConfigPayload(issuanceConfig),
    tickDuration: relTime(tickDuration),
  };
}

export function issuingMiningRoundPayload(issuing: ContractOf<'IssuingMiningRound'>, dso: PartyId): Payload {
  const { round, opensAt, targetClosesAt } = issuing;
  return {
    dso,
    round: roundOf(round),
    ...figuresPayload(issuing),
    opensAt: time(opensAt),
    targetClosesAt: time(targetClosesAt),
  };
}

export function closedMiningRoundPayload(closed: ContractOf<'ClosedMiningRound'>, dso: PartyId): Payload {
  return { dso, round: roundOf(closed.round), ...figuresPayload(closed) };
}

export function configStatePayload(state: ContractOf<'ExternalPartyConfigState'>, dso: PartyId): Payload {
  const { holdingFeesOpenRound, amuletPrice, transferConfigUsd, targetArchiveAfter } = state;
  return {
    dso,
    holdingFeesOpenRound: roundOf(holdingFeesOpenRound),
    amuletPrice: decimal(amuletPrice),
    transferConfigUsd: transferConfigPayload(transferConfigUsd),
    targetArchiveAfter: time(targetArchiveAfter),
  };
}

function figuresPayload(figures: IssuanceFigures): Payload {
  return {
    issuancePerValidatorRewardCoupon: decimal(figures.perValidatorRewardCoupon),
    issuancePerFeaturedAppRewardCoupon: decimal(figures.perFeaturedAppRewardCoupon),
    issuancePerUnfeaturedAppRewardCoupon: decimal(figures.perUnfeaturedAppRewardCoupon),
    issuancePerSvRewardCoupon: decimal(figures.perSvRewardCoupon),
    optIssuancePerValidatorFaucetCoupon: decimal(figures.perValidatorFaucetCoupon),
  };
}
