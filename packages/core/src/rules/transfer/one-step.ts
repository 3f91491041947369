import type { Effects } from '../../contracts/effects.js';
import type { LedgerState } from '../../contracts/state.js';
import type { TransferTerms } from '../../contracts/transfer-instruction.js';
import type { TransferPreapproval } from '../../contracts/transfer-preapproval.js';
import type { Amount } from '../../kernel/amount.js';
import type { Context } from '../../kernel/decision.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Rejected } from '../../kernel/rejection.js';
import { ok, type Result } from '../../kernel/result.js';
import { contractId, optional, type Fields } from '../../kernel/shape.js';
import type { Instant } from '../../kernel/time.js';
import { featuredRightOf, requirePreapproval } from './preapproval.js';
import {
  acceptTransfer,
  transferArgument,
  type RegistryRejection,
  type TransferArgument,
} from './registry-transfer.js';
import { registryRound, type TransferRound } from '../rounds.js';
import { transfer, type Transferred, type TransferRejection } from './transfer.js';

/** The argument of a registry transfer with the receiver's preapproval. Source: specification §3.11, §7.2. */
export interface DirectArgument extends TransferArgument {
  /** Preapproval to use; default: the receiver's preapproval in force. */
  readonly preapproval?: ContractId;
}

export const directArgument: Fields<DirectArgument> = { ...transferArgument, preapproval: optional(contractId) };

export interface OneStep {
  readonly terms: TransferTerms;
  readonly done: Transferred;
  readonly preapproval: TransferPreapproval | null;
}

export type OneStepRejection =
  RegistryRejection | Rejected<'PREAPPROVAL_EXPIRED' | 'ROUND_NOT_OPEN'> | TransferRejection;

/** Source: specification §7.2. */
export function payDirectly(
  argument: DirectArgument,
  state: LedgerState,
  context: Context,
  effects: Effects,
): Result<OneStep & { readonly preapproval: TransferPreapproval }, OneStepRejection> {
  const { now } = context;
  const preapproval = requirePreapproval(state, argument.receiver, argument.preapproval, now);
  const refusal = preapproval.ok ? null : preapproval.error;
  const { receiver } = argument;
  const terms = acceptTransfer<Rejected<'PREAPPROVAL_EXPIRED'>>(argument, receiver, state, context, () => refusal);
  if (!terms.ok) return terms;
  if (!preapproval.ok) return preapproval;
  const round = registryRound(state, now);
  if (!round.ok) return round;
  const { sender, amount } = terms.value;
  const { inputs } = argument;
  const done = sendPreapproved(
    { sender, amount, inputs, preapproval: preapproval.value, round: round.value, now, coinsOnly: true },
    state,
    effects,
  );
  return done.ok ? ok({ terms: terms.value, done: done.value, preapproval: preapproval.value }) : done;
}

/** The transfer counts as unfeatured. Source: specification §5.5, §7.3. */
export function payOneself(
  argument: Omit<TransferArgument, 'receiver'>,
  state: LedgerState,
  context: Context,
  effects: Effects,
): Result<OneStep, OneStepRejection> {
  const terms = acceptTransfer(argument, argument.sender, state, context);
  if (!terms.ok) return terms;
  const round = registryRound(state, context.now);
  if (!round.ok) return round;
  const { sender, amount } = terms.value;
  const done = transfer(
    {
      sender,
      provider: sender,
      inputs: argument.inputs,
      outputs: [{ receiver: sender, amount }],
      round: round.value,
      now: context.now,
      coinsOnly: true,
    },
    state,
    effects,
  );
  return done.ok ? ok({ terms: terms.value, done: done.value, preapproval: null }) : done;
}

/** Transfers to the receiver of a preapproval, with its provider. Source: specification §3.15. */
export function sendPreapproved(
  send: {
    readonly sender: PartyId;
    readonly amount: Amount;
    readonly inputs: readonly ContractId[];
    readonly preapproval: TransferPreapproval;
    readonly round: TransferRound;
    readonly now: Instant;
    readonly coinsOnly?: true;
  },
  state: LedgerState,
  effects: Effects,
): Result<Transferred, TransferRejection> {
  const { sender, amount, inputs, round, now, coinsOnly } = send;
  const { receiver, provider } = send.preapproval;
  return transfer(
    {
      sender,
      provider,
      inputs,
      outputs: [{ receiver, amount }],
      round,
      now,
      featuredAppRight: featuredRightOf(state, provider),
      coinsOnly,
    },
    state,
    effects,
  );
}
