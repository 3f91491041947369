import type { Rejected } from '../kernel/rejection.js';
import type { Result } from '../kernel/result.js';
import { frozen, isPacked, updateOf, type Entry } from './entry.js';
import type { Update } from './update.js';
import type { KindOfCommand, RefusalOfCommand } from '../register/outcomes.js';
import type { Command } from '../register/register.js';

/** An accepted command with its update and its entry. */
export interface Accepted<U extends Update = Update> {
  /** The update. A packed transfer is converted at the first read. Frozen, unless an engine without a listener returns it. */
  readonly update: U;
  /** The entry of the log: the update, or a packed transfer. */
  readonly entry: Entry;
}

/** The updates that a command can become. */
export type UpdateOfCommand<C extends Command> = C extends Command
  ? Extract<Update, { readonly kind: KindOfCommand<C['type']> }>
  : never;

/** The rejections of a command. */
export type RejectionOf<C extends Command> = C extends Command ? Rejected<RefusalOfCommand<C['type']>> : never;

/** The result of `submit`: the accepted command or the rejection, both narrowed by the type of the command. */
export type Submitted<C extends Command = Command> = Result<Accepted<UpdateOfCommand<C>>, RejectionOf<C>>;

/**
 * The update is derived when it is read. Casts: the type of an entry does not tell its kind.
 * @typeParam U the type of the update, which follows from the submitted command
 */
export class AcceptedEntry<U extends Update = Update> implements Accepted<U> {
  /** Lives as long as the process, as the kept object of `Effects` does. Cast: its entry is never read. */
  protected static readonly kept: AcceptedEntry = /* @__PURE__ */ new AcceptedEntry({} as Update);

  readonly entry: Entry;
  // Not a field with #: V8 adds these in a slow call to each new object.
  private converted: U | null = null;

  constructor(entry: Entry) {
    this.entry = entry;
  }

  get update(): U {
    if (!isPacked(this.entry)) return this.entry as U;
    this.converted ??= frozen(updateOf(this.entry)) as U;
    return this.converted;
  }
}
