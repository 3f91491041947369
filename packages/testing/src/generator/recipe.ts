import type { CommandOf, CommandType, Instant, PartyId, TemplateName } from '@coinlab/core';
import type { Draw } from './draw.js';

/** A command with its actors; `at` if it needs a time other than the clock's. */
export interface Attempt<Type extends CommandType> {
  readonly command: CommandOf<Type>;
  readonly actAs: readonly PartyId[];
  readonly at?: Instant;
}

/** The frequency and the generator of a command. */
export interface Recipe<Type extends CommandType> {
  readonly weight: number;
  /** At least one contract of these templates must exist; otherwise another command usually replaces this one. */
  readonly needs?: readonly Exclude<TemplateName, 'Holding'>[];
  readonly draw: (draw: Draw) => Attempt<Type>;
}

/** The recipes of several types of commands. */
export type RecipesOf<Type extends CommandType> = { readonly [Each in Type]: Recipe<Each> };

/** Random numbers from which a command is made once the state is known. */
export interface Drawn {
  readonly type: CommandType;
  readonly rolls: readonly number[];
}
