import { freeze } from 'immer';
import type { Holding } from '../contracts/holding.js';
import { fits, type LedgerState } from '../contracts/ledger-state.js';
import { coinOfChange, coinPaid, receiverOf, senderOf, type PackedTransfer } from '../contracts/packed-transfer.js';
import { Amount } from '../kernel/amount.js';
import { UpdateId, type ContractId } from '../kernel/ids.js';
import type { TransferDetail } from '../rules/transfer/transfer-detail.js';
import type { DirectDetail } from '../workflows/direct.js';
import type { Update } from './update.js';

// Casts: a direct transfer has a preapproval, and the kind of a packed transfer goes with its detail.

/** An entry of the log: an update or a packed transfer. Both have `offset`, `recordTime` and `kind`. */
export type Entry = Update | PackedTransfer;

const NO_META: Readonly<Record<string, string>> = Object.freeze({});

/** Returns whether an entry is a packed transfer. */
export function isPacked(entry: Entry): entry is PackedTransfer {
  // Cast: no update has the field. V8 reads a field of objects of several shapes faster than it tests for one with `in`.
  return (entry as PackedTransfer).parties !== undefined;
}

/** Keeps receivers from changing the state or the log. Packed transfers are not frozen: neither the state nor the log keeps them, and `updateOf` copies. */
export function frozen<Kind extends Entry>(entry: Kind): Kind {
  if (isPacked(entry)) return entry;
  Object.freeze(entry.actAs);
  Object.freeze(entry.archived);
  freezeList(entry.created);
  freezeParts(entry.detail);
  return Object.freeze(entry);
}

/** Immer's deep freeze costs ten times as much per object, so it is used only for the records inside. */
function freezeParts<Value extends object>(value: Value): void {
  for (const name in value) {
    const part = value[name];
    if (Array.isArray(part)) freezeList(part);
    else if (typeof part === 'object' && part !== null) freeze(part, true);
  }
  Object.freeze(value);
}

function freezeList(list: readonly unknown[]): void {
  for (const item of list) if (typeof item === 'object' && item !== null) freezeParts(item);
  Object.freeze(list);
}

/** Returns the update of an entry: a packed transfer is converted to the update that the rules derive from it. */
export function updateOf(entry: Entry): Update {
  return isPacked(entry) ? unpacked(entry) : entry;
}

/** Returns an entry that was read from a log as a state takes it: a packed transfer that does not fit its wallets as an update. */
export function entryFor(state: LedgerState, entry: Entry): Entry {
  return isPacked(entry) && !fits(state, entry) ? unpacked(entry) : entry;
}

function unpacked(transfer: PackedTransfer): Update {
  return transfer.kind === 'Minted' ? unpackedMint(transfer) : unpackedTransfer(transfer);
}

function unpackedMint(mint: PackedTransfer): Update {
  const { kind, offset, recordTime, seed } = mint;
  const coin = coinPaid(mint);
  const { id: holding, owner: receiver, amount } = coin;
  return {
    offset,
    updateId: UpdateId.of(seed, offset, recordTime),
    recordTime,
    kind,
    actAs: [senderOf(mint), receiver],
    archived: [],
    created: [coin],
    detail: { minted: amount, burned: Amount.zero, receiver, amount, holding },
  } as Update;
}

function unpackedTransfer(transfer: PackedTransfer): Update {
  const { kind, offset, recordTime, seed, preapproval } = transfer;
  const [sender, receiver] = [senderOf(transfer), receiverOf(transfer)];
  const paid = transfer.paid > 0 ? coinPaid(transfer) : null;
  const change = transfer.change > 0 ? coinOfChange(transfer) : null;
  const created: Holding[] = [];
  if (paid) created.push(paid);
  if (change) created.push(change);
  const amount = created[0]?.amount ?? Amount.zero;
  const inputs = transfer.inputs.length;
  const holdings = paid ? [paid.id] : [];
  const rest = change ? change.id : null;
  const zero = Amount.zero;
  // Two complete literals: one that begins with a spread is two hundred times slower on Node 20.
  const detail: TransferDetail | DirectDetail =
    kind === 'TransferCompleted'
      ? {
          minted: zero,
          burned: zero,
          sender,
          receiver,
          amount,
          inputs,
          holdings,
          change: rest,
          rewards: null,
          fees: null,
          meta: NO_META,
          preapproval: preapproval as ContractId,
        }
      : {
          minted: zero,
          burned: zero,
          sender,
          receiver,
          amount,
          inputs,
          holdings,
          change: rest,
          rewards: null,
          fees: null,
          meta: NO_META,
        };
  return {
    offset,
    updateId: UpdateId.of(seed, offset, recordTime),
    recordTime,
    kind,
    actAs: [sender],
    archived: transfer.inputs.slice(),
    created,
    detail,
  } as Update;
}
