import type { Amount } from '../../kernel/amount.js';
import type { CommandShapes } from '../../kernel/decision.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import { keysOf } from '../../kernel/iterables.js';
import {
  amount,
  bool,
  contractId,
  duration,
  instant,
  integer,
  optional,
  party,
  record,
  tagged,
  type Shape,
} from '../../kernel/shape.js';
import type { Duration, Instant } from '../../kernel/time.js';
import { directArgument, type DirectArgument } from '../../rules/one-step.js';
import { namedMember, type NamedMember } from '../../rules/traffic-purchase.js';

/**
 * The operations of a batch: commands with the same names, without the fields that the batch has for all of them
 * (payer, provider and inputs).
 * Source: specification §8.1.
 */
export type BatchOperation =
  | { readonly type: 'CompleteWalletOffer'; readonly accepted: ContractId }
  | { readonly type: 'MergeHoldings' }
  | ({ readonly type: 'BuyMemberTraffic'; readonly trafficBytes: number } & NamedMember)
  | {
      readonly type: 'TopUpTraffic';
      readonly topUpState: ContractId;
      readonly trafficBytes: number;
      readonly minTopupInterval: Duration;
      readonly tap?: boolean;
    }
  | { readonly type: 'CompleteTrafficRequest'; readonly request: ContractId }
  | { readonly type: 'Tap'; readonly amount: Amount }
  | {
      readonly type: 'CreateExternalPartySetupProposal';
      readonly user: PartyId;
      readonly preapprovalExpiresAt: Instant;
    }
  | { readonly type: 'AcceptPreapprovalProposal'; readonly proposal: ContractId; readonly expiresAt: Instant }
  | { readonly type: 'RenewPreapproval'; readonly preapproval: ContractId; readonly newExpiresAt: Instant }
  | ({ readonly type: 'DirectTransfer' } & Omit<DirectArgument, 'sender' | 'inputs'>)
  | { readonly type: 'PayAnsSubscription'; readonly subscription: ContractId };

type OperationOf<Type extends BatchOperation['type']> = Extract<BatchOperation, { readonly type: Type }>;

type Added = { readonly inputs: readonly ContractId[] };
type Provided = Added & { readonly walletProvider: PartyId };

export type BatchedCommand =
  | (OperationOf<'CompleteWalletOffer' | 'CompleteTrafficRequest'> & Provided)
  | (OperationOf<'MergeHoldings'> & Added & { readonly owner: PartyId })
  | (OperationOf<'BuyMemberTraffic'> & Added & { readonly payer: PartyId })
  | (OperationOf<'CreateExternalPartySetupProposal'> & Added & { readonly validator: PartyId })
  | (OperationOf<'DirectTransfer'> & Added & { readonly sender: PartyId })
  | (OperationOf<'Tap'> & { readonly receiver: PartyId })
  | (OperationOf<'TopUpTraffic' | 'AcceptPreapprovalProposal' | 'RenewPreapproval' | 'PayAnsSubscription'> & Added);

const { sender: _sender, inputs: _inputs, ...directTerms } = directArgument;

const operationShapes: CommandShapes<BatchOperation> = {
  CompleteWalletOffer: record<Omit<OperationOf<'CompleteWalletOffer'>, 'type'>>({ accepted: contractId }),
  MergeHoldings: record<Omit<OperationOf<'MergeHoldings'>, 'type'>>({}),
  BuyMemberTraffic: record<Omit<OperationOf<'BuyMemberTraffic'>, 'type'>>({ ...namedMember, trafficBytes: integer }),
  TopUpTraffic: record<Omit<OperationOf<'TopUpTraffic'>, 'type'>>({
    topUpState: contractId,
    trafficBytes: integer,
    minTopupInterval: duration,
    tap: optional(bool),
  }),
  CompleteTrafficRequest: record<Omit<OperationOf<'CompleteTrafficRequest'>, 'type'>>({ request: contractId }),
  Tap: record<Omit<OperationOf<'Tap'>, 'type'>>({ amount }),
  CreateExternalPartySetupProposal: record<Omit<OperationOf<'CreateExternalPartySetupProposal'>, 'type'>>({
    user: party,
    preapprovalExpiresAt: instant,
  }),
  AcceptPreapprovalProposal: record<Omit<OperationOf<'AcceptPreapprovalProposal'>, 'type'>>({
    proposal: contractId,
    expiresAt: instant,
  }),
  RenewPreapproval: record<Omit<OperationOf<'RenewPreapproval'>, 'type'>>({
    preapproval: contractId,
    newExpiresAt: instant,
  }),
  DirectTransfer: record<Omit<OperationOf<'DirectTransfer'>, 'type'>>(directTerms),
  PayAnsSubscription: record<Omit<OperationOf<'PayAnsSubscription'>, 'type'>>({ subscription: contractId }),
};

export const OPERATION_TYPES: readonly BatchOperation['type'][] = keysOf(operationShapes);

export const batchOperation: Shape<BatchOperation> = tagged<BatchOperation>('type', operationShapes);

/** Transfers of the registry leave coupons to the next operation. */
export function takesCoinsOnly({ type }: BatchOperation): boolean {
  return type === 'DirectTransfer';
}

export function commandOf(
  operation: BatchOperation,
  {
    owner,
    validator,
    inputs,
  }: { readonly owner: PartyId; readonly validator: PartyId; readonly inputs: readonly ContractId[] },
): BatchedCommand {
  switch (operation.type) {
    case 'CompleteWalletOffer':
    case 'CompleteTrafficRequest':
      return { ...operation, walletProvider: validator, inputs };
    case 'MergeHoldings':
      return { ...operation, owner, inputs };
    case 'BuyMemberTraffic':
      return { ...operation, payer: owner, inputs };
    case 'CreateExternalPartySetupProposal':
      return { ...operation, validator: owner, inputs };
    case 'DirectTransfer':
      return { ...operation, sender: owner, inputs };
    case 'Tap':
      return { ...operation, receiver: owner };
    case 'TopUpTraffic':
    case 'AcceptPreapprovalProposal':
    case 'RenewPreapproval':
    case 'PayAnsSubscription':
      return { ...operation, inputs };
  }
}
