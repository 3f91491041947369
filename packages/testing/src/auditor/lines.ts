import type { Contract, ContractId, Json } from '@coinlab/core';
import { contractShape } from '@coinlab/core/workflows';

/** The templates for which the auditor predicts every creation and archival by the commands that it predicts. */
const AUDITED: ReadonlySet<string> = new Set([
  'Holding',
  'TransferInstruction',
  'TransferOffer',
  'AcceptedTransferOffer',
  'TransferPreapproval',
  'TransferPreapprovalProposal',
  'TransferCommand',
  'TransferCommandCounter',
  'AppRewardCoupon',
  'ValidatorRewardCoupon',
  'SvRewardCoupon',
  'ValidatorLivenessActivityRecord',
  'ValidatorFaucetCoupon',
  'UnclaimedActivityRecord',
  'DevelopmentFundCoupon',
  'FeaturedAppActivityMarker',
  'MemberTraffic',
  'BuyTrafficRequest',
  'ValidatorTopUpState',
  'ExternalPartySetupProposal',
  'ValidatorRight',
]);

function isAudited({ template }: Contract): boolean {
  return AUDITED.has(template);
}

// Ids of contracts that a command creates are unknown in advance, so the text replaces them by a mark.
const withoutNew =
  (isNew: (id: ContractId) => boolean) =>
  (id: ContractId): Json =>
    isNew(id) ? 'new' : id;

function lineOf(contract: Contract, isNew: (id: ContractId) => boolean): string {
  // The shape of a record writes an object.
  const { id: _, ...fields } = contractShape.write(contract, withoutNew(isNew)) as { id: unknown };
  return JSON.stringify(fields);
}

/** Returns sorted lines: equal lists mean equal contracts. */
export function linesOf(contracts: Iterable<Contract>, isNew: (id: ContractId) => boolean): string[] {
  return [...contracts]
    .filter(isAudited)
    .map((contract) => lineOf(contract, isNew))
    .sort();
}
