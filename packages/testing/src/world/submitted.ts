import type { Command, NextLedger, RejectionOf, Result } from '@coinlab/core';

export type Submitted<C extends Command = Command> = Result<NextLedger<C>, RejectionOf<C>>;
