import {
  Engine,
  genesis,
  Instant,
  type Command,
  type CommandArgument,
  type CommandOf,
  type CommandType,
  type Context,
  type ContractId,
  type LedgerState,
  type OpenOptions,
  type PartyId,
  type Rejection,
  type Submitted,
  type Update,
} from '@coinlab/core';
import { portableFormat, type PreparedFormat } from '@coinlab/core/rules';
import type { Clock } from './clock.js';
import { GroupCommit } from './group-commit.js';
import type { HostWatch, LogPort } from './log-port.js';
import { contractsUsed, inTransitAmong } from './in-transit.js';
import { isSignedBy } from './signatures.js';
import type { CommandSource, TrafficCharges } from './traffic-charges.js';

/** Thrown for a command that had no effect, because the log cannot be written or the host is closed. */
export class HostUnavailable extends Error {}

export function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'DAMAGED';
}

/**
 * The only writer of a ledger. It executes commands immediately and in order against a state ahead of the log. Updates are appended in
 * groups, with one sync per group; then the visible state advances and the commands are answered. A failed append rolls the state back
 * to the log.
 */
export class Host {
  readonly clock: Clock;
  readonly #log: LogPort | null;
  readonly #readTransaction: PreparedFormat;
  readonly #watch: HostWatch | null;
  readonly #commit: GroupCommit;
  readonly #listeners: Set<(update: Update, state: LedgerState) => void> = new Set();
  readonly #idle: Set<() => void> = new Set();
  readonly #replaced: Set<(state: LedgerState) => void> = new Set();
  readonly #reverting: Set<(offset: number) => void> = new Set();
  #ahead: Engine;
  #visible: LedgerState;
  #closed = false;
  #failure: string | null = null;
  #standby: string | null = null;
  #charges: TrafficCharges | null = null;
  #inTransit: ReadonlySet<ContractId> = new Set();
  readonly #damages: Set<string> = new Set();
  #lost = 0;

  /** @param state the state after the log's last update; empty for a new ledger, which {@link open} opens */
  constructor(options: {
    readonly clock: Clock;
    readonly log: LogPort | null;
    readonly state?: LedgerState;
    readonly watch?: HostWatch;
    /** Reads prepared transactions. Default: the core's own format. */
    readonly readTransaction?: PreparedFormat;
  }) {
    this.clock = options.clock;
    this.#log = options.log;
    this.#watch = options.watch ?? null;
    this.#readTransaction = options.readTransaction ?? portableFormat;
    this.#ahead = this.#engineFrom(options.state ?? null);
    this.#visible = this.#ahead.snapshot();
    this.#commit = this.#commitTo(options.log);
  }

