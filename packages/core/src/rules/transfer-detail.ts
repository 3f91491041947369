import type { Effects } from '../contracts/effects.js';
import type { Amount } from '../kernel/amount.js';
import type { ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { amount, contractId, integer, list, mapOf, nullable, party, text, type Fields } from '../kernel/shape.js';
import { valueDetail } from './detail.js';
import { feesPaid, rewardsUsed, type FeesPaid, type RewardsUsed, type Transferred } from './transfer.js';

/** What the update of every transfer says beside the contracts it touches: what history and metrics show. Source: specification §5.2 step 9. */
export interface TransferDetail extends ValueDetail {
  readonly sender: PartyId;
  readonly receiver: PartyId;
  /** What the receiver gets. */
  readonly amount: Amount;
  /** Number of coins and coupons consumed. */
  readonly inputs: number;
  /** The receiver's coins. */
  readonly holdings: readonly ContractId[];
  readonly change: ContractId | null;
  readonly rewards: RewardsUsed | null;
  readonly fees: FeesPaid | null;
  /** Free texts such as `reason`. */
  readonly meta: Readonly<Record<string, string>>;
}

/** How a {@link TransferDetail} is written. */
export const transferDetail: Fields<TransferDetail> = {
  ...valueDetail,
  sender: party,
  receiver: party,
  amount,
  inputs: integer,
  holdings: list(contractId),
  change: nullable(contractId),
  rewards: nullable(rewardsUsed),
  fees: nullable(feesPaid),
  meta: mapOf(text),
};

/** The detail of a transfer that was just done and of everything that was done with it. Made in one go: it is the most frequent of all. */
export function detailOf(
  {
    sender,
    receiver,
    amount: value,
    meta,
  }: {
    readonly sender: PartyId;
    readonly receiver: PartyId;
    readonly amount: Amount;
    readonly meta: Readonly<Record<string, string>>;
  },
  inputs: number,
  { outputs, change, rewards, fees }: Transferred,
  effects: Effects,
): TransferDetail {
  const { minted, burned } = effects;
  return {
    minted,
    burned,
    sender,
    receiver,
    amount: value,
    inputs,
    holdings: outputs.map(({ id }) => id),
    change: change ? change.id : null,
    rewards,
    fees,
    meta,
  };
}
