import type { Command, Context, Ledger, PartyId, Rejection, Result, Update } from '@coinlab/core';

/** A value or a promise of it: adapters may be synchronous or asynchronous. */
export type Awaitable<Value> = Value | Promise<Value>;

/** An adapter to the ledger under test. */
export interface LedgerSystem {
  readonly name: string;
  /**
   * Opens a separate ledger for one run.
   * @param start the required initial ledger; replaying its `updates()` from an empty ledger gives its state
   */
  open(start: Ledger): Awaitable<LedgerSession>;
}

/** A ledger during one run. Each optional method enables further checks. */
export interface LedgerSession {
  /** The actual initial ledger, if it differs from the requested one. */
  readonly start?: Ledger;
  /**
   * Submits a command as the acting parties, at the time of the context.
   * @param ours executes the command on the core's ledger and returns the update or the rejection. Later
   * commands refer to contracts by the core's ids: a ledger with its own ids maps the ids in the update's
   * `created` to them
   */
  submit(command: Command, context: Context, ours: () => Result<Update, Rejection>): Awaitable<SubmitAnswer | Skipped>;
  /** Returns the total coin of a party, including locked coin, in units of 10⁻¹⁰. */
  totalOf?(party: PartyId): Awaitable<bigint>;
  /** Returns the SHA-256 of the state, as `stateHash` of the core computes it. */
  stateHash?(): Awaitable<string>;
  /** Returns the core's current ledger, if the system uses one; the laws are then checked on its states. */
  ledger?(): Ledger;
  close?(): Awaitable<void>;
}

/** The answer of a ledger to a command. */
export type SubmitAnswer =
  | {
      readonly accepted: true;
      /** The update of a ledger that has the core's log format; default: the core's update for the same command. */
      readonly update?: Update;
    }
  | {
      readonly accepted: false;
      /**
       * A rejection code of the core is compared with the expected code; any other text counts as a refusal
       * without comparison.
       */
      readonly code: string;
    };

/** The answer to an unsupported command. The run continues as if the command had not been drawn. */
export interface Skipped {
  readonly skipped: true;
}
