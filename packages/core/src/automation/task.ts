import type { LedgerState } from '../contracts/state.js';
import type { PartyId } from '../kernel/ids.js';
import type { Instant } from '../kernel/time.js';
import type { Command } from '../register/register.js';

/** What a policy wants done: a command, and who acts. */
export interface Task {
  readonly command: Command;
  readonly actAs: readonly PartyId[];
  /** Ledger time of the command, when it makes up for one that was missed; left out: now. Never before the last update. */
  readonly at?: Instant;
}

/**
 * A habit: what it would do in a state at a time. It changes nothing and knows nothing else, so that asked twice it answers the
 * same, and asked again after its tasks took effect it has nothing more to do. Its tasks can be submitted in their order.
 */
export type Policy = (state: LedgerState, now: Instant) => readonly Task[];

/** A wallet that automation looks after: whose it is, and the validator that runs it and is credited as its provider. */
export interface Wallet {
  readonly party: PartyId;
  readonly validator: PartyId;
}

export function tasksOf(actor: PartyId, commands: readonly Command[]): readonly Task[] {
  return commands.map((command) => ({ command, actAs: [actor] }));
}

/** The parties of a wallet, each once: what its provider does for it needs both. */
export function bothOf({ party, validator }: Wallet): readonly PartyId[] {
  return party === validator ? [party] : [party, validator];
}
