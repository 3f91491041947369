import type { Contract, ContractId, Json } from '@coinlab/core';
import { contractShape } from '@coinlab/core/workflows';

/** The kinds of contract whose every creation and end the auditor predicts for the commands it knows. */
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

/** Whether the auditor predicts contracts of this kind. */
function isAudited({ template }: Contract): boolean {
  return AUDITED.has(template);
}

// Ids that are made by a command are not known before it happened, so they are told by nothing but their place.
const withoutNew =
  (isNew: (id: ContractId) => boolean) =>
  (id: ContractId): Json =>
    isNew(id) ? 'new' : id;

/** A contract as a line of text, without its id: equal lines are equal contracts. */
function lineOf(contract: Contract, isNew: (id: ContractId) => boolean): string {
  // The shape of a record writes an object.
  const { id: _, ...fields } = contractShape.write(contract, withoutNew(isNew)) as { id: unknown };
  return JSON.stringify(fields);
}

/** Contracts as lines in order: equal lists are the same contracts. */
export function linesOf(contracts: Iterable<Contract>, isNew: (id: ContractId) => boolean): string[] {
  return [...contracts]
    .filter(isAudited)
    .map((contract) => lineOf(contract, isNew))
    .sort();
}
