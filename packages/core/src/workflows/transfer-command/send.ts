import type { Contract } from '../../contracts/contract.js';
import { Effects } from '../../contracts/effects.js';
import { find, firstAbout, settingsOf, type LedgerState } from '../../contracts/state.js';
import type { TransferCommand, TransferCommandCounter } from '../../contracts/transfer-command.js';
import type { Amount } from '../../kernel/amount.js';
import type { Context, DetailShapes, OutcomeOf, ValueDetail } from '../../kernel/decision.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import { REJECTION_CODES, type RejectionCode } from '../../kernel/rejection.js';
import { err, ok } from '../../kernel/result.js';
import {
  amount,
  bool,
  contractId,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  party,
  type Fields,
  type Shape,
} from '../../kernel/shape.js';
import { sendPreapproved } from '../../rules/transfer/one-step.js';
import { notFound, refuseFrom, refuseMismatch, refuseUnlessActing } from '../../rules/refusals.js';
import { walletRound } from '../../rules/rounds.js';
import { detailOf, transferDetail, type TransferDetail } from '../../rules/transfer/transfer-detail.js';
import {
  feesPaid,
  rewardsUsed,
  transfer,
  type FeesPaid,
  type RewardsUsed,
  type Transferred,
} from '../../rules/transfer/transfer.js';
import { detailShape, shapeOf, type Decision } from '../../rules/workflow.js';

/** Executes a command. Acts as the delegate. */
export interface SendTransferCommand {
  readonly type: 'SendTransferCommand';
  readonly command: ContractId;
  /** The sender's coins and coupons, consumed in this order. */
  readonly inputs: readonly ContractId[];
  /** The receiver's preapproval; null: there is none, and the command fails. */
  readonly preapproval: ContractId | null;
  /** Counter of nonces; default: the sender's counter. */
  readonly counter?: ContractId;
}

export interface CommandTerms {
  readonly command: ContractId;
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly delegate: PartyId;
  readonly amount: Amount;
  readonly nonce: number;
}

interface CommandSentDetail extends TransferDetail {
  readonly command: ContractId;
  readonly delegate: PartyId;
  readonly nonce: number;
  readonly preapproval: ContractId;
}

interface CommandFailedDetail extends ValueDetail, CommandTerms {
  /** The broken condition; CONTRACT_NOT_FOUND: the receiver has no preapproval. */
  readonly reason: RejectionCode;
  /** False when the nonce had been spent before. */
  readonly spendsNonce: boolean;
  /** Number of merged inputs; zero when they were left unchanged. */
  readonly inputs: number;
  readonly merged: ContractId | null;
  readonly rewards: RewardsUsed | null;
  readonly fees: FeesPaid | null;
}

export interface SendDetails {
  readonly TransferCommandSent: CommandSentDetail;
  readonly TransferCommandFailed: CommandFailedDetail;
}

export const commandTerms: Fields<CommandTerms> = {
  command: contractId,
  sender: party,
  receiver: party,
  delegate: party,
  amount,
  nonce: integer,
};

export const sendShape: Shape<Omit<SendTransferCommand, 'type'>> = shapeOf<SendTransferCommand>({
  command: contractId,
  inputs: list(contractId),
  preapproval: nullable(contractId),
  counter: optional(contractId),
});

export const sendDetails: DetailShapes<SendDetails> = {
  TransferCommandSent: transferDetail<CommandSentDetail>({
    command: contractId,
    delegate: party,
    nonce: integer,
    preapproval: contractId,
  }),
  TransferCommandFailed: detailShape<CommandFailedDetail>({
    ...commandTerms,
    reason: oneOf(REJECTION_CODES),
    spendsNonce: bool,
    inputs: integer,
    merged: nullable(contractId),
    rewards: nullable(rewardsUsed),
    fees: nullable(feesPaid),
  }),
};

/**
 * A nonce below the counter ends the command without any effect; a higher one is refused, and the command waits. With
 * the next nonce the command is spent even if the transfer fails, because the counter advances before the transfer is
 * tried. Source: specification §3.13.
 */
