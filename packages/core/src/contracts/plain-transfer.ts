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
  /** Who alone acts. */
  readonly sender: PartyId;
  readonly receiver: PartyId;
  /** Numbers of their wallets in the book. */
  readonly from: number;
  readonly to: number;
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
