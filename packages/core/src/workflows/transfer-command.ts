import type { Contract } from '../contracts/contract.js';
import { Effects } from '../contracts/effects.js';
import { find, firstByKey, settingsOf, type LedgerState } from '../contracts/state.js';
import type { TransferCommand, TransferCommandCounter } from '../contracts/transfer-command.js';
import type { Decision, Workflow } from '../contracts/workflow.js';
import type { Amount } from '../kernel/amount.js';
import type { Context, OutcomeOf, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { REJECTION_CODES, type Rejected, type RejectionCode } from '../kernel/rejection.js';
import { err, ok, type Result } from '../kernel/result.js';
import {
  amount,
  bool,
  contractId,
  instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  party,
  record,
  text,
  type Fields,
} from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import { refuseUnlessActing, refuseUnlessAnyActs } from '../rules/authority.js';
import { valueDetail } from '../rules/detail.js';
import { sendPreapproved } from '../rules/one-step.js';
import { walletRound, type TransferRound } from '../rules/rounds.js';
import { detailOf, transferDetail, type TransferDetail } from '../rules/transfer-detail.js';
import {
  feesPaid,
  rewardsUsed,
  transfer,
  type FeesPaid,
  type RewardsUsed,
  type Transferred,
  type TransferRejection,
} from '../rules/transfer.js';

/**
 * The order of an external party to pay somebody: it signs the creation of a TransferCommand, and its delegate executes it with the
 * coins that are there then. Commands of a sender take effect in the order of their nonces, each once.
 * Source: specification §3.13, §7.6, §8.10. Assumptions.
 */
export type TransferCommandCommand =
  | CreateTransferCommandCounter
  | CreateTransferCommand
  | SendTransferCommand
  | WithdrawTransferCommand
  | ExpireTransferCommand;

/** Starts to count the commands of a sender, from nonce 0. Acts as the DSO. */
export interface CreateTransferCommandCounter {
  readonly type: 'CreateTransferCommandCounter';
  readonly sender: PartyId;
}

/** Neither the balance nor the nonce is looked at before it is sent. Acts as the sender. */
export interface CreateTransferCommand {
  readonly type: 'CreateTransferCommand';
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly delegate: PartyId;
  readonly amount: Amount;
  readonly expiresAt: Instant;
  readonly nonce: number;
  readonly description?: string;
  /** Left out: the DSO of this ledger. */
  readonly expectedDso?: PartyId;
}

/** Executes a command. Acts as the delegate. */
export interface SendTransferCommand {
  readonly type: 'SendTransferCommand';
  readonly command: ContractId;
  /** The sender's coins and coupons, consumed in this order. */
  readonly inputs: readonly ContractId[];
  /** The receiver's preapproval; null says that there is none, and the command fails. */
  readonly preapproval: ContractId | null;
  /** Left out: the sender's counter. */
  readonly counter?: ContractId;
}

/** Takes the command back. Acts as the sender. */
export interface WithdrawTransferCommand {
  readonly type: 'WithdrawTransferCommand';
  readonly command: ContractId;
}

/** Removes a command that has expired. Acts as the sender, the delegate or the DSO. */
export interface ExpireTransferCommand {
  readonly type: 'ExpireTransferCommand';
  readonly command: ContractId;
}

/** What every update of a command tells about it. */
export interface CommandTerms {
  readonly command: ContractId;
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly delegate: PartyId;
  readonly amount: Amount;
  readonly nonce: number;
}

/** What the creation and the end of a command without execution carry. */
export interface TransferCommandDetail extends ValueDetail, CommandTerms {
  readonly expiresAt: Instant;
}

/** What an executed command carries. */
export interface CommandSentDetail extends TransferDetail {
  readonly command: ContractId;
  readonly delegate: PartyId;
  readonly nonce: number;
  readonly preapproval: ContractId;
}

/** What a command carries that could not be executed and is spent all the same. */
export interface CommandFailedDetail extends ValueDetail, CommandTerms {
  /** The broken condition; CONTRACT_NOT_FOUND: the receiver has no preapproval. */
  readonly reason: RejectionCode;
  /** Whether its nonce is spent: not when it had been spent before. */
  readonly spendsNonce: boolean;
  /** Number of inputs that were merged; zero when they were left alone. */
  readonly inputs: number;
  /** The coin into which they were merged. */
  readonly merged: ContractId | null;
  readonly rewards: RewardsUsed | null;
  readonly fees: FeesPaid | null;
}

/** What updates of this workflow carry. */
export interface TransferCommandDetails {
  readonly TransferCommandCounterCreated: ValueDetail & { readonly counter: ContractId; readonly sender: PartyId };
  readonly TransferCommandCreated: TransferCommandDetail;
  readonly TransferCommandSent: CommandSentDetail;
  readonly TransferCommandFailed: CommandFailedDetail;
  readonly TransferCommandWithdrawn: TransferCommandDetail;
  readonly TransferCommandExpired: TransferCommandDetail;
}

/** In order of precedence. */
export type TransferCommandRejection =
  | Rejected<
      | 'CONTRACT_NOT_FOUND'
      | 'NOT_AUTHORISED'
      | 'DSO_MISMATCH'
      | 'ALREADY_EXISTS'
      | 'GROUP_MISMATCH'
      | 'NONCE_TOO_HIGH'
      | 'DEADLINE_PASSED'
      | 'DEADLINE_NOT_REACHED'
      | 'ROUND_NOT_OPEN'
      | 'PREAPPROVAL_EXPIRED'
    >
  | TransferRejection;

type Answer = Decision<TransferCommandDetails, TransferCommandRejection>;

const named = record<Omit<WithdrawTransferCommand, 'type'>>({ command: contractId });
const terms: Fields<CommandTerms> = {
  command: contractId,
  sender: party,
  receiver: party,
  delegate: party,
  amount,
  nonce: integer,
};
const detail = record<TransferCommandDetail>({ ...valueDetail, ...terms, expiresAt: instant });

/** The workflow of transfer commands. */
export const transferCommand: Workflow<TransferCommandCommand, TransferCommandDetails, TransferCommandRejection> = {
  commands: {
    CreateTransferCommandCounter: record<Omit<CreateTransferCommandCounter, 'type'>>({ sender: party }),
    CreateTransferCommand: record<Omit<CreateTransferCommand, 'type'>>({
      sender: party,
      receiver: party,
      delegate: party,
      amount,
      expiresAt: instant,
      nonce: integer,
      description: optional(text),
      expectedDso: optional(party),
    }),
    SendTransferCommand: record<Omit<SendTransferCommand, 'type'>>({
      command: contractId,
      inputs: list(contractId),
      preapproval: nullable(contractId),
      counter: optional(contractId),
    }),
    WithdrawTransferCommand: named,
    ExpireTransferCommand: named,
  },
  details: {
    TransferCommandCounterCreated: record<TransferCommandDetails['TransferCommandCounterCreated']>({
      ...valueDetail,
      counter: contractId,
      sender: party,
    }),
    TransferCommandCreated: detail,
    TransferCommandSent: record<CommandSentDetail>({
      ...transferDetail,
      command: contractId,
      delegate: party,
      nonce: integer,
      preapproval: contractId,
    }),
    TransferCommandFailed: record<CommandFailedDetail>({
      ...valueDetail,
      ...terms,
      reason: oneOf(REJECTION_CODES),
      spendsNonce: bool,
      inputs: integer,
      merged: nullable(contractId),
      rewards: nullable(rewardsUsed),
      fees: nullable(feesPaid),
    }),
    TransferCommandWithdrawn: detail,
    TransferCommandExpired: detail,
  },
  decide,
};

function decide(command: TransferCommandCommand, state: LedgerState, context: Context): Answer {
  switch (command.type) {
    case 'CreateTransferCommandCounter':
      return createCounter(command, state, context);
    case 'CreateTransferCommand':
      return create(command, state, context);
    case 'SendTransferCommand':
      return send(command, state, context);
    case 'WithdrawTransferCommand':
    case 'ExpireTransferCommand':
      return end(command, state, context);
  }
}

function createCounter({ sender }: CreateTransferCommandCounter, state: LedgerState, context: Context): Answer {
  const unauthorised = refuseUnlessActing(context, settingsOf(state).dso);
  if (unauthorised) return err(unauthorised);
  const known = counterOf(state, sender);
  if (known) return err({ code: 'ALREADY_EXISTS', what: `a TransferCommandCounter of ${sender}`, contract: known.id });
  const effects = new Effects(state);
  const { id: counter } = effects.create<TransferCommandCounter>({
    template: 'TransferCommandCounter',
    sender,
    nextNonce: 0,
  });
  return ok(effects.outcome('TransferCommandCounterCreated', { counter, sender }));
}

function create(command: CreateTransferCommand, state: LedgerState, context: Context): Answer {
  const { dso } = settingsOf(state);
  const { sender, receiver, delegate, amount: value, expiresAt, nonce } = command;
  const { description = null, expectedDso = dso } = command;
  const unauthorised = refuseUnlessActing(context, sender);
  if (unauthorised) return err(unauthorised);
  if (expectedDso !== dso) return err({ code: 'DSO_MISMATCH', expected: dso, actual: expectedDso });
  if (context.now >= expiresAt) return err({ code: 'DEADLINE_PASSED', deadline: expiresAt, at: context.now });
  const effects = new Effects(state);
  const created = effects.create<TransferCommand>({
    template: 'TransferCommand',
    sender,
    receiver,
    delegate,
    amount: value,
    expiresAt,
    nonce,
    description,
  });
  return ok(effects.outcome('TransferCommandCreated', { ...termsOf(created), expiresAt }));
}

function end(command: WithdrawTransferCommand | ExpireTransferCommand, state: LedgerState, context: Context): Answer {
  const found = find(state, 'TransferCommand', command.command);
  if (!found) return err({ code: 'CONTRACT_NOT_FOUND', contract: command.command, wanted: 'a TransferCommand' });
  const { sender, delegate, expiresAt } = found;
  const withdraws = command.type === 'WithdrawTransferCommand';
  const unauthorised = withdraws
    ? refuseUnlessActing(context, sender)
    : refuseUnlessAnyActs(context, delegate, sender, settingsOf(state).dso);
  if (unauthorised) return err(unauthorised);
  if (!withdraws && context.now < expiresAt)
    return err({ code: 'DEADLINE_NOT_REACHED', deadline: expiresAt, at: context.now });
  const effects = new Effects(state);
  effects.archive(found);
  return ok(
    effects.outcome(withdraws ? 'TransferCommandWithdrawn' : 'TransferCommandExpired', {
      ...termsOf(found),
      expiresAt,
    }),
  );
}

/**
 * A nonce below the counter ends the command without any effect, one above it is refused and waits. At its turn the command is
 * spent whatever comes of it, for the counter moves before the transfer is tried.
 */
function send(command: SendTransferCommand, state: LedgerState, context: Context): Answer {
  const { now } = context;
  const found = find(state, 'TransferCommand', command.command);
  if (!found) return err({ code: 'CONTRACT_NOT_FOUND', contract: command.command, wanted: 'a TransferCommand' });
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
  if (counter.sender !== sender) return err(mismatch(counter.id, 'sender', sender, counter.sender));

  const effects = new Effects(state);
  effects.archive(found);
  if (nonce < counter.nextNonce) return ok(failed(found, 'NONCE_TOO_LOW', null, effects));
  if (nonce > counter.nextNonce) return err({ code: 'NONCE_TOO_HIGH', nonce, nextNonce: counter.nextNonce });
  effects.archive(counter);
  effects.create<TransferCommandCounter>({ template: 'TransferCommandCounter', sender, nextNonce: nonce + 1 });
  if (command.preapproval === null) return ok(failed(found, 'CONTRACT_NOT_FOUND', null, effects));

  const preapproval = find(state, 'TransferPreapproval', command.preapproval);
  if (!preapproval)
    return err({ code: 'CONTRACT_NOT_FOUND', contract: command.preapproval, wanted: 'a TransferPreapproval' });
  if (preapproval.receiver !== receiver)
    return err(mismatch(preapproval.id, 'receiver', receiver, preapproval.receiver));
  if (now >= expiresAt) return err({ code: 'DEADLINE_PASSED', deadline: expiresAt, at: now });
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
    return ok(
      effects.outcome('TransferCommandSent', {
        ...detailOf({ sender, receiver, amount: value, meta }, inputs.length, done.value),
        command: found.id,
        delegate,
        nonce,
        preapproval: preapproval.id,
      }),
    );
  }
  if (settingsOf(state).profile.failureAborts) return done;
  effects.rollback(beforeTransfer);
  const merged = mergeInputs(found, inputs, round.value, state, context, effects);
  if (!merged.ok) return merged;
  return ok(failed(found, done.error.code, { inputs: inputs.length, done: merged.value }, effects));
}

