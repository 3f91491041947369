import { type PartyId, Instant, type ContractOf, type ContractId, type Command } from '@coinlab/core';
import { coin, move, type Moved } from './move.js';
import type { Inquiry } from './inquiry.js';
import { fits, inDays, over, times, whole } from './numbers.js';
import { dustRound, feeOf, judgingRound, registryTerms, walletTerms, type Terms } from './terms.js';
import type { CommandOf, Predictions } from './prediction.js';

const TRACKING_KEY = 'splice.lfdecentralizedtrust.org/tracking-id';

type RegistryCommand = Extract<Command, { readonly type: 'SelfTransfer' | 'DirectTransfer' | 'CreateOffer' }>;

export const transferPredictions: Predictions<
  | 'Mint'
  | 'Tap'
  | 'SelfTransfer'
  | 'MergeHoldings'
  | 'DirectTransfer'
  | 'CreateOffer'
  | 'AcceptOffer'
  | 'RejectOffer'
  | 'WithdrawOffer'
  | 'ExpireOffer'
  | 'Unlock'
  | 'OwnerExpireLock'
  | 'ExpireDust'
> = {
  Mint: (inquiry, command) => {
    inquiry.actsAs(inquiry.overlay.settings.dso, command.receiver);
    issue(inquiry, command);
  },
  Tap: (inquiry, command) => {
    inquiry.actsAs(command.receiver);
    if (command.trackingId !== undefined) inquiry.startsTracking('tap', command.receiver, command.trackingId);
    issue(inquiry, command);
  },
  SelfTransfer: (inquiry, command) => {
    checkRegistry(inquiry, command);
    const { sender, amount, inputs } = command;
    const outputs = [{ receiver: sender, amount }];
    const terms = registryTerms(inquiry.overlay, inquiry.now);
    move(inquiry, { sender, provider: sender, inputs, outputs, terms, coinsOnly: true });
  },
  MergeHoldings: (inquiry, { owner, inputs }) => {
    inquiry.actsAs(owner);
    inquiry.require(inputs.length > 0, 'NO_INPUTS');
    const terms = walletTerms(inquiry.overlay, inquiry.now);
    move(inquiry, { sender: owner, provider: owner, inputs, outputs: [], terms });
  },
  DirectTransfer: (inquiry, command) => {
    checkRegistry(inquiry, command);
    const preapproval = preapprovalFor(inquiry, command.receiver, command.preapproval);
    const terms = registryTerms(inquiry.overlay, inquiry.now);
    payPreapproved(inquiry, { ...command, preapproval, terms, coinsOnly: true });
  },
  CreateOffer: offer,
  AcceptOffer: accept,
  RejectOffer: (inquiry, { instruction: id }) => {
    const instruction = inquiry.named(id, 'TransferInstruction');
    if (!instruction) return;
    inquiry.actsAs(instruction.transfer.receiver);
    giveBack(inquiry, instruction);
  },
  WithdrawOffer: (inquiry, { instruction: id }) => {
    const instruction = inquiry.named(id, 'TransferInstruction');
    if (!instruction) return;
    inquiry.actsAs(instruction.transfer.sender);
    giveBack(inquiry, instruction);
  },
  ExpireOffer: (inquiry, { instruction: id }) => {
    const instruction = inquiry.named(id, 'TransferInstruction');
    if (!instruction) return;
    inquiry.actsAsDsoOrSv();
    inquiry.require(inquiry.overlay.settings.profile.dsoExpiresInstructions, 'INVALID_ARGUMENT');
    inquiry.require(inquiry.now >= instruction.transfer.executeBefore, 'DEADLINE_NOT_REACHED');
    giveBack(inquiry, instruction);
  },
  Unlock: (inquiry, { holding }) => {
    const locked = inquiry.named(holding, 'Holding');
    if (!locked || !inquiry.require(locked.lock !== null, 'INVALID_ARGUMENT')) return;
    inquiry.actsAs(locked.owner, ...(locked.lock?.holders ?? []));
    free(inquiry, locked.id);
  },
  OwnerExpireLock: (inquiry, { holding }) => {
    const locked = inquiry.named(holding, 'Holding');
    if (!locked || !inquiry.require(locked.lock !== null, 'INVALID_ARGUMENT')) return;
    inquiry.actsAs(locked.owner);
    inquiry.require(inquiry.now >= (locked.lock?.expiresAt ?? 0n), 'LOCK_NOT_EXPIRED');
    free(inquiry, locked.id);
  },
  ExpireDust: loseDust,
};

