import type { PlainTransfer } from './contracts/plain-transfer.js';
import { emptyState, forkState, numberingOf, settingsOf, type LedgerState } from './contracts/state.js';
import { invariant } from './kernel/assert.js';
import { sha256Of, type Sha256 } from './kernel/bytes.js';
import type { Context } from './kernel/decision.js';
import { UpdateId, type ContractId, type Offset } from './kernel/ids.js';
import { shown } from './kernel/malformed.js';
import type { Rejection } from './kernel/rejection.js';
import { ok, type Result } from './kernel/result.js';
import type { Instant } from './kernel/time.js';
import type { Law } from './laws/law.js';
import type { BadSegment, CompactLog } from './log/compact/compact-log.js';
import { evolve, type Writable } from './log/evolve.js';
import { evolvePlain, fitsPlainly, updateOfPlain, type PlaceInLog } from './log/plain-update.js';
import { stateHash } from './log/state-hash.js';
import { plainPayment, roomFor, type Room } from './rules/plain-transfer.js';
import type { Update } from './log/update.js';
import { genesis, type OpenOptions } from './genesis.js';
import { requireLaws } from './ledger.js';
import type { Command } from './register/register.js';
import { codec, commandOfPayment, decide, place, plainOf, segmentsOfCompactLog } from './submit.js';

/** How an engine is opened, watched and logged. */
export interface EngineOptions extends OpenOptions {
  /** Laws to check on every update, each against a fork of the state before it. */
  readonly laws?: readonly Law[];
  /** Receives every update as it happens: the log. The engine keeps none of them. */
  readonly onUpdate?: (update: Update) => void;
  /** Receives each plain transfer that is decided as numbers, and the id of the first coin it makes, in place of `onUpdate`: its update is not made. The numbers are another's after the call. */
  readonly onPlain?: (plain: PlainTransfer, firstCoin: ContractId) => void;
  /** Receives every update in compact form, which costs less than an update as an object; it is of the same seed. */
  readonly log?: CompactLog;
}

/**
 * A ledger that owns its state and changes it in place, for millions of commands. The same `decide` and `evolve` as the
 * immutable {@link Ledger}, so the same commands give the same log and the same state, byte for byte.
 */
export class Engine {
  readonly #state: Writable<LedgerState>;
  readonly #onUpdate: ((update: Update) => void) | null;
  readonly #onPlain: ((plain: PlainTransfer, firstCoin: ContractId) => void) | null;
  readonly #log: CompactLog | null;
  readonly #laws: readonly Law[];
  /** Of a payment in numbers, which is gone with the next. */
  readonly #room: Room;
  #ids: ((offset: Offset, at: Instant) => UpdateId) | null = null;

  /**
   * An engine with nothing in it; {@link openEngine} gives one that is ready.
   * @param from a state to go on from; it is left alone
   */
  constructor(
    options: Pick<EngineOptions, 'laws' | 'onUpdate' | 'onPlain' | 'log'> = {},
    from: LedgerState | null = null,
  ) {
    this.#state = from ? forkState(from) : emptyState();
    this.#onUpdate = options.onUpdate ?? null;
    this.#onPlain = options.onPlain ?? null;
    this.#log = options.log ?? null;
    this.#laws = options.laws ?? [];
    this.#room = roomFor(this.#state);
  }

  /** The state as it is now; it changes with the next command. {@link snapshot} gives one that stays. */
  get state(): LedgerState {
    return this.#state;
  }

