import type { Command, Context, Ledger, PartyId, Rejection, Result, Update } from '@coinlab/core';

/** A value now, or a promise of it: a port may be synchronous or not. */
export type Awaitable<Value> = Value | Promise<Value>;

/** An adapter to the ledger under test. */
export interface LedgerSystem {
  readonly name: string;
  /**
   * A ledger of its own for one run.
   * @param start where it must begin: its `updates()` lead there from nothing
   */
  open(start: Ledger): Awaitable<LedgerSession>;
}

/** A ledger during one run. Optional methods add checks. */
export interface LedgerSession {
  /** The actual start, if it differs from the requested one. */
  readonly start?: Ledger;
  /**
   * Submits a command as the parties that act, at the time of the context.
   * @param ours decides the command on the ledger of the core: the update, or the rejection with its code. A ledger with other ids maps
   * the ids in `created` to them: later commands refer to contracts by the ids of the core.
   */
  submit(command: Command, context: Context, ours: () => Result<Update, Rejection>): Awaitable<SubmitAnswer | Skipped>;
  /** Returns the total of a party, including locked coin, in units of 10⁻¹⁰. */
  totalOf?(party: PartyId): Awaitable<bigint>;
  /** Returns the SHA-256 of the state, as `stateHash` of the core computes it. */
  stateHash?(): Awaitable<string>;
  /** Returns the current ledger of the core, so that the laws are checked on its own states. */
  ledger?(): Ledger;
  close?(): Awaitable<void>;
}

/** The answer of a ledger to a command. */
export type SubmitAnswer =
  | {
      readonly accepted: true;
      /** The update, for a ledger with the log of the core; default: the update of the core for the same command. */
      readonly update?: Update;
    }
  | {
      readonly accepted: false;
      /** A code of the core is compared with the expected one; any other text counts as a refusal. */
      readonly code: string;
    };

/** The answer to an unsupported command: the run continues as if the command had not been drawn. */
export interface Skipped {
  readonly skipped: true;
}
