import { Engine, GENESIS_TIME, Instant, type Entry, type LedgerState, type Rejection } from '@coinlab/core';
import { habitsOf, runHabits, type Habit } from '@coinlab/core/automation';
import { Streams } from '../chance/streams.js';
import { PolicyFault } from '../policies/fault.js';
import type { OwnPolicies } from '../policies/own.js';
import { PolicyShelf } from '../policies/shelf.js';
import type { ScenarioFiles } from '../scenario/files.js';
import type { Saved } from '../saved.js';
import { ROUND_SPAN, roundsOf, type Group, type Scenario } from '../scenario/scenario.js';
import { automationOf, roundsIn, WalletHelpers } from './automation.js';
import { byteFeesOf } from './byte-fees.js';
import { Dealings, type SavedDealings, type Stage } from './dealings.js';
import { Delegates } from './delegation.js';
import { LedgerDriver } from './driver.js';
import { populate } from './founding.js';
import { behaviourOf, type WalletBehaviour } from './habits.js';
import { applyChange, foundNetwork, openNetwork } from './network.js';
import { Past } from './past.js';
import type { PaymentSource } from './payments.js';
import { Population } from './population.js';
import { RoundPayments } from './round-payments.js';
import { incomesOf, sourcesOf, type Income } from './sources.js';
import { TrafficMeter } from './traffic-meter.js';
import { Wallets, type PaymentCounts } from './wallets.js';

/** How a world is opened. */
export interface WorldOptions {
  /** Replicate of the scenario's seed, from 0: other chance, same scenario. */
  readonly replicate?: number;
  readonly policies?: OwnPolicies;
  /** The files that the scenario names; see `filesOf`. */
  readonly files?: ScenarioFiles;
  /** The parties of the scenario, where somebody else knows them already. */
  readonly population?: Population;
  /** Receives every entry of the log. */
  readonly onEntry: (entry: Entry) => void;
  /** Called after each payment and receipt that a party wanted, once wallets have done what it leads to. */
  readonly onRow?: () => void;
  /** Goes on from there instead of founding a network. */
  readonly resume?: { readonly state: LedgerState; readonly world: Saved };
}

/** What of a world its ledger does not tell. */
interface SavedWorld extends SavedDealings {
  readonly round: number;
  readonly updates: number;
  readonly now: bigint;
  readonly streams: Readonly<Record<string, readonly number[]>>;
  readonly counts: Omit<PaymentCounts, 'refused'>;
  readonly refused: readonly (readonly [code: string, times: number])[];
  readonly helped: ReturnType<WalletHelpers['save']>;
  readonly traffic: ReturnType<TrafficMeter['save']>;
  readonly past: ReturnType<Past['save']>;
}

/**
 * A simulated network: parties of a scenario on one ledger, played round by round. What the parties want is drawn from streams of
 * its own and does not depend on what their wallets do; so two worlds that differ in a policy are asked for the same payments.
 */
export class World {
  readonly scenario: Scenario;
  readonly population: Population;
  readonly #ledger: LedgerDriver;
  readonly #streams: Streams;
  readonly #sources: readonly PaymentSource[];
  readonly #payments: RoundPayments = new RoundPayments();
  readonly #incomes: readonly Income[];
  readonly #stage: Stage;
  readonly #dealings: Dealings;
  readonly #automation: readonly Habit[];
  readonly #delegates: Delegates;
  readonly #helpers: WalletHelpers;
  readonly #traffic: TrafficMeter;
  readonly #past: Past;
  readonly #onRow: () => void;
  #round = 0;
  #updates = 0;