export function send(command: SendTransferCommand, state: LedgerState, context: Context): Decision<SendDetails> {
  const { now } = context;
  const found = find(state, 'TransferCommand', command.command);
  if (!found) return err(notFound(command.command, 'TransferCommand'));
  const { sender, receiver, delegate, expiresAt, nonce } = found;
  const unauthorised = refuseUnlessActing(context, delegate);
  if (unauthorised) return err(unauthorised);
  const counter =
    command.counter === undefined ? counterOf(state, sender) : find(state, 'TransferCommandCounter', command.counter);
  if (!counter)
    return err({
      code: 'CONTRACT_NOT_FOUND',
      contract: command.counter ?? null,
      wanted: `the TransferCommandCounter of ${sender}`,
    });
  const stranger = refuseMismatch(counter.id, 'sender', sender, counter.sender);
  if (stranger) return err(stranger);

  const effects = new Effects(state);
  effects.archive(found);
  if (nonce < counter.nextNonce) return ok(failed(found, 'NONCE_TOO_LOW', null, effects));
  if (nonce > counter.nextNonce) return err({ code: 'NONCE_TOO_HIGH', nonce, nextNonce: counter.nextNonce });
  effects.archive(counter);
  effects.create('TransferCommandCounter', { sender, nextNonce: nonce + 1 });
  if (command.preapproval === null) return ok(failed(found, 'CONTRACT_NOT_FOUND', null, effects));

  const preapproval = find(state, 'TransferPreapproval', command.preapproval);
  if (!preapproval) return err(notFound(command.preapproval, 'TransferPreapproval'));
  const refused =
    refuseMismatch(preapproval.id, 'receiver', receiver, preapproval.receiver) ?? refuseFrom(expiresAt, now);
  if (refused) return err(refused);
  const round = walletRound(state, now);
  if (!round.ok) return round;

  const beforeTransfer = effects.mark();
  const { inputs } = command;
  const { amount: value } = found;
  const done =
    now < preapproval.expiresAt
      ? sendPreapproved({ sender, amount: value, inputs, preapproval, round: round.value, now }, state, effects)
      : err({ code: 'PREAPPROVAL_EXPIRED', deadline: preapproval.expiresAt, at: now } as const);
  if (done.ok) {
    const meta = found.description === null ? {} : { reason: found.description };
    const terms = { sender, receiver, amount: value, meta };
    const more = { command: found.id, delegate, nonce, preapproval: preapproval.id };
    return ok(effects.outcomeOf('TransferCommandSent', detailOf(terms, inputs.length, done.value, effects, more)));
  }
  if (settingsOf(state).profile.failureAborts) return done;
  effects.rollback(beforeTransfer);
  // Failed commands merge all inputs into one coin, so that their senders do not accumulate small coins. Never featured.
  const merging = { sender, provider: delegate, inputs, outputs: [], round: round.value, now };
  const merged = transfer(merging, state, effects);
  if (!merged.ok) return merged;
  return ok(failed(found, done.error.code, { inputs: inputs.length, done: merged.value }, effects));
}

function failed(
  command: TransferCommand,
  reason: RejectionCode,
  merge: { readonly inputs: number; readonly done: Transferred } | null,
  effects: Effects,
): OutcomeOf<Contract, Pick<SendDetails, 'TransferCommandFailed'>> {
  return effects.outcome('TransferCommandFailed', {
    ...termsOf(command),
    reason,
    spendsNonce: reason !== 'NONCE_TOO_LOW',
    inputs: merge?.inputs ?? 0,
    merged: merge?.done.change?.id ?? null,
    rewards: merge?.done.rewards ?? null,
    fees: merge?.done.fees ?? null,
  });
}

export function counterOf(state: LedgerState, sender: PartyId): TransferCommandCounter | null {
  return firstAbout(state, 'TransferCommandCounter', sender);
}

export function termsOf({ id, sender, receiver, delegate, amount: value, nonce }: TransferCommand): CommandTerms {
  return { command: id, sender, receiver, delegate, amount: value, nonce };
}
