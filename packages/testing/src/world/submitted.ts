import type { Command, NextLedger, RejectionOf, Result } from '@coinlab/core';

/** The command's type narrows each part. */
export type Submitted<C extends Command = Command> = Result<NextLedger<C>, RejectionOf<C>>;