  /** Decides a command; accepted, it takes effect at once. A refused command changes nothing. */
  submit(command: Command, context: Context): Result<Update, Rejection> {
    const plain = this.#plainOf(command, context);
    if (plain) return ok(this.#applyPlain(plain, true) as Update);
    const outcome = decide(command, this.#state, context);
    if (!outcome.ok) return outcome;
    const seed = command.type === 'OpenLedger' ? command.seed : null;
    const update = place(outcome.value, this.#state, context, this.#idSource(seed));
    this.apply(update);
    return ok(update);
  }

  /** As {@link submit}, for callers who do not look at the update: of a plain transfer none is made. Null when accepted. */
  execute(command: Command, context: Context): Rejection | null {
    const plain = this.#plainOf(command, context);
    if (plain) {
      this.#applyPlain(plain, false);
      return null;
    }
    const result = this.submit(command, context);
    return result.ok ? null : result.error;
  }

  /**
   * As {@link execute} of the preapproved transfer of an amount out of the sender's smallest coins, in numbers: for simulations of millions,
   * whose parties would be looked up by their names with every payment. Parties are named by the numbers that `walletOf` gives.
   * @param units of 10⁻¹⁰ coin: a whole number from 1 to 2⁵³ − 1
   */
  pay(from: number, to: number, units: number, now: Instant): Rejection | null {
    if (this.payPlainly(from, to, units, now)) return null;
    const command = commandOfPayment(from, to, units, this.#state);
    return command.ok ? this.execute(command.value, { now, actAs: [command.value.sender] }) : command.error;
  }

  /** As {@link pay} where the transfer is plain; where it is not, nothing happens. @returns whether it was paid */
  payPlainly(from: number, to: number, units: number, now: Instant): boolean {
    const plain = this.#laws.length > 0 ? null : plainPayment(from, to, units, this.#state, now, this.#room);
    if (plain) this.#applyPlain(plain, false);
    return plain !== null;
  }

  /** Adds an update that was decided elsewhere: replay. Throws when it does not fit. */
  apply(update: Update): void {
    const before = this.#laws.length > 0 ? this.snapshot() : this.#state;
    evolve(this.#state, update, codec.encode);
    requireLaws(this.#laws, before, update, this.#state);
    this.#log?.append(update);
    this.#onUpdate?.(update);
  }

  /**
   * Applies the updates of a compact log, from the offset after the engine's on; of plain transfers no update is made unless somebody
   * watches. Throws when an update does not fit.
   * @param sha256 as for {@link openCompactLog}
   * @returns null, or where and why the log cannot be read further: all before that has been applied
   */
  replay(log: Uint8Array, sha256: Sha256 = sha256Of): BadSegment | null {
    const state = this.#state;
    const isWatched = this.#laws.length > 0 || this.#onUpdate !== null || this.#log !== null;
    const parties = numberingOf(state);
    for (const segment of segmentsOfCompactLog(log, sha256)) {
      if (!segment.ok) return segment.error;
      const { bytes, updates } = segment.value;
      while (bytes.left > 0 && bytes.fault === null) {
        const firstCoin = bytes.nextContract;
        const plain = isWatched || updates.offset < state.offset ? null : updates.unpackPlain(bytes, parties);
        if (plain) this.#replayPlain(plain, firstCoin);
        else {
          const update = updates.unpack(bytes);
          if (bytes.fault === null && update.offset > state.offset) this.apply(update);
        }
      }
    }
    return null;
  }

  /** As {@link apply} with the update of a plain transfer, which is made when the transfer is no longer plain where it is applied. */
  #replayPlain(plain: PlainTransfer, firstCoin: number): void {
    const state = this.#state;
    if (fitsPlainly(state, plain, firstCoin)) evolvePlain(state, plain);
    else this.apply(updateOfPlain(plain, { ...this.#placeOf(plain), nextContract: firstCoin }));
  }

  /** Laws look at updates, so with them every command goes the long way. */
  #plainOf(command: Command, context: Context): PlainTransfer | null {
    return this.#laws.length > 0 ? null : plainOf(command, this.#state, context);
  }

  /** Applies a plain transfer; its update when it is wanted, or wanted by whoever watches. */
  #applyPlain(plain: PlainTransfer, isWanted: boolean): Update | null {
    const state = this.#state;
    const { offset, nextContract } = state;
    const log = this.#log;
    const isLogged =
      log === null || (log.seed === settingsOf(state).seed && log.appendPlain(plain, offset + 1, nextContract));
    const isMade = isWanted || !isLogged || (this.#onUpdate !== null && this.#onPlain === null);
    const update = isMade ? updateOfPlain(plain, this.#placeOf(plain)) : null;
    evolvePlain(state, plain);
    if (update && !isLogged) log.append(update);
    if (this.#onPlain) this.#onPlain(plain, nextContract as ContractId);
    else if (update) this.#onUpdate?.(update);
    return update;
  }

  /** Where the next update stands, if it is that of a plain transfer. */
  #placeOf({ now }: PlainTransfer): PlaceInLog {
    const { nextContract } = this.#state;
    const offset = (this.#state.offset + 1) as Offset;
    return { offset, updateId: this.#idSource(null)(offset, now), nextContract };
  }

  #idSource(seed: number | null): (offset: Offset, at: Instant) => UpdateId {
    this.#ids ??= UpdateId.source(seed ?? settingsOf(this.#state).seed);
    return this.#ids;
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
