import type { Command, CommandType, Instant, PartyId } from '@coinlab/core';
import type { Draw } from '../draw.ts';

/** The command of one type. */
export type CommandOf<Type extends CommandType> = Extract<Command, { readonly type: Type }>;

/** A command with whoever should submit it; `at` when it needs another time than the clock's. */
export interface Attempt<Type extends CommandType> {
  readonly command: CommandOf<Type>;
  readonly actAs: readonly PartyId[];
  readonly at?: Instant;
}

/** How often a command is drawn, and how. */
export interface Recipe<Type extends CommandType> {
  readonly weight: number;
  readonly draw: (draw: Draw) => Attempt<Type>;
}

/** The recipes of a story. */
export type Recipes = { readonly [Type in CommandType]?: Recipe<Type> };
