import type {
  Command,
  CommandArgument,
  CommandOf,
  CommandType,
  Instant,
  LedgerState,
  PartyId,
  Submitted,
} from '@coinlab/core';
import { openRoundsOf } from '@coinlab/core/views';
import type { History } from '../history/history.js';
import { HostUnavailable, type Host } from '../host/host.js';
import type { LogPort } from '../host/log-port.js';
import { Problem } from '../problem.js';
import type { AutomationDriver } from './automation-driver.js';

export interface Snapshot {
  readonly snapshot: string | number;
  readonly offset: number;
  readonly time: Instant;
}

interface Kept extends Snapshot {
  /** Null: an earlier run of the server took the snapshot. */
  readonly state: LedgerState | null;
}

/** No snapshot can have this name. */
const START = '(start)';

export interface DevControlNeeds {
  readonly host: Host;
  readonly automation: AutomationDriver;
  readonly history: Pick<History, 'reachState' | 'timeAt'>;
  readonly log?: Pick<LogPort, 'marks' | 'setMarks'>;
}

export class DevControl {
  readonly #host: Host;
  readonly #automation: AutomationDriver;
  readonly #history: DevControlNeeds['history'];
  readonly #log: DevControlNeeds['log'];
  #start: Kept;
  #snapshots: readonly Kept[] = [];
  #taken = 0;

  constructor({ host, automation, history, log }: DevControlNeeds) {
    this.#host = host;
    this.#automation = automation;
    this.#history = history;
    this.#log = log;
    this.#start = keptOf(START, host.state);
  }

  async recover(): Promise<void> {
    const marks = (await this.#log?.marks?.()) ?? [];
    const kept = marks.map(({ name, offset }) => ({ offset, time: this.#history.timeAt(offset), state: null, name }));
    const start = kept.find(({ name }) => name === START);
    if (start) this.#start = { ...start, snapshot: START };
    this.#snapshots = kept
      .filter((one) => one !== start)
      .map(({ name, ...one }) => ({ ...one, snapshot: /^\d+$/.test(name) ? Number(name) : name }));
    this.#taken = Math.max(0, ...this.#snapshots.map(({ snapshot }) => Number(snapshot)).filter(Number.isInteger));
    if (!start) await this.#save(this.#snapshots);
  }

  /**
   * Submits a command now or at another ledger time. First opens the rounds that a later time would skip, because
   * wallet SDKs need a current round.
   */
  submit<Type extends CommandType>(
    command: CommandArgument<Type>,
    actAs: readonly PartyId[],
    now?: Instant,
  ): Promise<Submitted<CommandOf<Type>>>;
  async submit(command: Command, actAs: readonly PartyId[], now?: Instant): Promise<Submitted> {
    if (now === undefined) return this.#host.submit(command, actAs);
    if (now > this.#host.now()) await this.#automation.catchUp(now);
    const decided = this.#host.submitAhead(command, { now, actAs });
    await this.#host.settled();
    return decided;
  }

  check(command: Command, actAs: readonly PartyId[], now: Instant = this.#host.now()): Submitted {
    return this.#host.check(command, { now, actAs });
  }

  async advanceRounds(count: number): Promise<void> {
    const newest = (): number => openRoundsOf(this.#host.state).at(-1)?.round ?? 0;
    const wanted = newest() + count;
    // A bootstrapped round lasts longer than a tick, other rounds less than two.
    for (let ticks = 0; newest() < wanted; ticks++) {
      const tick = openRoundsOf(this.#host.state).at(-1)?.tickDuration;
      if (tick === undefined || ticks > 2 * count + 10)
        throw new Problem(409, 'rounds do not advance; set automation.dso to true');
      await this.#automation.advance(tick);
    }
  }

  async snapshot(): Promise<number> {
    await this.#host.settled();
    this.#taken += 1;
    const taken = this.#taken;
    await this.#keep(taken);
    return taken;
  }

  async snapshotNamed(name: string): Promise<Snapshot> {
    await this.#host.settled();
    const known = this.#snapshots.find(({ snapshot }) => snapshot === name);
    if (known)
      throw new Problem(
        409,
        `name: the snapshot ${name} exists, of offset ${known.offset}; choose another name, or send DELETE /dev/snapshots/${name} first`,
      );
    return this.#keep(name);
  }

  get snapshots(): readonly Snapshot[] {
    return this.#snapshots.map(({ snapshot, offset, time }) => ({ snapshot, offset, time }));
  }

  snapshotOf(snapshot: string | number): Snapshot {
    return this.#found(snapshot);
  }

  async forget(snapshot: string | number): Promise<void> {
    const known = this.#found(snapshot);
    await this.#save(this.#snapshots.filter((one) => one !== known));
  }

  async revert(snapshot: string | number): Promise<void> {
    const known = this.#found(snapshot);
    const later = this.#snapshots.slice(this.#snapshots.indexOf(known) + 1);
    await this.#restore(await this.#stateOf(known), (one) => !later.includes(one));
  }

  async revertTo(state: LedgerState): Promise<void> {
    await this.#restore(state, () => true);
  }

  async reset(): Promise<void> {
    await this.#restore(await this.#stateOf(this.#start), () => false);
  }

  async #keep(snapshot: string | number): Promise<Snapshot> {
    const kept = keptOf(snapshot, this.#host.state);
    await this.#save([...this.#snapshots, kept]);
    return kept;
  }

  async #save(snapshots: readonly Kept[]): Promise<void> {
    const before = this.#snapshots;
    this.#snapshots = snapshots;
    const marks = [this.#start, ...snapshots].map(({ snapshot, offset }) => ({ name: String(snapshot), offset }));
    const saved = await this.#log?.setMarks?.(marks);
    if (!saved || saved.ok) return;
    this.#snapshots = before;
    throw new HostUnavailable(`the snapshots cannot be stored: ${saved.error.reason ?? saved.error.code}`);
  }

  async #stateOf({ offset, state }: Kept): Promise<LedgerState> {
    return state ?? this.#history.reachState(offset);
  }

  #found(snapshot: string | number): Kept {
    const known = this.#snapshots.find((one) => one.snapshot === snapshot);
    if (known) return known;
    const names = this.#snapshots.map((one) => one.snapshot).join(', ');
    throw new Problem(404, `no snapshot ${snapshot}; this ledger has: ${names || 'none'}`);
  }

  async #restore(state: LedgerState, keeps: (one: Kept) => boolean): Promise<void> {
    if (!this.#host.canRevert) throw new Problem(409, 'the log of this server cannot be reverted: fork the ledger');
    await this.#host.revertTo(state);
    await this.#save(this.#snapshots.filter((one) => one.offset <= state.offset && keeps(one)));
    await this.#automation.run(['frequent']);
  }
}

function keptOf(snapshot: string | number, state: LedgerState): Kept {
  return { snapshot, offset: state.offset, time: state.time, state };
}
