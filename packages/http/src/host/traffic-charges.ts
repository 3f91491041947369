import type { CommandArgument, Instant, LedgerState, PartyId, Rejection, Result, Update } from '@coinlab/core';

export type CommandSource = 'client' | 'automation';

export interface TrafficCharge {
  readonly command: CommandArgument<'ConsumeTraffic'>;
  readonly actAs: readonly PartyId[];
}

export interface TrafficCharges {
  /**
   * Null: the update costs nothing.
   * @param state the state before the update
   */
  chargeOf(
    update: Update,
    state: LedgerState,
    now: Instant,
    source: CommandSource,
  ): Result<TrafficCharge, Rejection> | null;
}
