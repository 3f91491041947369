import type { LedgerState } from './contracts/state.js';
import { emptyState, forkState, isState, type Writable } from './contracts/ledger-state.js';
import { invariant, requireArgument } from './kernel/assert.js';
import type { Context } from './kernel/decision.js';
import type { Rejection } from './kernel/rejection.js';
import { ok, type Result } from './kernel/result.js';
import { brokenLaws, type Law } from './laws/law.js';
import { frozen, updateOf, type Entry } from './log/entry.js';
import { evolve } from './log/evolve.js';
import { stateHash } from './log/state-hash.js';
import { entriesAfter, journalWith, type Journal } from './log/journal.js';
import type { Update } from './log/update.js';
import { genesis, failOptions, type OpenOptions } from './genesis.js';
import type { Command, CommandArgument, CommandOf, CommandType } from './register/register.js';
import { printEntry, step } from './submit.js';
import { AcceptedEntry, type Accepted, type RejectionOf, type UpdateOfCommand } from './log/submitted.js';

/**
 * A ledger as an immutable value: submitting a command returns a new ledger and leaves the old one unchanged, so that
 * every version is a snapshot and a fork is O(1).
 */
export interface Ledger {
  readonly state: LedgerState;
  /** Decides a command; if accepted, returns the next ledger and the update. A refused command changes nothing. */
  submit<Type extends CommandType>(
    command: CommandArgument<Type>,
    context: Context,
  ): Result<NextLedger<CommandOf<Type>>, RejectionOf<CommandOf<Type>>>;
  /** Returns the rejection that `submit` would give, or null. Changes nothing. */
  check(command: Command, context: Context): Rejection | null;
  /** Returns the ledger after an update that was decided elsewhere, and freezes the update. Throws if the update does not fit the state. */
  apply(update: Update): Ledger;
  /** Returns the updates after an offset, oldest first; default: all updates. */
  updates(after?: number): readonly Update[];
  /** Returns the SHA-256 of the canonical state; equal states have equal hashes. Reads the whole state. */
  hash(): string;
}

/** An accepted command with the ledger after it. */
export interface NextLedger<C extends Command = Command> extends Accepted<UpdateOfCommand<C>> {
  readonly ledger: Ledger;
}

/** Opening options and laws of a ledger. */
export interface LedgerOptions extends OpenOptions {
  /** Laws to check on every update; a broken one throws. Default: only conservation and single use, which are always checked. */
  readonly laws?: readonly Law[];
}

/** Returns a ledger that is open and has its first three rounds. Throws a TypeError or a RangeError that names the invalid option. */
export function openLedger(options: LedgerOptions = {}): Ledger {
  return genesis(options).reduce((ledger, { command, context }) => {
    const accepted = ledger.submit(command, context);
    if (!accepted.ok) failOptions(accepted.error);
    return accepted.value.ledger;
  }, emptyLedger(options.laws));
}

/** Returns an empty ledger, which accepts only OpenLedger as its first command. */
export function emptyLedger(laws: readonly Law[] = []): Ledger {
  return new Version(emptyState(), null, checkedLaws(laws));
}

/**
 * Returns a ledger that continues from a state; its log begins with the next update. Does not change the state.
 * Throws a TypeError unless the argument is a state.
 */
export function ledgerFrom(state: LedgerState, laws: readonly Law[] = []): Ledger {
  return new Version(forkOf(state, 'ledgerFrom(state)'), null, checkedLaws(laws));
}

export function forkOf(state: LedgerState, argument: string): Writable<LedgerState> {
  requireArgument(isState(state), argument, state, null, 'a LedgerState, such as ledger.state or engine.snapshot()');
  return forkState(state);
}

export function checkedLaws(laws: readonly Law[]): readonly Law[] {
  requireArgument(Array.isArray(laws), 'laws', laws, null, 'a list of laws, such as LAWS');
  return laws;
}

/**
 * Returns the ledger of a log. Throws a TypeError unless the updates are iterable, and an Error that names the update
 * which does not fit its predecessors.
 */
export function replay(updates: Iterable<Update>, laws: readonly Law[] = []): Ledger {
  const fits = typeof updates === 'object' && updates !== null && Symbol.iterator in updates;
  requireArgument(fits, 'replay(updates)', updates, null, 'a list of updates, such as ledger.updates()');
  let ledger = emptyLedger(laws);
  for (const update of updates) ledger = ledger.apply(update);
  return ledger;
}

class Version implements Ledger {
  readonly state: LedgerState;
  readonly #journal: Journal | null;
  readonly #laws: readonly Law[];

  constructor(state: LedgerState, journal: Journal | null, laws: readonly Law[]) {
    this.state = state;
    this.#journal = journal;
    this.#laws = laws;
  }

  submit<Type extends CommandType>(
    command: CommandArgument<Type>,
    context: Context,
  ): Result<NextLedger<CommandOf<Type>>, RejectionOf<CommandOf<Type>>>;
  submit(command: Command, context: Context): Result<NextLedger, Rejection> {
    const accepted = step(command, this.state, context, this.#laws.length === 0);
    if (!accepted.ok) return accepted;
    const { entry } = accepted.value;
    return ok(new AcceptedVersion(entry, this.#after(entry)));
  }

  check(command: Command, context: Context): Rejection | null {
    const accepted = step(command, this.state, context, this.#laws.length === 0);
    return accepted.ok ? null : accepted.error;
  }

  apply(update: Update): Ledger {
    requireEntry(update);
    return this.#after(update);
  }

  updates(after: number = 0): readonly Update[] {
    return entriesAfter(this.#journal, after).map((entry) => frozen(updateOf(entry)));
  }

  hash(): string {
    return stateHash(this.state);
  }

  #after(entry: Entry): Ledger {
    const after = forkState(this.state);
    evolve(after, frozen(entry), printEntry);
    requireLaws(this.#laws, this.state, entry, after);
    return new Version(Object.freeze(after), journalWith(this.#journal, entry), this.#laws);
  }
}

export function requireEntry(entry: Entry): void {
  const fits = typeof entry === 'object' && entry !== null && typeof entry.recordTime === 'bigint';
  requireArgument(fits, 'apply(update)', entry, null, 'an update or an entry, such as those of ledger.updates()');
}

class AcceptedVersion extends AcceptedEntry implements NextLedger {
  readonly ledger: Ledger;

  constructor(entry: Entry, ledger: Ledger) {
    super(entry);
    this.ledger = ledger;
  }
}

export function requireLaws(laws: readonly Law[], before: LedgerState, entry: Entry, after: LedgerState): void {
  if (laws.length === 0) return;
  const update = updateOf(entry);
  const broken = brokenLaws(laws, { before, update, after })[0];
  invariant(
    broken === undefined,
    broken?.name ?? '',
    () => `law of invariant ${broken?.invariant}, broken by ${printEntry(update)}`,
  );
}
