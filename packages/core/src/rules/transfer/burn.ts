import type { Effects } from '../../contracts/effects.js';
import type { LedgerState } from '../../contracts/state.js';
import { Amount } from '../../kernel/amount.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import { ok, type Result } from '../../kernel/result.js';
import type { Instant } from '../../kernel/time.js';
import type { TransferRound } from '../rounds.js';
import { transfer, type Transferred, type TransferRejection } from './transfer.js';

export interface Burn {
  readonly payer: PartyId;
  readonly amount: Amount;
  readonly inputs: readonly ContractId[];
  readonly round: TransferRound;
  readonly now: Instant;
}

/**
 * The payer's validator earns a coupon for the amount and the fees. Source: specification §5.6.
 * @returns the split; its output is already archived
 */
export function burn(
  { payer, amount, inputs, round, now }: Burn,
  state: LedgerState,
  effects: Effects,
): Result<Transferred, TransferRejection> {
  if (amount === 0n) return ok({ outputs: [], change: null, rewards: null, fees: null });
  const split = transfer(
    {
      sender: payer,
      provider: payer,
      inputs,
      outputs: [{ receiver: payer, amount }],
      round,
      now,
      createsRewards: false,
    },
    state,
    effects,
  );
  if (!split.ok) return split;
  for (const coin of split.value.outputs) effects.archive(coin);
  effects.burn(amount);
  const fees = Amount.sum(split.value.fees?.outputFees ?? []);
  effects.create('ValidatorRewardCoupon', { user: payer, amount: Amount.add(amount, fees), round: round.open.round });
  return ok({ ...split.value, outputs: [] });
}
