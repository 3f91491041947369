import type { Effects } from '../../contracts/effects.js';
import type { Holding } from '../../contracts/holding.js';
import type { MergeDelegation } from '../../contracts/merge-delegation.js';
import type { LedgerState } from '../../contracts/state.js';
import { Amount } from '../../kernel/amount.js';
import type { Context } from '../../kernel/decision.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Rejected } from '../../kernel/rejection.js';
import { err, ok, type Result } from '../../kernel/result.js';
import {
  amount,
  contractId,
  integer,
  list,
  nullable,
  optional,
  party,
  record,
  type Fields,
  type Shape,
} from '../../kernel/shape.js';
import type { Instant } from '../../kernel/time.js';
import {
  directArgument,
  payDirectly,
  payOneself,
  type DirectArgument,
  type OneStep,
  type OneStepRejection,
} from '../../rules/transfer/one-step.js';
import { invalid, notFound, refuseMismatch } from '../../rules/refusals.js';
import { transferArgument, type TransferArgument } from '../../rules/transfer/registry-transfer.js';
import {
  beneficiaryShape,
  joinBeneficiaries,
  refuseBeneficiaries,
  type Beneficiary,
} from '../../rules/rewards/rewards.js';
import { feesPaid, type FeesPaid } from '../../rules/transfer/transfer.js';

/** Activity of a featured operator, marked once per merge. Source: specification §3.17, §3.7. */
export interface MergeActivity {
  readonly right: ContractId;
  /** Parties that share the reward of the activity; default: the operator alone. */
  readonly beneficiaries?: readonly Beneficiary[];
}

/** The transfers for one owner: a merge, an extra transfer, or both. Source: specification §3.17. */
export interface MergeCall {
  readonly delegation: ContractId;
  /** The merge: a transfer from the owner to the owner, with fewer outputs than inputs. The extra transfer's coin and amount are added to it. */
  readonly merge?: TransferArgument;
  /** The extra transfer from the operator to the owner, who has a preapproval; executed first. */
  readonly extra?: DirectArgument;
  readonly activity?: MergeActivity;
}

/** The result of one call. */
export interface MergedCall {
  readonly delegation: ContractId;
  readonly owner: PartyId;
  /** Number of merged holdings, including the extra coin; zero when the call had no merge. */
  readonly inputs: number;
  /** The owner's new coins, change last. */
  readonly holdings: readonly ContractId[];
  readonly amount: Amount;
  /** Part of the amount that the operator's extra transfer paid. */
  readonly extra: Amount;
  /** Fees of the owner's merge; null for none. */
  readonly mergeFees: FeesPaid | null;
  /** Fees of the operator's extra transfer; null for none. */
  readonly extraFees: FeesPaid | null;
  readonly markers: number;
}

/** In order of precedence: refusals of the extra transfer, of the merge, of the activity marker. */
export type MergeCallRejection =
  Rejected<'INVALID_ARGUMENT' | 'GROUP_MISMATCH'> | OneStepRejection | Rejected<'MERGE_NOT_REDUCING'>;

export const mergeCall: Fields<MergeCall> = {
  delegation: contractId,
  merge: optional(record<TransferArgument>(transferArgument)),
  extra: optional(record<DirectArgument>(directArgument)),
  activity: optional(record<MergeActivity>({ right: contractId, beneficiaries: optional(list(beneficiaryShape)) })),
};

export const mergedCall: Shape<MergedCall> = record<MergedCall>({
  delegation: contractId,
  owner: party,
  inputs: integer,
  holdings: list(contractId),
  amount,
  extra: amount,
  mergeFees: nullable(feesPaid),
  extraFees: nullable(feesPaid),
  markers: integer,
});

interface Making {
  readonly call: MergeCall;
  readonly delegation: MergeDelegation;
  readonly operatorChange: ContractId | null;
}

/**
 * Source: specification §3.17.
 * @returns the result, and the operator's change, which is an input of the next extra transfer
 */
