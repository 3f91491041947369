import type { Contract, ContractId } from '@coinlab/core';
import { contractShape } from '@coinlab/core/workflows';

/** Predicted commands create and archive contracts of these templates only in predicted ways. */
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

// The auditor cannot know the ids of contracts that a command creates, so the text shows them all as `new`.
const withoutNew =
  (isNew: (id: ContractId) => boolean) =>
  (id: ContractId): string =>
    isNew(id) ? '"new"' : String(id);

function lineOf(contract: Contract, isNew: (id: ContractId) => boolean): string {
  // `contractShape` prints every contract as an object.
  const { id: _, ...fields } = JSON.parse(contractShape.print(contract, withoutNew(isNew))) as { id: unknown };
  return JSON.stringify(fields);
}

/** Two lists of lines are equal exactly when their contracts are equal, apart from new ids. */
export function linesOf(contracts: Iterable<Contract>, isNew: (id: ContractId) => boolean): string[] {
  return [...contracts]
    .filter(isAudited)
    .map((contract) => lineOf(contract, isNew))
    .sort();
}