function issue(inquiry: Inquiry, { receiver, amount }: CommandOf<'Mint' | 'Tap'>): void {
  const { overlay, now } = inquiry;
  inquiry.require(overlay.settings.isDevNet, 'DEVNET_ONLY');
  inquiry.require(amount > 0n, 'NON_POSITIVE_AMOUNT');
  inquiry.require(fits(amount), 'INVALID_DECIMAL');
  const terms = walletTerms(overlay, now);
  if (!inquiry.require(terms !== null, 'ROUND_NOT_OPEN') || !terms) return;
  coin(inquiry, terms, { receiver, amount, context: null });
  overlay.minted += amount;
}

function checkRegistry(inquiry: Inquiry, command: RegistryCommand): void {
  const { now, overlay } = inquiry;
  const { dso } = overlay.settings;
  const { sender, amount, inputs, expectedAdmin, instrument, requestedAt, executeBefore, meta } = command;
  inquiry.actsAs(sender);
  inquiry.require(expectedAdmin === undefined || expectedAdmin === dso, 'ADMIN_MISMATCH');
  inquiry.require(!instrument || (instrument.admin === dso && instrument.id === 'Amulet'), 'WRONG_INSTRUMENT');
  inquiry.require(amount > 0n, 'NON_POSITIVE_AMOUNT');
  inquiry.require(requestedAt === undefined || requestedAt <= now, 'REQUESTED_IN_FUTURE');
  inquiry.require(now < (executeBefore ?? Instant.latest), 'DEADLINE_PASSED');
  inquiry.require(inputs.length > 0, 'NO_INPUTS');
  const trackingId = meta?.[TRACKING_KEY];
  if (trackingId !== undefined) inquiry.startsTracking('transfer', sender, trackingId);
}

/**
 * Returns the named preapproval or, without a name, the valid one that expires last. Source: specification §7.0, §7.2.
 */
function preapprovalFor(
  inquiry: Inquiry,
  receiver: PartyId,
  named: ContractId | undefined,
): ContractOf<'TransferPreapproval'> | null {
  const { overlay, now } = inquiry;
  if (named === undefined) {
    const inForce = overlay
      .all('TransferPreapproval')
      .filter((one) => one.receiver === receiver && now < one.expiresAt);
    const [last = null] = inForce.sort((a, b) =>
      a.expiresAt === b.expiresAt ? 0 : a.expiresAt < b.expiresAt ? 1 : -1,
    );
    inquiry.require(last !== null, 'CONTRACT_NOT_FOUND');
    return last;
  }
  const preapproval = inquiry.named(named, 'TransferPreapproval');
  if (!preapproval) return null;
  inquiry.require(preapproval.receiver === receiver, 'GROUP_MISMATCH');
  inquiry.require(now < preapproval.expiresAt, 'PREAPPROVAL_EXPIRED');
  return preapproval;
}

export function payPreapproved(
  inquiry: Inquiry,
  payment: {
    readonly sender: PartyId;
    readonly amount: bigint;
    readonly inputs: readonly ContractId[];
    readonly preapproval: ContractOf<'TransferPreapproval'> | null;
    readonly terms: Terms | null;
    readonly coinsOnly?: boolean;
  },
): Moved | null {
  const { sender, amount, inputs, preapproval, terms, coinsOnly = false } = payment;
  if (!preapproval) return null;
  const { receiver, provider } = preapproval;
  const isFeatured = inquiry.overlay.all('FeaturedAppRight').some((right) => right.provider === provider);
  return move(inquiry, { sender, provider, inputs, outputs: [{ receiver, amount }], terms, isFeatured, coinsOnly });
}

