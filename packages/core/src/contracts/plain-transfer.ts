import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Instant, Round } from '../kernel/time.js';
import type { Amount } from '../kernel/amount.js';

/**
 * A transfer in numbers: out of a wallet of few coins, of amounts below 2⁵³ units, with nothing charged, earned or noted. Most transfers of
 * a simulation are of this kind, and everything that their updates say follows from this. Amounts are doubles that hold them exactly.
 */
export interface PlainTransfer {
  readonly kind: 'TransferCompleted' | 'SelfTransferred' | 'HoldingsMerged';
  readonly now: Instant;
  /** Number of the wallet of the sender, who alone acts. */
  readonly from: number;
  /** Number of the receiver's. */
  readonly to: number;
  /** Whose numbers these are: {@link senderOf} and {@link receiverOf} look up the names, which most who see a transfer do not need. */
  readonly parties: Numbering;
  /** The coins consumed, each once, in the order of the command. */
  readonly inputs: readonly ContractId[];
  /** Units of the receiver's coin; 0: there is none, as in a merge. */
  readonly paid: number;
  /** Units of the sender's coin; 0: there is none. */
  readonly change: number;
  /** The receiver's preapproval; 0 when one pays oneself. */
  readonly preapproval: number;
  /** Round and rate of the coins made. */
  readonly round: Round;
  readonly rate: Amount;
}

/** Numbers for those who have wallets, given out as needed: the same for all states that descend from one. */
export interface Numbering {
  /** The number of a party. */
  of(party: PartyId): number;
  /** The party of a number; undefined when it was never given. */
  at(wallet: number): PartyId | undefined;
}

/** Who pays. */
export function senderOf({ from, parties }: PlainTransfer): PartyId {
  return parties.at(from) as PartyId;
}

/** Who is paid. */
export function receiverOf({ to, parties }: PlainTransfer): PartyId {
  return parties.at(to) as PartyId;
}
