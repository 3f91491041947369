import type { Command, NextLedger, RejectionOf, Result } from '@coinlab/core';

/**
 * The result of a command: its update, entry and ledger, or the rejection. The command's type narrows each
 * part.
 */
export type Submitted<C extends Command = Command> = Result<NextLedger<C>, RejectionOf<C>>;
