import type { Command, CommandType } from '@coinlab/core';
import type { Inquiry } from './inquiry.js';

/** A command of one type. */
export type CommandOf<Type extends CommandType> = Extract<Command, { readonly type: Type }>;

/** How the auditor looks into commands: each tries its own out on the page of the inquiry. */
export type Predictions<Type extends CommandType> = {
  readonly [Name in Type]: (inquiry: Inquiry, command: CommandOf<Name>) => void;
};