  constructor(
    scenario: Scenario,
    {
      replicate = 0,
      policies,
      files = new Map(),
      population = new Population(scenario.groups),
      onEntry,
      resume,
      onRow = () => undefined,
    }: WorldOptions,
  ) {
    this.scenario = scenario;
    this.#onRow = onRow;
    this.#streams = new Streams(scenario.seed, replicate);
    this.population = population;
    this.#helpers = new WalletHelpers(this.population);
    this.#traffic = new TrafficMeter(this.population);
    const listener = {
      onEntry: (entry: Entry): void => {
        this.#updates += 1;
        this.#helpers.fold(entry);
        this.#traffic.fold(entry);
        onEntry(entry);
      },
    };
    const engine = resume ? new Engine(listener, resume.state) : openNetwork(scenario, listener);
    const ledger = new LedgerDriver(engine, (rejection) => this.#countRefusal(rejection));
    this.#ledger = ledger;
    const shelf = new PolicyShelf(policies);
    const habits = scenario.groups.map((group) => behaviourOf(group, shelf, this.#streams));
    this.#past = new Past();
    this.#past.reach(oldest(habits));
    const wallets = new Wallets(ledger, population.parties, {
      most: scenario.network.maxInputs,
      fees: byteFeesOf(scenario),
      past: this.#past,
    });
    this.#stage = { population, wallets, ledger, habits };
    this.#dealings = new Dealings(this.#stage);
    this.#sources = sourcesOf(this.population, this.#streams, files);
    this.#incomes = incomesOf(this.population, this.#streams, files);
    // Only `save` makes them: a checkpoint proves it by its hash.
    if (resume) this.#restore(resume.world as unknown as SavedWorld);
    else {
      foundNetwork(scenario, this.population, ledger.submit);
      populate({ ledger, scenario, population, streams: this.#streams, files, wallets });
      this.#traffic.forget();
    }
    this.#automation = habitsOf(automationOf(scenario, this.population), ledger.state);
    this.#delegates = new Delegates(this.population);
  }

  get state(): LedgerState {
    return this.#ledger.state;
  }

  /** Rounds that have been played. */
  get round(): number {
    return this.#round;
  }

  get now(): Instant {
    return this.#ledger.now;
  }

  /** Updates of the log so far. */
  get updates(): number {
    return this.#updates;
  }

  get counts(): Readonly<PaymentCounts> {
    return this.#stage.wallets.counts;
  }

  /** Payments that wait for coin. */
  get waiting(): number {
    return this.#dealings.waiting;
  }

  /** Whether the scenario's time has come to its end. */
  get isOver(): boolean {
    const { updates } = this.scenario.duration;
    return this.#round >= roundsOf(this.scenario.duration) || (updates !== undefined && this.#updates >= updates);
  }

  hash(): string {
    return this.#ledger.hash();
  }

  /** What the ledger's state does not tell: with it another world goes on, between two rounds, as this one would. */
  save(): Saved {
    const { refused, ...counts } = this.counts;
    return {
      round: this.#round,
      updates: this.#updates,
      now: this.#ledger.now,
      streams: this.#streams.positions(),
      ...this.#dealings.save(),
      counts,
      refused: [...refused],
      helped: this.#helpers.save(),
      traffic: this.#traffic.save(),
      past: this.#past.save(),
      // Every field is JSON or a bigint, which interfaces do not let TypeScript see.
    } satisfies SavedWorld as unknown as Saved;
  }

  #restore({
    round,
    updates,
    now,
    streams,
    agenda,
    waiting,
    counts,
    refused,
    helped,
    traffic,
    past,
  }: SavedWorld): void {
    this.#round = round;
    this.#updates = updates;
    this.#ledger.now = Instant.ofMicros(now);
    // Not before: what is drawn when a world is made, such as a bootstrapped trace, is drawn as it was.
    this.#streams.restore(streams);
    this.#dealings.restore({ agenda, waiting });
    Object.assign(this.counts, counts);
    this.#helpers.restore(helped);
    this.#traffic.restore(traffic);
    this.#past.restore(past);
    for (const [code, times] of refused) this.counts.refused.set(code, times);
  }

  /**
   * From its next decision on every wallet chooses and merges as these groups say, one for each of the scenario: a fork. What the
   * parties want stays, and groups whose wallets stay as they were go on as if nobody had asked. What wallets delegate to others
   * changes with the next round, since it takes contracts.
   */
  adopt(groups: readonly Group[], policies?: OwnPolicies): void {
    const shelf = new PolicyShelf(policies);
    this.#stage.habits = this.#stage.habits.map((habits, i) => {
      const group = groups[i];
      const before = this.scenario.groups[i];
      const isSame = JSON.stringify(group?.wallet) === JSON.stringify(before?.wallet);
      return group && !isSame ? behaviourOf(group, shelf, this.#streams) : habits;
    });
    this.#delegates.adopt(groups);
    this.#past.reach(oldest(this.#stage.habits));
  }

  /** Plays the next round: rounds advance, coin comes in, payments happen in their order, and everything that runs by itself has its turn. */
  playRound(): void {
    try {
      this.#playRound();
    } catch (error) {
      throw error instanceof PolicyFault ? error.at(this.#round) : error;
    }
  }

  #playRound(): void {
    const start = Instant.ofMicros(GENESIS_TIME + ROUND_SPAN * BigInt(this.#round + 1));
    const { engine, submit } = this.#ledger;
    this.#ledger.now = start;
    for (const change of this.scenario.network.changes)
      if (change.atRound === this.#round) applyChange(engine, submit, change);
    this.#delegates.beginRound(engine, submit);
    this.#traffic.settle(submit);
    runHabits(engine, this.#automation, this.#ledger.now);
    this.#helpers.run(engine, this.#ledger.now);
    this.#past.keep(() => engine.snapshot());
    for (const income of this.#incomes)
      income(this.#round, (number, amount) => {
        this.#dealings.receive(number, amount);
        this.#onRow();
      });
    const payments = this.#payments;
    payments.clear();
    for (const source of this.#sources) source.addTo(payments, this.#round);
    payments.sort();
    for (let i = 0; i < payments.count; i++) {
      const at = Instant.ofMicros(start + BigInt(Math.floor(payments.at(i) * Number(ROUND_SPAN))));
      this.#dealings.answerUntil(at);
      this.#ledger.now = at;
      this.#dealings.ask(payments, i);
      this.#onRow();
    }
    this.#mergePeriodically();
    this.#delegates.endRound(engine, this.#ledger.now, this.#round);
    // A round is whole when the next begins: by its time alone every update of the log is known to be of one round.
    this.#dealings.answerUntil(Instant.plus(start, ROUND_SPAN));
    this.#round += 1;
  }

  #countRefusal({ code }: Rejection): void {
    const { refused } = this.#stage.wallets.counts;
    refused.set(code, (refused.get(code) ?? 0) + 1);
  }

  /** Policies with a period look at all wallets of their group when it has gone by. */
  #mergePeriodically(): void {
    this.population.groups.forEach(({ start, count }, i) => {
      const merge = this.#stage.habits[i]?.merge;
      if (!merge || merge.every === null) return;
      if ((this.#round + 1) % roundsIn(merge.every) !== 0) return;
      for (let number = start; number < start + count; number++)
        this.#stage.wallets.tidy(this.population.party(number), merge);
    });
  }
}

/** How many rounds back the wallets look whose lists of UTXOs are old; null: none does. */
function oldest(habits: readonly WalletBehaviour[]): number | null {
  const ages = habits.flatMap(({ faults }) => faults.staleRounds ?? []);
  return ages.length === 0 ? null : Math.max(...ages);
}
