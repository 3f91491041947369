import type { CommandArgument, Instant, LedgerState, PartyId, Rejection, Result, Update } from '@coinlab/core';

export type CommandSource = 'client' | 'automation';

export interface TrafficCharge {
  readonly command: CommandArgument<'ConsumeTraffic'>;
  readonly actAs: readonly PartyId[];
}

export interface TrafficCharges {
  /**
   * Returns the charge for an update, or the reason to refuse it; null for an update without cost.
   * @param state the state before the update
   */
  chargeOf(
    update: Update,
    state: LedgerState,
    now: Instant,
    source: CommandSource,
  ): Result<TrafficCharge, Rejection> | null;
}
