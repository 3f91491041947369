import type { Rejected } from '../kernel/rejection.js';
import type { Result } from '../kernel/result.js';
import { frozen, updateOf, type Entry } from './entry.js';
import type { Update } from './update.js';
import type { KindOfCommand, RefusalOfCommand } from '../register/outcomes.js';
import type { Command } from '../register/register.js';

/** An accepted command. */
export interface Accepted<U extends Update = Update> {
  /** Frozen. A packed transfer is converted when somebody reads it. */
  readonly update: U;
  /** What went into the log: the update, or a transfer as numbers. */
  readonly entry: Entry;
}

/** The updates that a command can become. */
export type UpdateOfCommand<C extends Command> = C extends Command
  ? Extract<Update, { readonly kind: KindOfCommand<C['type']> }>
  : never;

/** The reasons for which a command can be refused. */
export type RejectionOf<C extends Command> = C extends Command ? Rejected<RefusalOfCommand<C['type']>> : never;

/** What every `submit` returns: the accepted command, or why it was refused; both narrowed by the type of the command. */
export type Submitted<C extends Command = Command> = Result<Accepted<UpdateOfCommand<C>>, RejectionOf<C>>;

/** @typeParam U the update of the entry. The caller knows the command, so it chooses the kinds. */
export class AcceptedEntry<U extends Update = Update> implements Accepted<U> {
  readonly entry: Entry;
  #update: U | null = null;

  constructor(entry: Entry) {
    this.entry = entry;
  }

  get update(): U {
    // An entry does not know its kind at compile time.
    this.#update ??= frozen(updateOf(this.entry) as U);
    return this.#update;
  }
}
