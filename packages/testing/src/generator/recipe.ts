import type { CommandOf, CommandType, Instant, PartyId, TemplateName } from '@coinlab/core';
import type { Draw } from './draw.js';

/** A command with its actors. `at` is set if the command needs a time other than the current one. */
export interface Attempt<Type extends CommandType> {
  readonly command: CommandOf<Type>;
  readonly actAs: readonly PartyId[];
  readonly at?: Instant;
}

/** The generator of a type of command, with its relative frequency. */
export interface Recipe<Type extends CommandType> {
  readonly weight: number;
  /**
   * The command needs a contract of at least one of these templates; without any, another command usually replaces it.
   */
  readonly needs?: readonly Exclude<TemplateName, 'Holding'>[];
  readonly draw: (draw: Draw) => Attempt<Type>;
}

/** The recipes of several command types. */
export type RecipesOf<Type extends CommandType> = { readonly [Each in Type]: Recipe<Each> };

/** A type of command with the random numbers that determine its fields once the state is known. */
export interface Drawn {
  readonly type: CommandType;
  readonly rolls: readonly number[];
}
