import { exactNumber } from '@coinlab/collections';
import type { PackedTransfer } from '../../contracts/packed-transfer.js';
import type { LedgerSettings } from '../../contracts/settings.js';
import {
  find,
  hasTransferGuards,
  isSmallWallet,
  numberingOf,
  onlyPreapprovalOf,
  settingsOf,
  smallestInputsOf,
  walletOf,
  worthOf,
  type LedgerState,
} from '../../contracts/state.js';
import type { Context } from '../../kernel/decision.js';
import { Amount } from '../../kernel/amount.js';
import type { ContractId, Offset, PartyId } from '../../kernel/ids.js';
import type { Rejection } from '../../kernel/rejection.js';
import type { Result } from '../../kernel/result.js';
import { Instant } from '../../kernel/time.js';
import type { DirectArgument } from './one-step.js';
import { refuseUnknownReceiver } from '../known-parties.js';
import { featuredRightOf } from './preapproval.js';
import { registryRound, walletRound, type TransferRound } from '../rounds.js';

/*
 * Decides commands that only move coins, as numbers. Null: the command does more or a check fails, and `decide` of the workflow
 * accepts or refuses it. Each check corresponds to a rule. When all hold, the rules skipped here (fees, rewards, metadata,
 * tracking) have no effect. Source: specification §3.11, §3.15, §5, §7.2.
 */

// Casts: offsets are consecutive, and so are contract ids.

export function packDirectTransfer(
  argument: DirectArgument,
  state: LedgerState,
  context: Context,
): PackedTransfer | null {
  const { sender, receiver, amount, inputs } = argument;
  if (hasOptions(argument) || !actsAlone(sender, context) || !areSound(inputs, amount)) return null;
  const from = walletOf(state, sender);
  const to = receiver === sender ? from : walletOf(state, receiver);
  const preapproval = preapprovalOf(to, argument, state, context.now);
  if (preapproval === 0) return null;
  // After the preapproval, because a malformed receiver has none.
  if (hasTransferGuards(state) && refuseUnknownReceiver({ receiver }, state)) return null;
  // Before they are read: a caller's list may be slow to read, or return other coins at the next read.
  const own = copied(inputs);
  const worth = worthOf(state, from, own);
  return worth < 0 ? null : payment(from, to, own, worth, exactNumber(amount), preapproval, state, context.now);
}

/** A payment between two wallets, given by number (`walletOf`). */
export interface WalletPayment {
  readonly from: number;
  readonly to: number;
  /** Units of 10⁻¹⁰ coin: a whole number from 1 to 2⁵³ − 1. */
  readonly units: number;
  readonly now: Instant;
}

/**
 * Packs a payment from the sender's smallest coins to a receiver with exactly one preapproval, of a provider that is not featured.
 * Returns null if it cannot be packed. Gives the same result as {@link packDirectTransfer} for the corresponding command, without
 * looking up parties by name.
 */
export function packPayment({ from, to, units, now }: WalletPayment, state: LedgerState): PackedTransfer | null {
  if (from === to || typeof now !== 'bigint' || now < state.time || hasTransferGuards(state)) return null;
  const preapproval = onlyPreapprovalOf(state, to, now);
  const smallest = preapproval > 0 && Number.isSafeInteger(units) ? smallestInputsOf(state, from, units) : null;
  return smallest && payment(from, to, smallest.ids, smallest.worth, units, preapproval, state, now);
}

/** Returns null if the command needs the general path (`decide`). Source: specification §5.5, §7.3. */
export function packSelfTransfer(
  argument: Omit<DirectArgument, 'receiver' | 'preapproval'>,
  state: LedgerState,
  context: Context,
): PackedTransfer | null {
  const { sender, amount, inputs } = argument;
  const { now } = context;
  if (hasOptions(argument) || !actsAlone(sender, context) || !areSound(inputs, amount)) return null;
  const round = freeRound(registryRound(state, now), settingsOf(state));
  const paid = exactNumber(amount);
  return round && paid > 0 ? toOneself('SelfTransferred', sender, inputs, paid, round, state, now) : null;
}

/** Returns null if the command needs the general path (`decide`). Source: specification §5.5, §8.1. */
export function packMerge(
  { owner, inputs }: { readonly owner: PartyId; readonly inputs: readonly ContractId[] },
  state: LedgerState,
  context: Context,
): PackedTransfer | null {
  if (!actsAlone(owner, context) || !areSound(inputs, Amount.zero)) return null;
  const round = freeRound(walletRound(state, context.now), settingsOf(state));
  return round ? toOneself('HoldingsMerged', owner, inputs, 0, round, state, context.now) : null;
}

/** Returns null if the command needs the general path (`decide`). Source: specification §3.4. */
export function packMint(
  { receiver, amount }: { readonly receiver: PartyId; readonly amount: Amount },
  state: LedgerState,
  { now, actAs }: Context,
): PackedTransfer | null {
  if (actAs.length !== 2 || actAs[0] !== settingsOf(state).dso || actAs[1] !== receiver) return null;
  return typeof amount === 'bigint' ? minted(walletOf(state, receiver), exactNumber(amount), state, now) : null;
}

