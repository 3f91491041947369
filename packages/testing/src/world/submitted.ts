import type { Accepted, Command, CommandType, Ledger, Rejection, Result, Update, UpdateKind } from '@coinlab/core';

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

type KindOf<Type extends CommandType> = Type extends keyof Becomes ? Becomes[Type] : UpdateKind;

/** The update that a command becomes; an update of any kind for commands that no verb submits. */
export type UpdateOfCommand<C extends Command = Command> = Extract<Update, { readonly kind: KindOf<C['type']> }>;

/** The result of a command: the update, its entry and the ledger after it, or the rejection. */
export type Submitted<C extends Command = Command> = Result<
  Accepted<UpdateOfCommand<C>> & { readonly ledger: Ledger },
  Rejection
>;
