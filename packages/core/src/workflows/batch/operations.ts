import { keysOf } from '@coinlab/collections';
import type { Amount } from '../../kernel/amount.js';
import type { CommandShapes } from '../../kernel/decision.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import {
  amount,
  bool,
  contractId,
  duration,
  instant,
  integer,
  optional,
  party,
  tagged,
  type Shape,
} from '../../kernel/shape.js';
import type { Duration, Instant } from '../../kernel/time.js';
import { directArgument, type DirectArgument } from '../../rules/transfer/one-step.js';
import { namedMember, type NamedMember } from '../../rules/traffic/traffic-purchase.js';
import { shapeOf } from '../../rules/workflow.js';

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
  CompleteWalletOffer: shapeOf<OperationOf<'CompleteWalletOffer'>>({ accepted: contractId }),
  MergeHoldings: shapeOf<OperationOf<'MergeHoldings'>>({}),
  BuyMemberTraffic: shapeOf<OperationOf<'BuyMemberTraffic'>>({ ...namedMember, trafficBytes: integer }),
  TopUpTraffic: shapeOf<OperationOf<'TopUpTraffic'>>({
    topUpState: contractId,
    trafficBytes: integer,
    minTopupInterval: duration,
    tap: optional(bool),
  }),
  CompleteTrafficRequest: shapeOf<OperationOf<'CompleteTrafficRequest'>>({ request: contractId }),
  Tap: shapeOf<OperationOf<'Tap'>>({ amount }),
  CreateExternalPartySetupProposal: shapeOf<OperationOf<'CreateExternalPartySetupProposal'>>({
    user: party,
    preapprovalExpiresAt: instant,
  }),
  AcceptPreapprovalProposal: shapeOf<OperationOf<'AcceptPreapprovalProposal'>>({
    proposal: contractId,
    expiresAt: instant,
  }),
  RenewPreapproval: shapeOf<OperationOf<'RenewPreapproval'>>({ preapproval: contractId, newExpiresAt: instant }),
  DirectTransfer: shapeOf<OperationOf<'DirectTransfer'>>(directTerms),
  PayAnsSubscription: shapeOf<OperationOf<'PayAnsSubscription'>>({ subscription: contractId }),
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
