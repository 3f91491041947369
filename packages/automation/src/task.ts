import type { Command, Instant, LedgerState, PartyId } from '@coinlab/core';

/** A command with the acting parties, returned by a policy. */
export interface Task {
  readonly command: Command;
  readonly actAs: readonly PartyId[];
  /** Ledger time of a command that makes up for a missed one; default: now. Never before the last update. */
  readonly at?: Instant;
}

/**
 * A pure function from a state and a time to tasks, which can be submitted in order. Once they have taken effect, it
 * returns no tasks for the same time.
 */
export type Policy = (state: LedgerState, now: Instant) => readonly Task[];

/** A wallet under automation: its owner, and the validator that runs it and is credited as its provider. */
export interface Wallet {
  readonly party: PartyId;
  readonly validator: PartyId;
}

export function tasksOf(actor: PartyId, commands: readonly Command[]): readonly Task[] {
  return commands.map((command) => ({ command, actAs: [actor] }));
}

export function bothOf({ party, validator }: Wallet): readonly PartyId[] {
  return party === validator ? [party] : [party, validator];
}
