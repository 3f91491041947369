import type { LedgerState } from './contracts/state.js';
import { emptyState, forkState, type Writable } from './contracts/ledger-state.js';
import { requireArgument } from './kernel/assert.js';
import type { Brand } from './kernel/brand.js';
import { sha256Of, type Sha256 } from './kernel/bytes.js';
import type { Context } from './kernel/decision.js';
import type { Law } from './laws/law.js';
import type { BadSegment, CompactLog } from './log/compact/compact-log.js';
import { entryFor, frozen, type Entry } from './log/entry.js';
import { evolve } from './log/evolve.js';
import { stateHash } from './log/state-hash.js';
import { genesis, failOptions, type OpenOptions } from './genesis.js';
import { checkedLaws, forkOf, requireEntry, requireLaws } from './ledger.js';
import type { Command, CommandArgument, CommandOf, CommandType } from './register/register.js';
import type { PreparedFormat, TransactionReader } from './rules/signing/prepared.js';
import type { SignatureCheck } from './rules/signing/signatures.js';
import type { CommandRunner } from './rules/workflow.js';
import { printEntry, readCompactEntries, runnerWith, step } from './submit.js';
import type { Submitted } from './log/submitted.js';

/** Opening options, laws and listeners of an engine. */
export interface EngineOptions extends OpenOptions {
  /** Laws to check on every update, each against a fork of the state before it. With laws no transfer is packed. */
  readonly laws?: readonly Law[];
  /**
   * Called with every entry after the engine has applied it; `updateOf` converts the entry to an update. Updates are
   * frozen. The engine keeps no entries.
   */
  readonly onEntry?: (entry: Entry) => void;
  /** Log that receives every entry; it must have been opened with the same seed. Cheaper than a list of updates. */
  readonly log?: CompactLog;
  /** Verifies the signatures of prepared transactions. Default: the portable check, `isSignedBy`. */
  readonly isSignedBy?: SignatureCheck;
  /** Reads prepared transactions. Default: the format of `prepare`. */
  readonly readTransaction?: PreparedFormat;
}

/** The live state of an engine, changed by the next command: read it at once, or keep {@link Engine.snapshot}, which never changes. */
export type LiveState = Brand<LedgerState, 'LiveState'>;

/**
 * A ledger that changes its own state in place, for millions of commands. It shares `step` and `evolve` with the
 * immutable {@link Ledger}, so the same commands give the same log and the same state, byte for byte.
 */
export class Engine {
  readonly #state: Writable<LedgerState>;
  readonly #onEntry: ((entry: Entry) => void) | null;
  readonly #log: CompactLog | null;
  readonly #laws: readonly Law[];
  readonly #runner: CommandRunner;

  /**
   * Makes an engine whose ledger is not open yet; {@link openEngine} returns an open one.
   * @param from a state to continue from; it is not changed
   */
  constructor(
    options: Pick<EngineOptions, 'laws' | 'onEntry' | 'log' | keyof TransactionReader> = {},
    from: LedgerState | null = null,
  ) {
    const { onEntry = null, log = null, laws = [] } = options;
    const listens = onEntry === null || typeof onEntry === 'function';
    requireArgument(listens, 'options.onEntry', onEntry, null, 'a function that takes an entry');
    this.#state = from === null ? emptyState() : forkOf(from, 'new Engine(_, from)');
    this.#onEntry = onEntry;
    this.#log = log;
    this.#laws = checkedLaws(laws);
    this.#runner = runnerWith(options);
  }

  /** The current state; the next command changes it. {@link snapshot} returns one that does not change. */
  get state(): LiveState {
    return this.#state as LiveState; // a cast: the engine's own state is the live one
  }

  /**
   * Decides a command and applies it. A rejected command changes nothing.
   * @returns the update and its entry, or the rejection
   */
  submit<Type extends CommandType>(command: CommandArgument<Type>, context: Context): Submitted<CommandOf<Type>>;
  submit(command: Command, context: Context): Submitted {
    const accepted = step(command, this.#state, context, this.#laws.length === 0, this.#runner);
    if (accepted.ok) this.#take(accepted.value.entry);
    return accepted;
  }

  /** Applies an entry that was decided elsewhere. Freezes the entry if the engine has a listener. Throws if the entry does not fit the state. */
  apply(entry: Entry): void {
    requireEntry(entry);
    this.#take(entry);
  }

  /**
   * Applies the entries of a compact log after the engine's offset. Throws if an entry does not fit the state.
   * @param sha256 as for {@link openCompactLog}
   * @returns null, or the position and reason where reading stopped: all entries before it have been applied
   */
  replay(log: Uint8Array, sha256: Sha256 = sha256Of): BadSegment | null {
    for (const entry of readCompactEntries(log, this.#state, sha256)) {
      if (!entry.ok) return entry.error;
      if (entry.value.offset > this.#state.offset) this.#take(entryFor(this.#state, entry.value));
    }
    return null;
  }

  #take(entry: Entry): void {
    const before = this.#laws.length > 0 ? this.snapshot() : null;
    if (this.#onEntry) frozen(entry);
    evolve(this.#state, entry, printEntry);
    if (before) requireLaws(this.#laws, before, entry, this.#state);
    this.#log?.append(entry);
    this.#onEntry?.(entry);
  }

  /** Returns the state as a value that later commands do not change. O(1). */
  snapshot(): LedgerState {
    return forkState(this.#state);
  }

  /** Returns the SHA-256 of the canonical state. Reads the whole state. */
  hash(): string {
    return stateHash(this.#state);
  }
}

/** Returns an engine that is open and has its first three rounds. Throws a TypeError or a RangeError that names the invalid option. */
export function openEngine(options: EngineOptions = {}): Engine {
  const submissions = genesis(options);
  const engine = new Engine(options);
  for (const { command, context } of submissions) {
    const accepted = engine.submit(command, context);
    if (!accepted.ok) failOptions(accepted.error);
  }
  return engine;
}
