import type { UpdateKind } from '@coinlab/core';

/**
 * Exercises that precede the created contracts in the tree of an update; zero for other kinds. They give the node ids
 * of the contracts without reading the update.
 */
const EXERCISES: { readonly [Kind in UpdateKind]?: number } = {
  Tapped: 1,
  Minted: 1,
  FeaturedAppRightGranted: 1,
  FeaturedAppRightCancelled: 1,
  SelfTransferred: 1,
  HoldingsMerged: 1,
  TransferCompleted: 2,
  TransferOffered: 1,
  TransferAccepted: 1,
  TransferRejected: 1,
  TransferWithdrawn: 1,
  TransferExpired: 1,
  HoldingUnlocked: 1,
  LockExpired: 1,
  PreapprovalCreated: 1,
  PreapprovalRenewed: 1,
  PreapprovalCancelled: 1,
  WalletOfferCompleted: 2,
  TrafficPurchased: 1,
  TrafficToppedUp: 1,
  TrafficRequestCompleted: 2,
  AnsPaymentMade: 2,
  AnsPaymentCollected: 1,
  AnsPaymentRejected: 1,
  AnsPaymentReclaimed: 1,
  MergeDelegationAccepted: 1,
  MergeDelegationProposalRejected: 1,
  MergeDelegationProposalWithdrawn: 1,
  MergeDelegationRejected: 1,
  MergeDelegationWithdrawn: 1,
  MintingDelegationAccepted: 1,
  MintingDelegationProposalRejected: 1,
  MintingDelegationProposalWithdrawn: 1,
  MintingDelegationRejected: 1,
  MintingDelegationWithdrawn: 1,
  MintedForBeneficiary: 2,
  ExternalPartySetupProposed: 1,
  ExternalPartySetupAccepted: 1,
  ExternalPartySetupRejected: 1,
  ExternalPartySetupWithdrawn: 1,
  TransferCommandSent: 2,
  TransferCommandFailed: 2,
  ForeignContractArchived: 1,
};

const SIDE_BY_SIDE: ReadonlySet<UpdateKind> = new Set<UpdateKind>(['BatchExecuted', 'DelegatedHoldingsMerged']);

export function isExercised(kind: UpdateKind): boolean {
  return SIDE_BY_SIDE.has(kind) || EXERCISES[kind] !== undefined;
}

export function firstCreatedNode({
  kind,
  archived,
}: {
  readonly kind: UpdateKind;
  readonly archived: number;
}): number | null {
  return SIDE_BY_SIDE.has(kind) ? null : archived + (EXERCISES[kind] ?? 0);
}
