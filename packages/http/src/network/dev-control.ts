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

export class DevControl {
  readonly #host: Host;
  readonly #automation: AutomationDriver;
  readonly #start: LedgerState;
  readonly #snapshots: Map<number, LedgerState> = new Map();
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

  async snapshot(): Promise<number> {
    await this.#host.settled();
    this.#taken += 1;
    this.#snapshots.set(this.#taken, this.#host.state);
    return this.#taken;
  }

  async revert(snapshot: number): Promise<void> {
    const state = this.#snapshots.get(snapshot);
    if (!state) throw new Problem(404, `no snapshot ${snapshot}`);
    await this.#restore(state, snapshot);
  }

  reset(): Promise<void> {
    return this.#restore(this.#start, 0);
  }

  async #restore(state: LedgerState, snapshot: number): Promise<void> {
    await this.#host.settled();
    if (!this.#host.replaceState(state))
      throw new Problem(409, 'a stored log cannot be reverted; start the server without a log');
    for (const later of this.#snapshots.keys()) if (later > snapshot) this.#snapshots.delete(later);
    await this.#automation.run(['frequent']);
  }
}