export function makeCall(
  { call, delegation, operatorChange }: Making,
  state: LedgerState,
  now: Instant,
  effects: Effects,
): Result<{ readonly call: MergedCall; readonly operatorChange: ContractId | null }, MergeCallRejection> {
  const { id, owner, operator } = delegation;
  if (!call.merge && !call.extra) return err(invalid('merge', 'nothing', 'a merge, an extra transfer or both'));
  // The delegation is signed by both, so within it both act.
  const context: Context = { now, actAs: [operator, owner] };

  const extra = call.extra ? payExtra(call.extra, { call, delegation, operatorChange }, state, context, effects) : null;
  if (extra && !extra.ok) return extra;
  const brought = extra?.value.done.outputs ?? [];

  const merged = call.merge ? mergeHoldings(call.merge, delegation, brought, state, context, effects) : null;
  if (merged && !merged.ok) return merged;
  const marked = merged && call.activity ? mark(call.activity, operator, effects) : ok(0);
  if (!marked.ok) return marked;

  const left = merged ? coinsOf(merged.value) : brought;
  return ok({
    call: {
      delegation: id,
      owner,
      inputs: call.merge ? call.merge.inputs.length + brought.length : 0,
      holdings: left.map((coin) => coin.id),
      amount: Amount.sum(left.map((coin) => coin.amount)),
      extra: call.extra?.amount ?? Amount.zero,
      mergeFees: merged?.value.done.fees ?? null,
      extraFees: extra?.value.done.fees ?? null,
      markers: marked.value,
    },
    operatorChange: extra ? (extra.value.done.change?.id ?? null) : operatorChange,
  });
}

function payExtra(
  argument: DirectArgument,
  { delegation, operatorChange }: Making,
  state: LedgerState,
  context: Context,
  effects: Effects,
): Result<OneStep, MergeCallRejection> {
  const { id, owner, operator } = delegation;
  const stranger =
    refuseMismatch(id, 'extra.sender', operator, argument.sender) ??
    refuseMismatch(id, 'extra.receiver', owner, argument.receiver);
  if (stranger) return err(stranger);
  const inputs = operatorChange === null ? argument.inputs : [...argument.inputs, operatorChange];
  // An owner that is its own wallet provider pays itself, which needs no preapproval (§7.0).
  const pay = owner === operator ? payOneself : payDirectly;
  return pay({ ...argument, inputs }, state, context, effects);
}

function mergeHoldings(
  argument: TransferArgument,
  { id, owner }: MergeDelegation,
  brought: readonly Holding[],
  state: LedgerState,
  context: Context,
  effects: Effects,
): Result<OneStep, MergeCallRejection> {
  const stranger =
    refuseMismatch(id, 'merge.sender', owner, argument.sender) ??
    refuseMismatch(id, 'merge.receiver', owner, argument.receiver);
  if (stranger) return err(stranger);
  const inputs = [...argument.inputs, ...brought.map((coin) => coin.id)];
  const whole = Amount.sum([argument.amount, ...brought.map((coin) => coin.amount)]);
  const merged = payOneself({ ...argument, inputs, amount: whole }, state, context, effects);
  if (!merged.ok) return merged;
  const outputs = coinsOf(merged.value).length;
  return inputs.length > outputs ? merged : err({ code: 'MERGE_NOT_REDUCING', inputs: inputs.length, outputs });
}

/** Creates activity markers in every profile, because they come from the featured right, not from the transfer. */
function mark(
  { right: id, beneficiaries }: MergeActivity,
  operator: PartyId,
  effects: Effects,
): Result<number, MergeCallRejection> {
  const right = effects.find('FeaturedAppRight', id);
  if (!right) return err(notFound(id, 'FeaturedAppRight'));
  const stranger = refuseMismatch(id, 'provider', operator, right.provider);
  if (stranger) return err(stranger);
  const shares = joinBeneficiaries(beneficiaries ?? [{ beneficiary: operator, weight: Amount.one }]);
  const refused = beneficiaries ? refuseBeneficiaries(beneficiaries) : null;
  if (refused) return err(refused);
  for (const { beneficiary, weight } of shares) {
    effects.create('FeaturedAppActivityMarker', { provider: operator, beneficiary, weight });
  }
  return ok(shares.length);
}

function coinsOf({ done: { outputs, change } }: OneStep): readonly Holding[] {
  return change ? [...outputs, change] : outputs;
}
