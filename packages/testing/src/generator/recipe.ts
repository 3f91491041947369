import type { CommandOf, CommandType, Instant, PartyId, TemplateName } from '@coinlab/core';
import type { Draw } from './draw.js';

/** A command with whoever should submit it; `at` when it needs another time than the clock's. */
export interface Attempt<Type extends CommandType> {
  readonly command: CommandOf<Type>;
  readonly actAs: readonly PartyId[];
  readonly at?: Instant;
}

/** How often a command is drawn, and how. */
export interface Recipe<Type extends CommandType> {
  readonly weight: number;
  /** One of these must exist for the command to have a chance; while none does, mostly another story is carried on instead. */
  readonly needs?: readonly Exclude<TemplateName, 'Holding'>[];
  readonly draw: (draw: Draw) => Attempt<Type>;
}

/** The recipes of some commands. */
export type RecipesOf<Type extends CommandType> = { readonly [Each in Type]: Recipe<Each> };

/** A command that was drawn, before the state is known that it meets. */
export interface Drawn {
  readonly type: CommandType;
  readonly rolls: readonly number[];
}
