import { Effects, type Outcome, type ValueDetail } from '@coinlab/core/workflows';
import { type LedgerState, type Contract, type Rejected, ok, type Result } from '@coinlab/core';
import {
  walletRound,
  transfer,
  type Transferred,
  type TransferRejection,
  type TransferRequest,
} from '@coinlab/core/rules';

/** The effects of a transfer. */
export interface TransferTrial extends Transferred {
  readonly outcome: Outcome<Contract, 'Trial', ValueDetail>;
}

/**
 * Evaluates the transfer primitive alone in the newest usable round and changes nothing. Use it for features
 * that no command uses: several outputs, receivers who pay a share of the fee, and beneficiaries.
 * Source: specification §5.
 */
export function tryTransfer(
  state: LedgerState,
  request: Omit<TransferRequest, 'round'>,
): Result<TransferTrial, TransferRejection | Rejected<'ROUND_NOT_OPEN'>> {
  const round = walletRound(state, request.now);
  if (!round.ok) return round;
  const effects = new Effects(state);
  const done = transfer({ ...request, round: round.value }, state, effects);
  return done.ok ? ok({ ...done.value, outcome: effects.outcome('Trial', {}) }) : done;
}
