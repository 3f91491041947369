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
import type { Host } from '../host/host.js';
import { Problem } from '../problem.js';
import type { AutomationDriver } from './automation-driver.js';

/** A state to revert to. Numbered ones have no name of their own. */
export interface Snapshot {
  readonly snapshot: string | number;
  readonly offset: number;
  readonly time: Instant;
}

interface Kept extends Snapshot {
  readonly state: LedgerState;
}

export class DevControl {
  readonly #host: Host;
  readonly #automation: AutomationDriver;
  readonly #start: LedgerState;
  /** In the order in which they were taken. */
  #snapshots: readonly Kept[] = [];
  #taken = 0;

  constructor(host: Host, automation: AutomationDriver) {
    this.#host = host;
    this.#automation = automation;
    this.#start = host.state;
  }

  /**
   * Submits a command now or at a ledger time that may differ from the clock. Resolves once the update is in the log. Opens the rounds
   * that a later time would skip: wallet SDKs need a current round.
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

  /** Returns the outcome that {@link submit} would have, without executing the command. */
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

  /** Takes a snapshot with the next number. */
  async snapshot(): Promise<number> {
    await this.#host.settled();
    this.#taken += 1;
    this.#keep(this.#taken);
    return this.#taken;
  }

  /** Takes a snapshot with a name. Throws 409 for a name in use. */
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

  /** Returns a snapshot. Throws 404 for an unknown one. */
  snapshotOf(snapshot: string | number): Snapshot {
    return this.#found(snapshot);
  }

  /** Deletes a snapshot. Throws 404 for an unknown one. */
  forget(snapshot: string | number): void {
    const known = this.#found(snapshot);
    this.#snapshots = this.#snapshots.filter((one) => one !== known);
  }

  /** Reverts to a snapshot and deletes the later ones. Throws 404 for an unknown one. */
  async revert(snapshot: string | number): Promise<void> {
    const known = this.#found(snapshot);
    const later = this.#snapshots.slice(this.#snapshots.indexOf(known) + 1);
    await this.#restore(known.state);
    this.#snapshots = this.#snapshots.filter((one) => !later.includes(one));
  }

  /** Reverts to a past state of this ledger and deletes the snapshots of later offsets. */
  async revertTo(state: LedgerState): Promise<void> {
    await this.#restore(state);
  }

  async reset(): Promise<void> {
    await this.#restore(this.#start);
    this.#snapshots = [];
  }

  #keep(snapshot: string | number): Snapshot {
    const { state } = this.#host;
    const kept = { snapshot, offset: state.offset, time: state.time, state };
    this.#snapshots = [...this.#snapshots, kept];
    return kept;
  }

  #found(snapshot: string | number): Kept {
    const known = this.#snapshots.find((one) => one.snapshot === snapshot);
    if (known) return known;
    const names = this.#snapshots.map((one) => one.snapshot).join(', ');
    throw new Problem(404, `no snapshot ${snapshot}; this ledger has: ${names || 'none'}`);
  }

  async #restore(state: LedgerState): Promise<void> {
    await this.#host.settled();
    if (!this.#host.replaceState(state))
      throw new Problem(409, 'a stored log cannot be reverted; start the server without a log');
    this.#snapshots = this.#snapshots.filter(({ offset }) => offset <= state.offset);
    await this.#automation.run(['frequent']);
  }
}
