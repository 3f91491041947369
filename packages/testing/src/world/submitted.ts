import type { Command, NextLedger, RejectionOf, Result } from '@coinlab/core';

/** The result of a command: the update, its entry and the ledger after it, or the rejection; narrowed by the command. */
export type Submitted<C extends Command = Command> = Result<NextLedger<C>, RejectionOf<C>>;