/**
 * All inputs become one coin, so that a sender whose commands fail does not drown in small ones. The delegate is the provider, and
 * not featured.
 */
function mergeInputs(
  { sender, delegate }: TransferCommand,
  inputs: readonly ContractId[],
  round: TransferRound,
  state: LedgerState,
  { now }: Context,
  effects: Effects,
): Result<Transferred, TransferRejection> {
  return transfer(
    {
      sender,
      provider: delegate,
      inputs,
      outputs: [],
      round,
      now,
      featuredAppRight: null,
      createsRewards: true,
    },
    state,
    effects,
  );
}

/** The outcome of a command that is spent without a transfer; `merge` is what became of its inputs, if they were touched. */
function failed(
  command: TransferCommand,
  reason: RejectionCode,
  merge: { readonly inputs: number; readonly done: Transferred } | null,
  effects: Effects,
): OutcomeOf<Contract, Pick<TransferCommandDetails, 'TransferCommandFailed'>> {
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

function counterOf(state: LedgerState, sender: PartyId): TransferCommandCounter | null {
  return firstByKey(state, 'TransferCommandCounter', `sender:${sender}`);
}

function termsOf({ id, sender, receiver, delegate, amount: value, nonce }: TransferCommand): CommandTerms {
  return { command: id, sender, receiver, delegate, amount: value, nonce };
}

function mismatch(contract: ContractId, field: string, expected: PartyId, actual: PartyId): Rejected<'GROUP_MISMATCH'> {
  return { code: 'GROUP_MISMATCH', contract, field, expected, actual };
}
