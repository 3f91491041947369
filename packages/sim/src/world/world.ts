import { Engine, GENESIS_TIME, Instant, type Entry, type LedgerState, type Rejection } from '@coinlab/core';
import { habitsOf, runHabits, type Habit } from '@coinlab/automation';
import { Streams } from '../chance/streams.js';
import { PolicyFault } from '../policies/fault.js';
import type { OwnPolicies } from '../policies/own.js';
import { PolicyRegistry } from '../policies/registry.js';
import type { ScenarioFiles } from '../scenario/files.js';
import type { Saved } from '../saved.js';
import { ROUND_SPAN, roundsOf, type Group, type Scenario } from '../scenario/scenario.js';
import { automationOf, roundsIn, WalletHelpers } from './automation.js';
import { byteFeesOf } from './byte-fees.js';
import { PaymentProcessor, type SavedPayments, type ProcessorContext } from './payment-processor.js';
import { Delegates } from './delegation.js';
import { LedgerDriver } from './driver.js';
import { populate } from './founding.js';
import { behaviourOf, type WalletBehaviour } from './habits.js';
import { applyChange, foundNetwork, openNetwork } from './network.js';
import { StateHistory } from './state-history.js';
import type { PaymentSource } from './payments.js';
import { Population } from './population.js';
import { RoundPayments } from './round-payments.js';
import { incomesOf, sourcesOf, type Income } from './sources.js';
import { TrafficMeter } from './traffic-meter.js';
import { Wallets, type PaymentCounts } from './wallets.js';

/** Options of a world. */
export interface WorldOptions {
  /** Index of the replicate, from 0: same scenario, other random draws. */
  readonly replicate?: number;
  readonly policies?: OwnPolicies;
  readonly files?: ScenarioFiles;
  readonly population?: Population;
  readonly onEntry: (entry: Entry) => void;
  /** Called after each requested payment or receipt and its consequences. */
  readonly onRow?: () => void;
  /** Continues a saved world instead of founding a network. */
  readonly resume?: { readonly state: LedgerState; readonly world: Saved };
}

type SavedWorld = SavedPayments & {
  readonly round: number;
  readonly updates: number;
  readonly now: bigint;
  readonly streams: Readonly<Record<string, readonly number[]>>;
  readonly sources: readonly Saved[];
  readonly counts: Omit<PaymentCounts, 'refused'>;
  readonly refused: readonly (readonly [code: string, times: number])[];
  readonly helped: ReturnType<WalletHelpers['save']>;
  readonly traffic: ReturnType<TrafficMeter['save']>;
  readonly past: ReturnType<StateHistory['save']>;
};

/**
 * A simulated network: the parties of a scenario on one ledger, advanced round by round. Requested payments come from separate
 * random streams and do not depend on wallets, so two worlds that differ only in policies have the same requests.
 */
