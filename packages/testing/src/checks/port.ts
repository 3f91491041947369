import type { Command, Context, Ledger, PartyId, Rejection, Result, Update } from '@coinlab/core';

/** A value now, or a promise of it: a port may be synchronous or not. */
export type Awaitable<Value> = Value | Promise<Value>;

/** A ledger that is checked: ours in any of its forms, or your own behind a few lines. */
export interface LedgerSystem {
  readonly name: string;
  /**
   * A ledger of its own for one run.
   * @param start where it must begin: its `updates()` lead there from nothing
   */
  open(start: Ledger): Awaitable<LedgerSession>;
}

/** A ledger during one run. What it cannot tell it leaves out; the more it tells the more is checked. */
export interface LedgerSession {
  /** Where it begins, when that is not where it was asked to. */
  readonly start?: Ledger;
  /**
   * Submits a command as the parties that act, at the time of the context.
   * @param ours decides the command on our own ledger: the update, or the rejection with its code. A ledger with ids of its own pairs them
   * with the ids in `created`: later commands name contracts by ours.
   */
  submit(command: Command, context: Context, ours: () => Result<Update, Rejection>): Awaitable<SubmitAnswer | Skipped>;
  /** What a party owns in all, locked or not, in units of 10⁻¹⁰. */
  totalOf?(party: PartyId): Awaitable<bigint>;
  /** SHA-256 of its state, as `stateHash` of the core tells it. */
  stateHash?(): Awaitable<string>;
  /** The ledger as it is now, when it is one of ours: laws are then asked of its own states. */
  ledger?(): Ledger;
  close?(): Awaitable<void>;
}

/** What a ledger answers. */
export type SubmitAnswer =
  | {
      readonly accepted: true;
      /** The update, by a ledger that keeps our log; without it our own ledger tells what had to happen. */
      readonly update?: Update;
    }
  | {
      readonly accepted: false;
      /** Why: a code of ours is compared, any other text counts as a refusal. */
      readonly code: string;
    };

/** The answer to a command that the ledger does not have: the run goes on as if the command had not been drawn. */
export interface Skipped {
  readonly skipped: true;
}
