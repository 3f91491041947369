import type { PlainTransfer } from '../contracts/plain-transfer.js';
import {
  countOfTemplate,
  endOfPreapproval,
  find,
  hasRoomFor,
  plainWorthOf,
  settingsOf,
  walletOf,
  type LedgerState,
} from '../contracts/state.js';
import type { Context } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Rejection } from '../kernel/rejection.js';
import type { Result } from '../kernel/result.js';
import { Instant } from '../kernel/time.js';
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
  const { sender, receiver, amount, inputs, preapproval } = argument;
  const { now } = context;
  if (saysMore(argument) || preapproval === undefined || !actsAlone(sender, state, context)) return null;
  const from = walletOf(state, sender);
  const to = receiver === sender ? from : walletOf(state, receiver);
  if (!isPreapproved(to, receiver, preapproval, state, now)) return null;
  const round = freeRound(registryRound(state, now), state);
  if (!round) return null;
  const worth = worthOf(from, inputs, round, state);
  // Above 2⁵³ units, where a double may not hold an amount, it is above what any small wallet is worth.
  const paid = Number(amount);
  if (paid <= 0 || paid > worth || (to === from && !hasRoomFor(state, from, 2 - inputs.length))) return null;
  return {
    kind: 'TransferCompleted',
    now,
    sender,
    receiver,
    from,
    to,
    inputs,
    paid,
    change: worth - paid,
    preapproval,
    round: round.round,
    rate: round.config.holdingFee,
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
  const worth = worthOf(from, inputs, round, state);
  if (worth < 0 || paid > worth || !hasRoomFor(state, from, 2 - inputs.length)) return null;
  return {
    kind,
    now,
    sender: owner,
    receiver: owner,
    from,
    to: from,
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
    refuseUnsigned(context, state) === null
  );
}

/** Whether a preapproval is one of the receiver, in force, and brings nobody a reward. */
function isPreapproved(wallet: number, receiver: PartyId, id: ContractId, state: LedgerState, now: Instant): boolean {
  const hasFeatured = countOfTemplate(state, 'FeaturedAppRight') > 0;
  // Rounding keeps the order of times: what is earlier as a double is earlier.
  if (!hasFeatured && Number(now) < endOfPreapproval(state, wallet, id)) return true;
  const preapproval = find(state, 'TransferPreapproval', id);
  if (!preapproval || preapproval.receiver !== receiver || now >= preapproval.expiresAt) return false;
  return !hasFeatured || featuredRightOf(state, preapproval.provider) === null;
}

/** A round in which nothing is charged, or null. */
function freeRound(round: Result<TransferRound, Rejection>, state: LedgerState): TransferRound | null {
  return round.ok && round.value.isFree && !settingsOf(state).profile.chargesHoldingFee ? round.value : null;
}

/** What the inputs of a transfer are worth in units; -1 when a transfer cannot take them, or numbers cannot stand for them. */
function worthOf(wallet: number, inputs: readonly ContractId[], { config }: TransferRound, state: LedgerState): number {
  if (inputs.length === 0 || inputs.length > config.maxNumInputs || config.maxNumOutputs === 0) return -1;
  return plainWorthOf(state, wallet, inputs);
}
