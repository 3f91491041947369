import type { PlainTransfer } from '../contracts/plain-transfer.js';
import {
  countOfTemplate,
  find,
  hasRightsOrKeys,
  numberingOf,
  plainInputsOf,
  plainPreapprovalOf,
  plainWorthOf,
  settingsOf,
  walletOf,
  type LedgerState,
} from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { Context } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Rejection } from '../kernel/rejection.js';
import type { Result } from '../kernel/result.js';
import { Instant, type Round } from '../kernel/time.js';
import { refuseUnsigned } from './authority.js';
import type { DirectArgument } from './one-step.js';
import { featuredRightOf } from './preapproval.js';
import { registryRound, walletRound, type TransferRound } from './rounds.js';

/**
 * A preapproved transfer that is plain, or null when it is not or would be refused: then {@link transfer} decides it. What is found plain here
 * does what the rules say, no more: every condition is that of a rule, under which all that is not looked at comes to nothing.
 * Source: specification §3.11, §3.15, §5, §7.2.
 */
export function plainDirectTransfer(
  argument: DirectArgument,
  state: LedgerState,
  context: Context,
): PlainTransfer | null {
  const { sender, receiver, amount, inputs } = argument;
  if (saysMore(argument) || !actsAlone(sender, state, context)) return null;
  const from = walletOf(state, sender);
  const to = receiver === sender ? from : walletOf(state, receiver);
  const preapproval = preapprovalOf(to, argument, state, context.now);
  if (preapproval === 0) return null;
  const worth = plainWorthOf(state, from, inputs);
  // Above 2⁵³ units, where a double may not hold an amount, it is above what any small wallet is worth.
  return payment(from, to, inputs, worth, Number(amount), preapproval, state, context.now, null);
}

/**
 * A payment between two wallets out of the smallest coins of one, under the only preapproval of the other: what
 * {@link plainDirectTransfer} finds in the command that says so, found in numbers.
 * @param units of 10⁻¹⁰ coin
 * @param room where the transfer is written: as many as come, none outlives the next
 */
export function plainPayment(
  from: number,
  to: number,
  units: number,
  state: LedgerState,
  now: Instant,
  room: Room,
): PlainTransfer | null {
  if (from === to || now < state.time || hasRightsOrKeys(state)) return null;
  const preapproval = plainPreapprovalOf(state, to, now);
  const inputs = preapproval > 0 && Number.isSafeInteger(units) ? plainInputsOf(state, from, units) : null;
  if (!inputs) return null;
  return payment(from, to, inputs.ids, inputs.worth, units, preapproval, state, now, room);
}

/** A preapproved payment when nothing is charged and the coins suffice; else null. */
function payment(
  from: number,
  to: number,
  inputs: readonly ContractId[],
  worth: number,
  paid: number,
  preapproval: number,
  state: LedgerState,
  now: Instant,
  room: Room | null,
): PlainTransfer | null {
  const round = freeRound(registryRound(state, now), state);
  if (!round || !mayTake(inputs.length, round) || paid <= 0 || paid > worth || worth > Number.MAX_SAFE_INTEGER)
    return null;
  const plain = room ?? roomFor(state);
  plain.now = now;
  plain.from = from;
  plain.to = to;
  plain.inputs = inputs;
  plain.paid = paid;
  plain.change = worth - paid;
  plain.preapproval = preapproval;
  plain.round = round.round;
  plain.rate = round.config.holdingFee;
  return plain;
}

/** A payment that is still to be written. */
export type Room = { -readonly [Field in keyof PlainTransfer]: PlainTransfer[Field] };

/** Room for payments of a state and those that come of it. */
export function roomFor(state: LedgerState): Room {
  return {
    kind: 'TransferCompleted',
    now: Instant.earliest,
    from: 0,
    to: 0,
    parties: numberingOf(state),
    inputs: [],
    // A fraction, so that the fields are doubles from the beginning.
    paid: 0.5,
    change: 0.5,
    preapproval: 0,
    round: 0 as Round,
    rate: Amount.zero,
  };
}

