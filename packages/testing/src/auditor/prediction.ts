import type { Command, CommandType } from '@coinlab/core';
import type { Inquiry } from './inquiry.js';

export type CommandOf<Type extends CommandType> = Extract<Command, { readonly type: Type }>;

/** Functions by command type that evaluate a command in the overlay of an inquiry. */
export type Predictions<Type extends CommandType> = {
  readonly [Name in Type]: (inquiry: Inquiry, command: CommandOf<Name>) => void;
};
