import type { Command, Ledger, Rejection, Result, Update, UpdateKind, UpdateOf } from '@coinlab/core';

interface Becomes {
  readonly AllocateParty: 'PartyAllocated';
  readonly AcceptOffer: 'TransferAccepted';
  readonly CreateOffer: 'TransferOffered';
  readonly CreatePreapproval: 'PreapprovalCreated';
  readonly DirectTransfer: 'TransferCompleted';
  readonly ExpireOffer: 'TransferExpired';
  readonly MergeHoldings: 'HoldingsMerged';
  readonly Mint: 'Minted';
  readonly RejectOffer: 'TransferRejected';
  readonly Tap: 'Tapped';
  readonly WithdrawOffer: 'TransferWithdrawn';
}

/** The update that a command becomes. */
export type UpdateOfCommand<C extends Command = Command> = C['type'] extends keyof Becomes
  ? Becomes[C['type']] extends UpdateKind
    ? UpdateOf<Becomes[C['type']]>
    : Update
  : Update;

/** The result of a command: the update and the ledger after it, or the rejection. */
export type Submitted<C extends Command = Command> = Result<
  { readonly ledger: Ledger; readonly update: UpdateOfCommand<C> },
  Rejection
>;