/** A plain transfer to oneself: one coin of the amount, and change. Source: specification §5.5, §7.3. */
export function plainSelfTransfer(
  argument: Omit<DirectArgument, 'receiver' | 'preapproval'>,
  state: LedgerState,
  context: Context,
): PlainTransfer | null {
  const { sender, amount, inputs } = argument;
  const { now } = context;
  if (saysMore(argument) || !actsAlone(sender, state, context)) return null;
  if (countOfTemplate(state, 'FeaturedAppRight') > 0) return null;
  const round = freeRound(registryRound(state, now), state);
  const paid = Number(amount);
  return round && paid > 0 ? toOneself('SelfTransferred', sender, inputs, paid, round, state, now) : null;
}

/** A plain merge: all inputs become one coin. Source: specification §5.5, §8.1. */
export function plainMerge(
  owner: PartyId,
  inputs: readonly ContractId[],
  state: LedgerState,
  context: Context,
): PlainTransfer | null {
  const { now } = context;
  if (!actsAlone(owner, state, context)) return null;
  const round = freeRound(walletRound(state, now), state);
  return round ? toOneself('HoldingsMerged', owner, inputs, 0, round, state, now) : null;
}

function toOneself(
  kind: 'SelfTransferred' | 'HoldingsMerged',
  owner: PartyId,
  inputs: readonly ContractId[],
  paid: number,
  round: TransferRound,
  state: LedgerState,
  now: Instant,
): PlainTransfer | null {
  const from = walletOf(state, owner);
  const worth = mayTake(inputs.length, round) ? plainWorthOf(state, from, inputs) : -1;
  if (paid > worth) return null;
  return {
    kind,
    now,
    from,
    to: from,
    parties: numberingOf(state),
    inputs,
    paid,
    change: worth - paid,
    preapproval: 0,
    round: round.round,
    rate: round.config.holdingFee,
  };
}

/** Whether an argument says anything that must be checked or noted beside who pays whom what. */
function saysMore(argument: Omit<DirectArgument, 'receiver'>): boolean {
  const { executeBefore, requestedAt, instrument, expectedAdmin, meta } = argument;
  return (
    executeBefore !== undefined ||
    requestedAt !== undefined ||
    instrument !== undefined ||
    expectedAdmin !== undefined ||
    meta !== undefined
  );
}

/** Whether a party acts, nobody else does, and its word suffices. */
function actsAlone(party: PartyId, state: LedgerState, context: Context): boolean {
  const { actAs, now } = context;
  return (
    actAs.length === 1 &&
    actAs[0] === party &&
    now >= state.time &&
    now < Instant.latest &&
    (!hasRightsOrKeys(state) || refuseUnsigned(context, state) === null)
  );
}

/** The preapproval of the receiver that a transfer names or comes under, if it is in force and brings nobody a reward; else 0. */
function preapprovalOf(
  wallet: number,
  { receiver, preapproval: named }: DirectArgument,
  state: LedgerState,
  now: Instant,
): number {
  const hasFeatured = hasRightsOrKeys(state) && countOfTemplate(state, 'FeaturedAppRight') > 0;
  const only = plainPreapprovalOf(state, wallet, now);
  if (!hasFeatured && only !== 0 && (named === undefined || named === only)) return only;
  const preapproval = named === undefined ? null : find(state, 'TransferPreapproval', named);
  if (!preapproval || preapproval.receiver !== receiver || now >= preapproval.expiresAt) return 0;
  return hasFeatured && featuredRightOf(state, preapproval.provider) !== null ? 0 : preapproval.id;
}

/** A round in which nothing is charged, or null. */
function freeRound(round: Result<TransferRound, Rejection>, state: LedgerState): TransferRound | null {
  return round.ok && round.value.isFree && !settingsOf(state).profile.chargesHoldingFee ? round.value : null;
}

/** Whether a transfer may take so many inputs. */
function mayTake(inputs: number, { config }: TransferRound): boolean {
  return inputs > 0 && inputs <= config.maxNumInputs;
}
