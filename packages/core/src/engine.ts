import { emptyState, forkState, settingsOf, type LedgerState } from './contracts/state.js';
import { invariant } from './kernel/assert.js';
import type { Context } from './kernel/decision.js';
import { UpdateId, type Offset } from './kernel/ids.js';
import { shown } from './kernel/malformed.js';
import type { Rejection } from './kernel/rejection.js';
import { ok, type Result } from './kernel/result.js';
import type { Instant } from './kernel/time.js';
import type { Law } from './laws/law.js';
import { evolve, type Writable } from './log/evolve.js';
import { stateHash } from './log/state-hash.js';
import type { Update } from './log/update.js';
import { genesis, type OpenOptions } from './genesis.js';
import { requireLaws } from './ledger.js';
import { codec, decide, place, type Command } from './submit.js';

/** How an engine is opened, watched and logged. */
export interface EngineOptions extends OpenOptions {
  /** Laws to check on every update, each against a fork of the state before it. */
  readonly laws?: readonly Law[];
  /** Receives every update as it happens: the log. The engine keeps none of them. */
  readonly onUpdate?: (update: Update) => void;
}

/**
 * A ledger that owns its state and changes it in place, for millions of commands. The same `decide` and `evolve` as the
 * immutable {@link Ledger}, so the same commands give the same log and the same state, byte for byte.
 */
export class Engine {
  readonly #state: Writable<LedgerState>;
  readonly #onUpdate: (update: Update) => void;
  readonly #laws: readonly Law[];
  #ids: ((offset: Offset, at: Instant) => UpdateId) | null = null;

  /**
   * An engine with nothing in it; {@link openEngine} gives one that is ready.
   * @param from a state to go on from; it is left alone
   */
  constructor(options: Pick<EngineOptions, 'laws' | 'onUpdate'> = {}, from: LedgerState | null = null) {
    this.#state = from ? forkState(from) : emptyState();
    this.#onUpdate = options.onUpdate ?? ((): void => undefined);
    this.#laws = options.laws ?? [];
  }

  /** The state as it is now; it changes with the next command. {@link snapshot} gives one that stays. */
  get state(): LedgerState {
    return this.#state;
  }

  /** Decides a command; accepted, it takes effect at once. A refused command changes nothing. */
  submit(command: Command, context: Context): Result<Update, Rejection> {
    const outcome = decide(command, this.#state, context);
    if (!outcome.ok) return outcome;
    this.#ids ??= UpdateId.source(command.type === 'OpenLedger' ? command.seed : settingsOf(this.#state).seed);
    const update = place(outcome.value, this.#state, context, this.#ids);
    this.apply(update);
    return ok(update);
  }

  /** Adds an update that was decided elsewhere: replay. Throws when it does not fit. */
  apply(update: Update): void {
    const before = this.#laws.length > 0 ? this.snapshot() : this.#state;
    evolve(this.#state, update, codec.encode);
    requireLaws(this.#laws, before, update, this.#state);
    this.#onUpdate(update);
  }

  /** The state as a value that later commands leave alone: O(1) at any size. */
  snapshot(): LedgerState {
    return forkState(this.#state);
  }

  /** SHA-256 of the canonical state. A scan. */
  hash(): string {
    return stateHash(this.#state);
  }
}

/** An engine that is open and has its first three rounds. Throws when the options break a validity rule. */
export function openEngine(options: EngineOptions = {}): Engine {
  const engine = new Engine(options);
  for (const { command, context } of genesis(options)) {
    const accepted = engine.submit(command, context);
    invariant(accepted.ok, 'the options of a new engine are valid', () => shown(accepted));
  }
  return engine;
}
