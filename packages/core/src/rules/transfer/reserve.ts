import { settingsOf, type LedgerState } from '../../contracts/state.js';
import type { TransferTerms } from '../../contracts/transfer-instruction.js';
import { Amount } from '../../kernel/amount.js';
import { Instant } from '../../kernel/time.js';
import { feeReserve, outputFee } from './fees.js';
import type { TransferRound } from '../rounds.js';

/** Returns the coin that a locked offer reserves for its fees; 0 in profiles without a reserve. Source: specification §7.1. */
export function reserveFor(
  terms: Pick<TransferTerms, 'sender' | 'receiver' | 'amount' | 'requestedAt' | 'executeBefore'>,
  round: TransferRound,
  state: LedgerState,
): Amount {
  const { feeReserveFactor } = settingsOf(state).profile;
  if (feeReserveFactor === 0) return Amount.zero;
  return feeReserve(feeReserveFactor, {
    outputFee: outputFee(round.config, { amount: terms.amount, toSelf: terms.receiver === terms.sender, holders: 0 }),
    holdingFeeUsd: round.configUsd.holdingFee,
    tick: round.open.tickDuration,
    lockedFor: Instant.between(terms.requestedAt, terms.executeBefore),
    price: round.price,
  });
}