function offer(inquiry: Inquiry, command: CommandOf<'CreateOffer'>): void {
  const { overlay, now } = inquiry;
  checkRegistry(inquiry, command);
  const { sender, receiver, amount, inputs, executeBefore, requestedAt = now, meta = {} } = command;
  inquiry.require(sender !== receiver, 'INVALID_ARGUMENT');
  const terms = registryTerms(overlay, now);
  const locked = amount + (terms ? reserve(inquiry, terms, { amount, lockedFor: executeBefore - requestedAt }) : 0n);
  const moved = move(inquiry, {
    sender,
    provider: sender,
    inputs,
    outputs: [{ receiver: sender, amount: locked, lockedUntil: executeBefore }],
    lockContext: `transfer to '${receiver}'`,
    terms,
    coinsOnly: true,
  });
  const transfer = { sender, receiver, amount, requestedAt, executeBefore, meta };
  if (moved) overlay.create('TransferInstruction', { transfer, lockedHolding: moved.outputs[0] });
}

/** Source: specification §7.1. */
function reserve(
  inquiry: Inquiry,
  terms: Terms,
  { amount, lockedFor }: { readonly amount: bigint; readonly lockedFor: bigint },
): bigint {
  const factor = inquiry.overlay.settings.profile.feeReserveFactor;
  if (factor === 0) return 0n;
  const { usd, open, price } = terms;
  const perDay = times(usd.holdingFee, over(whole(86_400_000_000n), whole(open.tickDuration)));
  const holding = over(times(perDay, inDays(lockedFor)), price);
  return times(feeOf(terms, { amount, toSelf: false, holders: 0 }) + holding, whole(factor));
}

function accept(inquiry: Inquiry, { instruction: id }: CommandOf<'AcceptOffer'>): void {
  const instruction = inquiry.named(id, 'TransferInstruction');
  if (!instruction) return;
  const { sender, receiver, amount, executeBefore } = instruction.transfer;
  inquiry.actsAs(receiver);
  inquiry.require(inquiry.now < executeBefore, 'DEADLINE_PASSED');
  const freed = free(inquiry, instruction.lockedHolding);
  if (!inquiry.require(freed !== null, 'CONTRACT_NOT_FOUND') || freed === null) return;
  inquiry.overlay.archive(id);
  const terms = registryTerms(inquiry.overlay, inquiry.now);
  move(inquiry, { sender, provider: sender, inputs: [freed], outputs: [{ receiver, amount }], terms });
}

/** Source: specification §7.1. */
function giveBack(inquiry: Inquiry, { id, lockedHolding, transfer }: ContractOf<'TransferInstruction'>): void {
  const freed = free(inquiry, lockedHolding);
  if (freed === null) inquiry.require(inquiry.now >= transfer.executeBefore, 'DEADLINE_NOT_REACHED');
  inquiry.overlay.archive(id);
}

function free({ overlay }: Inquiry, id: ContractId): ContractId | null {
  const locked = overlay.find(id);
  if (locked?.template !== 'Holding') return null;
  overlay.archive(id);
  const { owner, amount, createdAt, ratePerRound } = locked;
  return overlay.create('Holding', { owner, amount, createdAt, ratePerRound, lock: null });
}

function loseDust(inquiry: Inquiry, { holdings }: CommandOf<'ExpireDust'>): void {
  const { overlay, now } = inquiry;
  const { dustAtEquality, expiresLockedDust } = overlay.settings.profile;
  inquiry.actsAsDsoOrSv();
  inquiry.require(holdings.length > 0, 'NO_INPUTS');
  const judged = judgingRound(overlay);
  if (!inquiry.require(judged !== null, 'NOT_BOOTSTRAPPED') || judged === null) return;
  for (const id of holdings) {
    if (!inquiry.require(!overlay.gone.has(id), 'DUPLICATE_INPUT')) continue;
    const dust = inquiry.named(id, 'Holding');
    if (!dust) continue;
    inquiry.require(expiresLockedDust || !dust.lock || now >= dust.lock.expiresAt, 'LOCK_NOT_EXPIRED');
    const round = dustRound(dust, dustAtEquality);
    inquiry.require(round !== null && round <= judged, 'NOT_DUST');
    overlay.archive(id);
    overlay.burned += dust.amount;
  }
  inquiry.require(fits(overlay.burned), 'INVALID_DECIMAL');
}
