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
import { codec, decide, place, plainOf, type Command } from './submit.js';

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
  readonly last: Update;
  readonly before: Journal | null;
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
  return version(emptyState(), null, laws, null);
}

/** A ledger that goes on from a state; its log begins with the next update. The state is left alone. */
export function ledgerFrom(state: LedgerState, laws: readonly Law[] = []): Ledger {
  return version(forkState(state), null, laws, null);
}

/** The ledger that a log leads to. Throws, naming the update, when one does not fit. */
export function replay(updates: Iterable<Update>, laws: readonly Law[] = []): Ledger {
  let ledger = emptyLedger(laws);
  for (const update of updates) ledger = ledger.apply(update);
  return ledger;
}

function version(state: LedgerState, journal: Journal | null, laws: readonly Law[], knownIds: Ids | null): Ledger {
  const idsFor = (command: Command): Ids =>
    knownIds ?? UpdateId.source(command.type === 'OpenLedger' ? command.seed : settingsOf(state).seed);
  const next = (update: Update, ids: Ids | null): Ledger => {
    const after = produce(state, (draft) => {
      const writable = draft as unknown as Writable<LedgerState>;
      writable.book = state.book.fork();
      evolve(writable, update, codec.encode);
    });
    requireLaws(laws, state, update, after);
    return version(after, { last: update, before: journal }, laws, ids);
  };
  // Laws look at updates, so with them every command goes the long way.
  const plainFor = (command: Command, context: Context): PlainTransfer | null =>
    laws.length > 0 ? null : plainOf(command, state, context);
  const plainly = (plain: PlainTransfer, ids: Ids): Accepted => {
    const update = updateOfPlain(plain, state, ids((state.offset + 1) as Offset, plain.now));
    const after = forkState(state);
    evolvePlain(after, plain);
    // As immer leaves what it has produced.
    return { ledger: version(Object.freeze(after), { last: update, before: journal }, laws, ids), update };
  };
  return {
    state,
    submit(command, context) {
      const plain = plainFor(command, context);
      if (plain) return ok(plainly(plain, idsFor(command)));
      const outcome = decide(command, state, context);
      if (!outcome.ok) return err(outcome.error);
      const ids = idsFor(command);
      const update = place(outcome.value, state, context, ids);
      return ok({ ledger: next(update, ids), update });
    },
    check(command, context) {
      if (plainFor(command, context)) return null;
      const outcome = decide(command, state, context);
      return outcome.ok ? null : outcome.error;
    },
    apply: (update) => next(update, knownIds),
    updates: (after = 0) => listUpdates(journal, after),
    hash: () => stateHash(state),
  };
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

function listUpdates(journal: Journal | null, after: number): readonly Update[] {
  const updates: Update[] = [];
  for (let at = journal; at && at.last.offset > after; at = at.before) updates.push(at.last);
  return updates.reverse();
}
