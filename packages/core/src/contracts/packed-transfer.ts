import { bigOf } from '@coinlab/collections';
import type { Amount } from '../kernel/amount.js';
import type { ContractId, Offset, PartyId } from '../kernel/ids.js';
import type { Parties } from '../kernel/parties.js';
import type { Instant, Round } from '../kernel/time.js';
import type { Holding } from './holding.js';

// Casts: a transfer has assigned wallet numbers, amounts in range and consecutive ids for its coins.

/**
 * A transfer or minted coin as numbers: between wallets of few coins, in amounts below 2⁵³ units, with no fee, reward, metadata or tracking. Most
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
  /** Wallet number of the sender, the only party that acts; of the DSO for minted coin, where the receiver acts too. */
  readonly from: number;
  readonly to: number;
  readonly parties: Numbering;
  /** The coins consumed, each once, in the order of the command. */
  readonly inputs: readonly ContractId[];
  /** Amount of the receiver's coin, in units; 0: the transfer creates no such coin, as in a merge. */
  readonly paid: number;
  /** Amount of the sender's coin, in units; 0: the transfer creates no such coin. */
  readonly change: number;
  /** Id of the receiver's preapproval; 0 for transfers to oneself and for minted coin. */
  readonly preapproval: number;
  /** Round of the created coins; their holding fee is in the next field. */
  readonly round: Round;
  readonly rate: Amount;
}

type PackedKind = ShortKind | 'Minted';

/** Kinds with a short form in the compact log. */
export type ShortKind = 'TransferCompleted' | 'SelfTransferred' | 'HoldingsMerged';

/** Wallet numbers, assigned on first use. All states that descend from one ledger share them. */
export interface Numbering extends Parties {
  /** Returns the wallet number of a party, assigned at the first call. */
  of(party: PartyId): number;
  /** Returns the party with a wallet number; undefined if the number was never assigned. */
  at(wallet: number): PartyId | undefined;
}

/** Returns the paying party. */
export function senderOf({ from, parties }: PackedTransfer): PartyId {
  return parties.at(from) as PartyId;
}

/** Returns the paid party. */
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
    amount: bigOf(units) as Amount,
    createdAt: round,
    ratePerRound: rate,
    lock: null,
  };
}