  #commitTo(log: LogPort | null): GroupCommit {
    return new GroupCommit(log, {
      ahead: () => this.#ahead.snapshot(),
      visible: () => this.#visible,
      appended: (after, updates, seconds) => {
        this.#watch?.appended(updates, seconds);
        this.#failure = null;
        this.#visible = after;
      },
      answered: (update, after) => {
        if (update) for (const listener of this.#listeners) listener(update, after);
        else for (const listener of this.#replaced) listener(after);
      },
      // Rolls back to the log, including updates executed since.
      refused: (failure, updates, refusal) => {
        this.#failure = failure;
        this.#watch?.notAppended(updates, refusal);
        this.#lost += updates;
        this.#ahead = this.#engineFrom(this.#visible);
      },
      idle: () => {
        for (const listener of this.#idle) listener();
      },
    });
  }

  /** The visible state: all updates in the log. */
  get state(): LedgerState {
    return this.#visible;
  }

  /** The first damaged record or the reason of the last failed append; null while the log has neither fault. */
  get failure(): string | null {
    const [damage = null] = this.#damages;
    return damage ?? this.#failure;
  }

  /** The reason why this server accepts no commands: another one writes the log. Null on the writer. */
  get standby(): string | null {
    return this.#standby;
  }

  /** Throws {@link HostUnavailable} on a standby. */
  requireWriter(): void {
    if (this.#standby !== null) throw new HostUnavailable(this.#standby);
  }

  get isShared(): boolean {
    return this.#log?.follow !== undefined;
  }

  /**
   * Follows other servers of a shared log: applies their updates, and refuses commands while another one is the writer.
   * @param onLead called when this server becomes the writer, before it accepts the first command
   */
  follow(onLead: () => void): void {
    this.#log?.follow?.({
      followed: (updates) => this.#applyFollowed(updates),
      leads: () => {
        this.#standby = null;
        this.#failure = null;
        onLead();
      },
      yields: (reason) => void (this.#standby = reason),
    });
  }

  #applyFollowed(updates: readonly Update[]): void {
    for (const update of updates) this.#ahead.apply(update);
    this.#visible = this.#ahead.snapshot();
    for (const update of updates) for (const listener of this.#listeners) listener(update, this.#visible);
  }

  /** Charges traffic for all later commands. */
  chargeTraffic(charges: TrafficCharges): void {
    this.#charges = charges;
  }

  /** Refuses later commands of clients that use a contract of the set, with `CONTRACT_IN_TRANSIT`. */
  holdBack(inTransit: ReadonlySet<ContractId>): void {
    this.#inTransit = inTransit;
  }

  /** How this host reads prepared transactions and charges traffic, for a host of another state. */
  get rules(): { readonly readTransaction: PreparedFormat; readonly charges: TrafficCharges | null } {
    return { readTransaction: this.#readTransaction, charges: this.#charges };
  }

  /** The reason why the last append failed; null once an append succeeds. */
  get appendFailure(): string | null {
    return this.#failure;
  }

  /** Reads the line of an update. Reports a damaged record and throws. */
  lineAt(offset: number): string {
    try {
      return this.#log?.lineAt?.(offset) ?? '';
    } catch (error) {
      if (isDamage(error) && !this.#damages.has(error.message)) {
        this.#damages.add(error.message);
        this.#watch?.damaged(error.message);
      }
      throw error;
    }
  }

  /** The state after all accepted commands, also those not in the log yet. For deciding on new commands, never for responses. */
  get ahead(): LedgerState {
    return this.#ahead.state;
  }

  /** Ledger time of the next command: the clock's, unless the replayed log is ahead. */
  now(): Instant {
    return Instant.later(this.clock.now(), this.#ahead.state.time);
  }

  /** Opens a new ledger; for an existing one submits only the missing genesis commands. Returns the first rejection, or null. */
  async open(options: OpenOptions): Promise<Rejection | null> {
    // The genesis commands are the first updates of every log.
    const missing = genesis({ at: this.clock.now(), ...options }).slice(this.#visible.offset);
    const answers = await Promise.all(missing.map(({ command, context }) => this.submit(command, context.actAs)));
    for (const answer of answers) if (!answer.ok) return answer.error;
    return null;
  }

  /**
   * Executes a command now. Resolves once its update is in the log; a refusal resolves once all earlier updates are. Throws
   * {@link HostUnavailable} if the log refuses the update.
   */
  submit<Type extends CommandType>(
    command: CommandArgument<Type>,
    actAs: readonly PartyId[],
  ): Promise<Submitted<CommandOf<Type>>>;
  async submit(command: Command, actAs: readonly PartyId[]): Promise<Submitted> {
    return this.submitFrom(() => command, actAs);
  }

  /**
   * Like {@link submit}, with a command built from the state that it is executed on, so that concurrent payments of one wallet spend
   * different coins.
   * @param make reads the state synchronously and must not keep it
   */
  async submitFrom(make: (state: LedgerState, now: Instant) => Command, actAs: readonly PartyId[]): Promise<Submitted> {
    if (this.#closed) throw new HostUnavailable('the server is shutting down');
    this.requireWriter();
    const now = this.now();
    const lost = this.#lost;
    const decided = this.#decide(make(this.#ahead.state, now), { now, actAs }, 'client');
    if (decided.ok) {
      const failure = await this.#commit.record(decided.value.update);
      if (failure !== null) throw new HostUnavailable(`the log cannot be written: ${failure}`);
      return decided;
    }
    // Later updates are not awaited: on a busy server there would always be more.
    await this.#commit.last?.answer;
    // The refusal was based on updates that were rolled back: try again.
    if (lost !== this.#lost) return this.submitFrom(make, actAs);
    this.#watch?.refused(decided.error);
    return decided;
  }

  /** Returns the outcome that a command would have now, without executing it. The ids of a later execution may differ. */
  check(command: Command, context: Context): Submitted {
    const recorded: Update[] = [];
    return this.#decideOn(this.#engineFrom(this.#ahead.snapshot()), command, context, 'client', recorded);
  }

  /**
   * Executes a command now and returns before its update is in the log, for callers without a client, such as automation. Await {@link
   * settled} for the log.
   */
  submitAhead(command: Command, context: Context): Submitted {
    this.requireWriter();
    const decided = this.#decide(command, context, 'automation');
    if (decided.ok) void this.#commit.record(decided.value.update);
    else this.#watch?.refused(decided.error);
    return decided;
  }

  /** Resolves once all updates are in the log or rolled back. */
  settled(): Promise<void> {
    return this.#commit.settled();
  }

  /** Calls the listener with every update in the log and the state after its group. Returns a function that removes the listener. */
  onUpdate(listener: (update: Update, state: LedgerState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Number of updates that the log is appending. */
  get appending(): number {
    return this.#commit.appending;
  }

  /** Calls the listener whenever the log has appended or refused all updates that it was given. */
  onIdle(listener: () => void): void {
    this.#idle.add(listener);
  }

  /** Refuses new commands, answers accepted ones and closes the log. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.settled();
    await this.#log?.close();
  }

  /** Calls the listener with the new state after {@link revertTo} and {@link replaceState}. */
  onReplaced(listener: (state: LedgerState) => void): void {
    this.#replaced.add(listener);
  }

  /** Calls the listener with the offset of a revert, while the updates after it can still be read. */
  onReverting(listener: (offset: number) => void): void {
    this.#reverting.add(listener);
  }

  /** Whether the log, if there is one, can be cut. */
  get canRevert(): boolean {
    return !this.#log || this.#log.cut !== undefined;
  }

  /**
   * Reverts to an earlier state of this ledger. Later commands are decided on that state; reads have it once the log is cut. Throws {@link
   * HostUnavailable}, without effect, if the log refuses.
   */
  async revertTo(state: LedgerState): Promise<void> {
    await this.settled();
    for (const listener of this.#reverting) listener(state.offset);
    this.#ahead = this.#engineFrom(state);
    const failure = await this.#commit.cut(state.offset);
    if (failure !== null) throw new HostUnavailable(`the log cannot be reverted: ${failure}`);
  }

  /** Throws a `Problem` for a ledger that is read-only. */
  requireWritable(): void {}

  /** Replaces the state at once. Returns false with a stored log and during a command. */
  replaceState(state: LedgerState): boolean {
    if (this.#log || this.#commit.last) return false;
    this.#ahead = this.#engineFrom(state);
    this.#visible = this.#ahead.snapshot();
    for (const listener of this.#replaced) listener(this.#visible);
    return true;
  }

  #decide(command: Command, context: Context, source: CommandSource): Submitted {
    const charged: Update[] = [];
    try {
      const decided = this.#decideOn(this.#ahead, command, context, source, charged);
      for (const update of charged) void this.#commit.record(update);
      return decided;
    } catch (error) {
      // A bug may have left a partial update: rebuild the state from accepted updates.
      this.#ahead = this.#engineFrom(this.#commit.revertedTo ?? this.#visible);
      for (const update of this.#commit.unanswered) this.#ahead.apply(update);
      throw error;
    }
  }

  /**
   * Charges traffic first, as a synchronizer does before it delivers a transaction. The size of a transaction is known only once
   * it is decided, so a charged command is decided on a fork before.
   * @param charged receives the update of the charge
   */
  #decideOn(engine: Engine, command: Command, context: Context, source: CommandSource, charged: Update[]): Submitted {
    if (!this.#charges && this.#inTransit.size === 0) return engine.submit(command, context);
    const expected = this.#engineFrom(engine.snapshot()).submit(command, context);
    if (!expected.ok) return expected;
    const { update } = expected.value;
    if (source === 'client') {
      const error = inTransitAmong(contractsUsed(update, engine.state, context.now), this.#inTransit);
      if (error) return { ok: false, error };
    }
    const charge = this.#charges?.chargeOf(update, engine.state, context.now, source);
    if (charge?.ok === false) return charge;
    if (charge) {
      const { command: consume, actAs } = charge.value;
      const consumed = engine.submit(consume, { now: context.now, actAs });
      if (!consumed.ok) return consumed;
      charged.push(consumed.value.update);
    }
    return engine.submit(command, context);
  }

  #engineFrom(state: LedgerState | null): Engine {
    return new Engine({ isSignedBy, readTransaction: this.#readTransaction }, state);
  }
}
