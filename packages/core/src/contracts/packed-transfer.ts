import type { Amount } from '../kernel/amount.js';
import type { ContractId, Offset, PartyId } from '../kernel/ids.js';
import type { Instant, Round } from '../kernel/time.js';
import type { Holding } from './holding.js';

// Casts: a transfer has assigned wallet numbers, amounts in range and consecutive ids for its coins.

/**
 * A transfer as numbers: between wallets of few coins, in amounts below 2⁵³ units, with no fee, reward, metadata or tracking. Most
 * transfers of a simulation qualify. It is an entry of the log in its own right; its update follows from these fields (`updateOf`).
 * Amounts are doubles that hold whole units exactly.
 */
export interface PackedTransfer {
  readonly kind: PackedKind;
  readonly offset: Offset;
  readonly recordTime: Instant;
  readonly firstCoin: ContractId;
  /** Seed of the ledger, from which the update id follows. */
  readonly seed: number;
  /** Wallet number of the sender, the only party that acts. */
  readonly from: number;
  readonly to: number;
  readonly parties: Numbering;
  /** The coins consumed, each once, in the order of the command. */
  readonly inputs: readonly ContractId[];
  /** Units of the receiver's coin; 0: no such coin, as in a merge. */
  readonly paid: number;
  /** Units of the sender's coin; 0: no such coin. */
  readonly change: number;
  /** The receiver's preapproval; 0 for transfers to oneself. */
  readonly preapproval: number;
  /** Round and holding fee rate of the created coins. */
  readonly round: Round;
  readonly rate: Amount;
}

export type PackedKind = 'TransferCompleted' | 'SelfTransferred' | 'HoldingsMerged';

/** Wallet numbers, assigned on first use. All states that descend from one ledger share them. */
export interface Numbering {
  /** The number of a party; assigns one if it has none. */
  of(party: PartyId): number;
  /** The party of a number, or undefined if the number was never assigned. */
  at(wallet: number): PartyId | undefined;
}

/** The party that pays. */
export function senderOf({ from, parties }: PackedTransfer): PartyId {
  return parties.at(from) as PartyId;
}

/** The party that is paid. */
export function receiverOf({ to, parties }: PackedTransfer): PartyId {
  return parties.at(to) as PartyId;
}

/** Returns the number of coins that a transfer creates: 0 to 2. */
export function coinsMade({ paid, change }: PackedTransfer): number {
  return (paid > 0 ? 1 : 0) + (change > 0 ? 1 : 0);
}

/** Returns the receiver's coin. Call it only for a transfer that pays an amount. */
export function coinPaid(transfer: PackedTransfer): Holding {
  return coinOf(transfer, transfer.firstCoin, receiverOf(transfer), transfer.paid);
}

/** Returns the sender's change. Call it only for a transfer with change. */
export function coinOfChange(transfer: PackedTransfer): Holding {
  const id = transfer.firstCoin + (transfer.paid > 0 ? 1 : 0);
  return coinOf(transfer, id as ContractId, senderOf(transfer), transfer.change);
}

function coinOf({ round, rate }: PackedTransfer, id: ContractId, owner: PartyId, units: number): Holding {
  return {
    id,
    template: 'Holding',
    owner,
    amount: BigInt(units) as Amount,
    createdAt: round,
    ratePerRound: rate,
    lock: null,
  };
}