/** Coin for a wallet, given by number (`walletOf`). */
export interface WalletMint {
  readonly to: number;
  /** Units of 10⁻¹⁰ coin: a whole number from 1 to 2⁵³ − 1. */
  readonly units: number;
  readonly now: Instant;
}

/**
 * Packs coin that the DSO mints on a test network. Returns null if it cannot be packed. Gives the same result as {@link packMint} for
 * the corresponding command, without looking up the receiver by name.
 */
export function packMintTo({ to, units, now }: WalletMint, state: LedgerState): PackedTransfer | null {
  return typeof now === 'bigint' && now >= state.time ? minted(to, units, state, now) : null;
}

function minted(to: number, units: number, state: LedgerState, recordTime: Instant): PackedTransfer | null {
  const { dso, isDevNet, seed } = settingsOf(state);
  if (!isDevNet || recordTime >= Instant.latest || hasTransferGuards(state)) return null;
  if (!Number.isSafeInteger(units) || units <= 0 || !isSmallWallet(state, to)) return null;
  const round = walletRound(state, recordTime);
  return round.ok
    ? packed('Minted', walletOf(state, dso), to, NO_INPUTS, units, 0, 0, round.value, seed, state, recordTime)
    : null;
}

const NO_INPUTS: readonly ContractId[] = Object.freeze([]);

/** Returns null if anything is charged or the inputs fall short. */
function payment(
  from: number,
  to: number,
  inputs: readonly ContractId[],
  worth: number,
  paid: number,
  preapproval: number,
  state: LedgerState,
  recordTime: Instant,
): PackedTransfer | null {
  const settings = settingsOf(state);
  const round = freeRound(registryRound(state, recordTime), settings);
  if (!round || !mayTake(inputs.length, round) || paid <= 0 || paid > worth || worth > Number.MAX_SAFE_INTEGER)
    return null;
  const { seed } = settings;
  return packed('TransferCompleted', from, to, inputs, paid, worth - paid, preapproval, round, seed, state, recordTime);
}

function toOneself(
  kind: 'SelfTransferred' | 'HoldingsMerged',
  owner: PartyId,
  inputs: readonly ContractId[],
  paid: number,
  round: TransferRound,
  state: LedgerState,
  recordTime: Instant,
): PackedTransfer | null {
  const from = walletOf(state, owner);
  const own = copied(inputs);
  const worth = mayTake(own.length, round) ? worthOf(state, from, own) : -1;
  if (paid > worth) return null;
  return packed(kind, from, from, own, paid, worth - paid, 0, round, settingsOf(state).seed, state, recordTime);
}

function copied(inputs: readonly ContractId[]): readonly ContractId[] {
  // oxlint-disable-next-line unicorn/no-new-array -- faster than `slice` for the few inputs of a transfer
  const own = new Array<ContractId>(inputs.length);
  for (let i = 0; i < own.length; i++) own[i] = inputs[i] as ContractId;
  return own;
}

/** Takes single arguments, because an argument object takes a tenth of the time of a payment. */
function packed(
  kind: PackedTransfer['kind'],
  from: number,
  to: number,
  inputs: readonly ContractId[],
  paid: number,
  change: number,
  preapproval: number,
  { round, config }: TransferRound,
  seed: number,
  state: LedgerState,
  recordTime: Instant,
): PackedTransfer {
  return {
    kind,
    offset: (state.offset + 1) as Offset,
    recordTime,
    firstCoin: state.nextContract as ContractId,
    seed,
    from,
    to,
    parties: numberingOf(state),
    inputs,
    paid,
    change,
    preapproval,
    round,
    rate: config.holdingFee,
  };
}

function hasOptions(argument: Omit<DirectArgument, 'receiver'>): boolean {
  const { executeBefore, requestedAt, instrument, expectedAdmin, meta } = argument;
  return (
    executeBefore !== undefined ||
    requestedAt !== undefined ||
    instrument !== undefined ||
    expectedAdmin !== undefined ||
    meta !== undefined
  );
}

/** Plain JavaScript may pass other types. Inputs that are not contract ids match no coin. */
function areSound(inputs: readonly ContractId[], amount: Amount): boolean {
  return typeof amount === 'bigint' && Array.isArray(inputs);
}

function actsAlone(party: PartyId, { actAs, now }: Context): boolean {
  return actAs.length === 1 && actAs[0] === party && now < Instant.latest;
}

function preapprovalOf(
  wallet: number,
  { receiver, preapproval: named }: DirectArgument,
  state: LedgerState,
  now: Instant,
): number {
  const only = onlyPreapprovalOf(state, wallet, now);
  if (only !== 0 && (named === undefined || named === only)) return only;
  const preapproval = typeof named !== 'number' ? null : find(state, 'TransferPreapproval', named);
  if (!preapproval || preapproval.receiver !== receiver || now >= preapproval.expiresAt) return 0;
  return featuredRightOf(state, preapproval.provider) !== null ? 0 : preapproval.id;
}

function freeRound(round: Result<TransferRound, Rejection>, { profile }: LedgerSettings): TransferRound | null {
  return round.ok && round.value.isFree && !profile.chargesHoldingFee ? round.value : null;
}

function mayTake(inputs: number, { config }: TransferRound): boolean {
  return inputs > 0 && inputs <= config.maxNumInputs;
}
