import type { PlainTransfer } from '../contracts/plain-transfer.js';
import {
  countOfTemplate,
  find,
  hasRoomFor,
  plainWorthOf,
  settingsOf,
  walletOf,
  type LedgerState,
} from '../contracts/state.js';
import type { Amount } from '../kernel/amount.js';
import type { Context } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
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
  const { sender, receiver, amount } = argument;
  const { now } = context;
  if (saysMore(argument) || argument.preapproval === undefined || !actsAlone(sender, state, context)) return null;
  const preapproval = find(state, 'TransferPreapproval', argument.preapproval);
  if (!preapproval || preapproval.receiver !== receiver || now >= preapproval.expiresAt) return null;
  if (countOfTemplate(state, 'FeaturedAppRight') > 0 && featuredRightOf(state, preapproval.provider)) return null;
  const round = registryRound(state, now);
  if (!round.ok) return null;
  const { inputs } = argument;
  return payment(
    { kind: 'TransferCompleted', sender, receiver, amount, inputs, preapproval: preapproval.id },
    round.value,
    state,
    now,
  );
}

/** A plain transfer to oneself: one coin of the amount, and change. Source: specification §5.5, §7.3. */
export function plainSelfTransfer(
  argument: Omit<DirectArgument, 'receiver' | 'preapproval'>,
  state: LedgerState,
  context: Context,
): PlainTransfer | null {
  const { sender, amount, inputs } = argument;
  if (saysMore(argument) || !actsAlone(sender, state, context)) return null;
  if (countOfTemplate(state, 'FeaturedAppRight') > 0) return null;
  const round = registryRound(state, context.now);
  if (!round.ok) return null;
  return payment(
    { kind: 'SelfTransferred', sender, receiver: sender, amount, inputs, preapproval: 0 },
    round.value,
    state,
    context.now,
  );
}

/** A plain merge: all inputs become one coin. Source: specification §5.5, §8.1. */
export function plainMerge(
  owner: PartyId,
  inputs: readonly ContractId[],
  state: LedgerState,
  context: Context,
): PlainTransfer | null {
  if (!actsAlone(owner, state, context)) return null;
  const round = walletRound(state, context.now);
  if (!round.ok) return null;
  return payment(
    { kind: 'HoldingsMerged', sender: owner, receiver: owner, amount: null, inputs, preapproval: 0 },
    round.value,
    state,
    context.now,
  );
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

function payment(
  {
    kind,
    sender,
    receiver,
    amount,
    inputs,
    preapproval,
  }: Pick<PlainTransfer, 'kind' | 'sender' | 'receiver' | 'inputs' | 'preapproval'> & {
    readonly amount: Amount | null;
  },
  { round, config, isFree }: TransferRound,
  state: LedgerState,
  now: Instant,
): PlainTransfer | null {
  if (!isFree || settingsOf(state).profile.chargesHoldingFee) return null;
  if (inputs.length === 0 || inputs.length > config.maxNumInputs || config.maxNumOutputs === 0) return null;
  const from = walletOf(state, sender);
  const worth = plainWorthOf(state, from, inputs);
  // A comparison of a big integer with a double is exact.
  if (worth < 0 || (amount !== null && (amount <= 0n || amount > worth))) return null;
  const paid = amount === null ? 0 : Number(amount);
  const to = receiver === sender ? from : walletOf(state, receiver);
  if (to === from && !hasRoomFor(state, from, 2 - inputs.length)) return null;
  return {
    kind,
    now,
    sender,
    receiver,
    from,
    to,
    inputs,
    paid,
    change: worth - paid,
    preapproval,
    round,
    rate: config.holdingFee,
  };
}