export class World {
  readonly scenario: Scenario;
  readonly population: Population;
  readonly #ledger: LedgerDriver;
  readonly #streams: Streams;
  readonly #sources: readonly PaymentSource[];
  readonly #payments: RoundPayments = new RoundPayments();
  readonly #incomes: readonly Income[];
  readonly #context: ProcessorContext;
  readonly #processor: PaymentProcessor;
  readonly #automation: readonly Habit[];
  readonly #delegates: Delegates;
  readonly #helpers: WalletHelpers;
  readonly #traffic: TrafficMeter;
  readonly #history: StateHistory;
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
    const registry = new PolicyRegistry(policies);
    const habits = scenario.groups.map((group) => behaviourOf(group, registry, this.#streams));
    this.#history = new StateHistory();
    this.#history.reach(oldest(habits));
    const wallets = new Wallets(ledger, population.parties, {
      most: scenario.network.maxInputs,
      fees: byteFeesOf(scenario),
      history: this.#history,
    });
    this.#context = { population, wallets, ledger, habits };
    this.#processor = new PaymentProcessor(this.#context);
    this.#sources = sourcesOf(this.population, this.#streams, files);
    this.#incomes = incomesOf(this.population, this.#streams, files);
    // Written by `save`; the checkpoint's hash proves it.
    if (resume) this.#restore(resume.world as SavedWorld);
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

  get round(): number {
    return this.#round;
  }

  get now(): Instant {
    return this.#ledger.now;
  }

  get updates(): number {
    return this.#updates;
  }

  get counts(): Readonly<PaymentCounts> {
    return this.#context.wallets.counts;
  }

  /** Requested and completed payments of each group, in the scenario's order. */
  get paymentsByGroup(): readonly { readonly requested: number; readonly completed: number }[] {
    const { requested, completed } = this.#processor;
    return requested.map((count, i) => ({ requested: count, completed: completed[i] ?? 0 }));
  }

  get waiting(): number {
    return this.#processor.waiting;
  }

  get isOver(): boolean {
    const { updates } = this.scenario.duration;
    return this.#round >= roundsOf(this.scenario.duration) || (updates !== undefined && this.#updates >= updates);
  }

  hash(): string {
    return this.#ledger.hash();
  }

  /**
   * Returns the state that the ledger lacks. With it and the ledger state another world continues identically, from between two
   * rounds.
   */
  save(): Saved {
    const { refused, ...counts } = this.counts;
    return {
      round: this.#round,
      updates: this.#updates,
      now: this.#ledger.now,
      streams: this.#streams.positions(),
      sources: this.#sources.map((source) => source.save()),
      ...this.#processor.save(),
      counts,
      refused: [...refused],
      helped: this.#helpers.save(),
      traffic: this.#traffic.save(),
      past: this.#history.save(),
    } satisfies SavedWorld;
  }

  #restore({
    round,
    updates,
    now,
    streams,
    sources,
    agenda,
    waiting,
    requested,
    completed,
    counts,
    refused,
    helped,
    traffic,
    past,
  }: SavedWorld): void {
    this.#round = round;
    this.#updates = updates;
    this.#ledger.now = Instant.ofMicros(now);
    // Restored last: draws of the constructor, for example a bootstrapped trace, must repeat.
    this.#streams.restore(streams);
    this.#sources.forEach((source, i) => {
      const saved = sources[i];
      if (saved !== undefined) source.restore(saved);
    });
    this.#processor.restore({ agenda, waiting, requested, completed });
    Object.assign(this.counts, counts);
    this.#helpers.restore(helped);
    this.#traffic.restore(traffic);
    this.#history.restore(past);
    for (const [code, times] of refused) this.counts.refused.set(code, times);
  }

  /**
   * Changes the wallets' policies from their next decision on, to fork a run. `groups` has one entry per group of the scenario.
   * Requested payments stay the same, and groups with equal wallets continue unchanged. Delegations change at the next round,
   * because they need contracts.
   */
  adopt(groups: readonly Group[], policies?: OwnPolicies): void {
    const registry = new PolicyRegistry(policies);
    this.#context.habits = this.#context.habits.map((habits, i) => {
      const group = groups[i];
      const before = this.scenario.groups[i];
      const isSame = JSON.stringify(group?.wallet) === JSON.stringify(before?.wallet);
      return group && !isSame ? behaviourOf(group, registry, this.#streams) : habits;
    });
    this.#delegates.adopt(groups);
    this.#history.reach(oldest(this.#context.habits));
  }

  /** Simulates the next round: advances mining rounds, mints income, makes payments in order, and runs all automation. */
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
    this.#history.keep(() => engine.snapshot());
    for (const income of this.#incomes)
      income(this.#round, (number, amount) => {
        this.#processor.receive(number, amount);
        this.#onRow();
      });
    const payments = this.#payments;
    payments.clear();
    for (const source of this.#sources) source.addTo(payments, this.#round);
    payments.sort();
    for (let i = 0; i < payments.count; i++) {
      const at = Instant.ofMicros(start + BigInt(Math.floor(payments.at(i) * Number(ROUND_SPAN))));
      this.#processor.answerUntil(at);
      this.#ledger.now = at;
      this.#processor.ask(payments, i);
      this.#onRow();
    }
    this.#mergePeriodically();
    this.#delegates.endRound(engine, this.#ledger.now, this.#round);
    // Complete the round before the next one begins, so that an update's time determines its round.
    this.#processor.answerUntil(Instant.plus(start, ROUND_SPAN));
    this.#round += 1;
  }

  #countRefusal({ code }: Rejection): void {
    const { refused } = this.#context.wallets.counts;
    refused.set(code, (refused.get(code) ?? 0) + 1);
  }

  #mergePeriodically(): void {
    this.population.groups.forEach(({ start, count }, i) => {
      const merge = this.#context.habits[i]?.merge;
      if (!merge || merge.every === null) return;
      if ((this.#round + 1) % roundsIn(merge.every) !== 0) return;
      for (let number = start; number < start + count; number++)
        this.#context.wallets.tidy(this.population.party(number), merge);
    });
  }
}

function oldest(habits: readonly WalletBehaviour[]): number | null {
  const ages = habits.flatMap(({ faults }) => faults.staleRounds ?? []);
  return ages.length === 0 ? null : Math.max(...ages);
}
