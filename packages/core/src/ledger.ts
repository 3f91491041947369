import { produce } from 'immer';
import type { PlainTransfer } from './contracts/plain-transfer.js';
import { emptyState, forkState, settingsOf, type LedgerState } from './contracts/state.js';
import { invariant } from './kernel/assert.js';
import type { Context } from './kernel/decision.js';
import { UpdateId, type Offset } from './kernel/ids.js';
import { shown } from './kernel/malformed.js';
import type { Rejection } from './kernel/rejection.js';
import { err, ok, type Result } from './kernel/result.js';
import type { Instant } from './kernel/time.js';
import { brokenLaws, type Law } from './laws/law.js';
import { evolve, type Writable } from './log/evolve.js';
import { evolvePlain, updateOfPlain } from './log/plain-update.js';
import { stateHash } from './log/state-hash.js';
import type { Update } from './log/update.js';
import { genesis, type OpenOptions } from './genesis.js';
import type { Command } from './register/register.js';
import { codec, decide, place, plainOf } from './submit.js';

/**
 * A ledger as an immutable value: submitting a command gives a new ledger and leaves the old one as it was, so a version is a
 * snapshot and a fork costs nothing.
 */
export interface Ledger {
  readonly state: LedgerState;
  /** Decides a command; accepted, it gives the next ledger and the update. A refused command changes nothing. */
  submit(command: Command, context: Context): Result<Accepted, Rejection>;
  /** What `submit` would do, without doing it. */
  check(command: Command, context: Context): Rejection | null;
  /** Adds an update that was decided elsewhere: replay. Throws when it does not fit. */
  apply(update: Update): Ledger;
  /** The updates after an offset (all by default), oldest first. */
  updates(after?: number): readonly Update[];
  /** SHA-256 of the canonical state, equal for equal states whatever path led there. A scan. */
  hash(): string;
}

/** An accepted command. */
export interface Accepted {
  readonly ledger: Ledger;
  readonly update: Update;
}

/** How a ledger is opened and watched. */
export interface LedgerOptions extends OpenOptions {
  /** Laws to check on every update; a broken one throws. Left out: conservation and single use alone, which are always checked. */
  readonly laws?: readonly Law[];
}

/** The log as versions share it: each version knows the last update and the log before it. */
interface Journal {
  readonly last: Update | PlainEntry;
  readonly before: Journal | null;
}

/** A plain transfer from which its update is made again when somebody reads the log: a fifth of the memory. */
interface PlainEntry {
  readonly plain: PlainTransfer;
  readonly offset: Offset;
  /** As it was before. */
  readonly nextContract: number;
  readonly ids: Ids;
}

type Ids = (offset: Offset, at: Instant) => UpdateId;

/** A ledger that is open and has its first three rounds. Throws when the options break a validity rule. */
export function openLedger(options: LedgerOptions = {}): Ledger {
  return genesis(options).reduce((ledger, { command, context }) => {
    const accepted = ledger.submit(command, context);
    invariant(accepted.ok, 'the options of a new ledger are valid', () => shown(accepted));
    return accepted.value.ledger;
  }, emptyLedger(options.laws));
}

/** A ledger with nothing in it: its first command is OpenLedger. */
export function emptyLedger(laws: readonly Law[] = []): Ledger {
  return new Version(emptyState(), null, laws, null);
}

/** A ledger that goes on from a state; its log begins with the next update. The state is left alone. */
export function ledgerFrom(state: LedgerState, laws: readonly Law[] = []): Ledger {
  return new Version(forkState(state), null, laws, null);
}

/** The ledger that a log leads to. Throws, naming the update, when one does not fit. */
export function replay(updates: Iterable<Update>, laws: readonly Law[] = []): Ledger {
  let ledger = emptyLedger(laws);
  for (const update of updates) ledger = ledger.apply(update);
  return ledger;
}

class Version implements Ledger {
  readonly state: LedgerState;
  readonly #journal: Journal | null;
  readonly #laws: readonly Law[];
  readonly #ids: Ids | null;

  constructor(state: LedgerState, journal: Journal | null, laws: readonly Law[], ids: Ids | null) {
    this.state = state;
    this.#journal = journal;
    this.#laws = laws;
    this.#ids = ids;
  }

  submit(command: Command, context: Context): Result<Accepted, Rejection> {
    const plain = this.#plainOf(command, context);
    if (plain) return ok(this.#afterPlain(plain));
    const outcome = decide(command, this.state, context);
    if (!outcome.ok) return err(outcome.error);
    const ids = this.#idSource(command);
    const update = place(outcome.value, this.state, context, ids);
    return ok({ ledger: this.#after(update, ids), update });
  }

  check(command: Command, context: Context): Rejection | null {
    if (this.#plainOf(command, context)) return null;
    const outcome = decide(command, this.state, context);
    return outcome.ok ? null : outcome.error;
  }

  apply(update: Update): Ledger {
    return this.#after(update, this.#ids);
  }

  updates(after: number = 0): readonly Update[] {
    return listUpdates(this.#journal, after);
  }

  hash(): string {
    return stateHash(this.state);
  }

  #after(update: Update, ids: Ids | null): Ledger {
    const { state } = this;
    const after = produce(state, (draft) => {
      const writable = draft as unknown as Writable<LedgerState>;
      writable.book = state.book.fork();
      evolve(writable, update, codec.encode);
    });
    requireLaws(this.#laws, state, update, after);
    return new Version(after, { last: update, before: this.#journal }, this.#laws, ids);
  }

  /** Laws look at updates, so with them every command goes the long way. */
  #plainOf(command: Command, context: Context): PlainTransfer | null {
    return this.#laws.length > 0 ? null : plainOf(command, this.state, context);
  }

  #afterPlain(plain: PlainTransfer): Accepted {
    const { nextContract, offset } = this.state;
    const ids = this.#ids ?? UpdateId.source(settingsOf(this.state).seed);
    const last = { plain, offset: (offset + 1) as Offset, nextContract, ids };
    const after = forkState(this.state);
    evolvePlain(after, plain);
    // As immer leaves what it has produced.
    const ledger = new Version(Object.freeze(after), { last, before: this.#journal }, this.#laws, ids);
    return { ledger, update: updateIn(last) };
  }

  #idSource(command: Command): Ids {
    return this.#ids ?? UpdateId.source(command.type === 'OpenLedger' ? command.seed : settingsOf(this.state).seed);
  }
}

/** Throws when an update breaks a law: that is our bug, never a user's. */
export function requireLaws(laws: readonly Law[], before: LedgerState, update: Update, after: LedgerState): void {
  if (laws.length === 0) return;
  const broken = brokenLaws(laws, { before, update, after })[0];
  invariant(
    broken === undefined,
    broken?.name ?? '',
    () => `law of invariant ${broken?.invariant}, broken by ${codec.encode(update)}`,
  );
}

function updateIn({ plain, offset, nextContract, ids }: PlainEntry): Update {
  return updateOfPlain(plain, { offset, updateId: ids(offset, plain.now), nextContract });
}

function listUpdates(journal: Journal | null, after: number): readonly Update[] {
  const updates: Update[] = [];
  for (let at = journal; at && at.last.offset > after; at = at.before) {
    const { last } = at;
    updates.push('plain' in last ? updateIn(last) : last);
  }
  return updates.reverse();
}
