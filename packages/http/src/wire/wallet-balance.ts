import type { WalletBalance } from '@coinlab/core/views';
import { z } from '@hono/zod-openapi';
import { decimalText, tenPlaces } from './values.js';

export const balance = z
  .object({
    round: z.int(),
    effective_unlocked_qty: decimalText,
    effective_locked_qty: decimalText,
    total_holding_fees: decimalText.describe('Holding fees accrued on the unlocked coins.'),
  })
  .openapi('GetBalanceResponse');

export function shownBalance({ round, unlocked, locked, holdingFees }: WalletBalance): z.infer<typeof balance> {
  return {
    round,
    effective_unlocked_qty: tenPlaces(unlocked),
    effective_locked_qty: tenPlaces(locked),
    total_holding_fees: tenPlaces(holdingFees),
  };
}
