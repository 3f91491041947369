import type { Command, CommandType } from '@coinlab/core';
import type { Inquiry } from './inquiry.js';

export type CommandOf<Type extends CommandType> = Extract<Command, { readonly type: Type }>;

export type Predictions<Type extends CommandType> = {
  readonly [Name in Type]: (inquiry: Inquiry, command: CommandOf<Name>) => void;
};
