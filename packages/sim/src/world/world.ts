import {
  Amount,
  balanceOf,
  Duration,
  Engine,
  GENESIS_TIME,
  habitsOf,
  Instant,
  runHabits,
  type Command,
  type ContractId,
  type Habit,
  type LedgerState,
  type PartyId,
  type Update,
} from '@coinlab/core';
import { amounts, spanOf, type Sampler } from '../chance/distributions.js';
import { Streams } from '../chance/streams.js';
import type { OwnPolicies } from '../policies/own.js';
import { PolicyShelf } from '../policies/shelf.js';
import { amountsFrom, inputFrom, valuesOf, type ScenarioFiles } from '../scenario/files.js';
import type { Saved } from '../run/saved.js';
import { roundsOf, type Group, type Scenario } from '../scenario/scenario.js';
import { recordedPayments } from '../streams/recorded.js';
import { Agenda } from './agenda.js';
import { applyChange, automationOf, DSO, foundNetwork, openNetwork, type Submit } from './network.js';
import { drawnPayments, type Payment, type PaymentSource } from './payments.js';
import { Population, type Members } from './population.js';
import { WalletHabitsOf, Wallets, type Answer, type PaymentCounts } from './wallets.js';

/** How a world is opened. */
export interface WorldOptions {
  /** Replicate of the scenario's seed, from 0: other chance, same scenario. */
  readonly replicate?: number;
  readonly policies?: OwnPolicies;
  /** The files that the scenario names; see `filesOf`. */
  readonly files?: ScenarioFiles;
  /** Receives every update: the log. */
  readonly onUpdate: (update: Update) => void;
  /** Goes on from there instead of founding a network. */
  readonly resume?: { readonly state: LedgerState; readonly world: Saved };
}

/** What of a world its ledger does not tell. */
interface SavedWorld {
  readonly round: number;
  readonly updates: number;
  readonly now: bigint;
  readonly streams: Readonly<Record<string, readonly number[]>>;
  readonly agenda: ReturnType<Agenda<Due>['save']>;
  readonly waiting: readonly (readonly [number, Payment[]])[];
  readonly counts: Omit<PaymentCounts, 'refused'>;
  readonly refused: readonly (readonly [code: string, times: number])[];
}

/** An answer to an offer that is still to come. */
interface Due {
  readonly instruction: ContractId;
  readonly what: Answer['what'];
  readonly sender: number;
  readonly receiver: number;
}

const TICK = Duration.minutes(10);

/**
 * A simulated network: parties of a scenario on one ledger, played round by round. What the parties want is drawn from streams of
 * its own and does not depend on what their wallets do; so two worlds that differ in a policy are asked for the same payments.
 */
export class World {
  readonly scenario: Scenario;
  readonly population: Population;
  readonly #engine: Engine;
  readonly #streams: Streams;
  readonly #wallets: Wallets;
  #habits: readonly WalletHabitsOf[];
  readonly #sources: readonly PaymentSource[];
  readonly #incomes: readonly { readonly members: Members; readonly every: number; readonly amount: Sampler<Amount> }[];
  readonly #agenda: Agenda<Due> = new Agenda();
  readonly #waiting: Map<number, Payment[]> = new Map();
  readonly #automation: readonly Habit[];
  readonly #submit: Submit;
  #round = 0;
  #updates = 0;
  #now: Instant = GENESIS_TIME;

  constructor(scenario: Scenario, { replicate = 0, policies, files = new Map(), onUpdate, resume }: WorldOptions) {
    this.scenario = scenario;
    this.#streams = new Streams(scenario.seed, replicate);
    this.population = new Population(scenario.groups);
    const take = (update: Update): void => {
      this.#updates += 1;
      onUpdate(update);
    };
    this.#engine = resume ? new Engine({ onUpdate: take }, resume.state) : openNetwork(scenario, take);
    this.#submit = (command, ...actAs) => this.#decided(command, actAs);
    this.#wallets = new Wallets(this.#submit, scenario.network.maxInputs);
    const shelf = new PolicyShelf(policies);
    this.#habits = scenario.groups.map((group) => new WalletHabitsOf(group, shelf, this.#streams));
    this.#sources = this.population.groups.flatMap((members) => {
      const { payments } = members.group;
      if (!payments) return [];
      const { trace } = payments.arrivals;
      if (!trace)
        return [drawnPayments(payments, members, this.population, this.#streams, valuesOf(payments.amount, files))];
      const input = inputFrom(files, trace.file, trace.unit);
      return [recordedPayments(input, trace, payments, members, this.population, this.#streams)];
    });
    this.#incomes = this.population.groups.flatMap((members) => {
      const { income, name } = members.group;
      if (!income) return [];
      const stream = this.#streams.named(`${name}/income`);
      return [{ members, every: income.every, amount: amounts(income.amount, stream, valuesOf(income.amount, files)) }];
    });
    if (resume) this.#restore(resume.world as unknown as SavedWorld);
    else {
      foundNetwork(scenario, this.population, this.#submit);
      this.#populate(files);
    }
    this.#automation = habitsOf(automationOf(scenario, this.population), this.#engine.state);
  }

  get state(): LedgerState {
    return this.#engine.state;
  }

  /** Rounds that have been played. */
  get round(): number {
    return this.#round;
  }

  get now(): Instant {
    return this.#now;
  }

  /** Updates of the log so far. */
  get updates(): number {
    return this.#updates;
  }

  get counts(): Readonly<PaymentCounts> {
    return this.#wallets.counts;
  }

  /** Payments that wait for coin. */
  get waiting(): number {
    let count = 0;
    for (const queue of this.#waiting.values()) count += queue.length;
    return count;
  }

  /** Whether the scenario's time has come to its end. */
  get isOver(): boolean {
    const { updates } = this.scenario.duration;
    return this.#round >= roundsOf(this.scenario.duration) || (updates !== undefined && this.#updates >= updates);
  }

  hash(): string {
    return this.#engine.hash();
  }

  /** What the ledger's state does not tell: with it another world goes on, between two rounds, as this one would. */
  save(): Saved {
    const { refused, ...counts } = this.counts;
    return {
      round: this.#round,
      updates: this.#updates,
      now: this.#now,
      streams: this.#streams.positions(),
      agenda: this.#agenda.save(),
      waiting: [...this.#waiting],
      counts,
      refused: [...refused],
    } satisfies SavedWorld as unknown as Saved;
  }

  #restore({ round, updates, now, streams, agenda, waiting, counts, refused }: SavedWorld): void {
    this.#round = round;
    this.#updates = updates;
    this.#now = Instant.ofMicros(now);
    // Not before: what is drawn when a world is made, such as a bootstrapped trace, is drawn as it was.
    this.#streams.restore(streams);
    this.#agenda.restore(agenda);
    for (const [number, payments] of waiting) this.#waiting.set(number, payments);
    Object.assign(this.counts, counts);
    for (const [code, times] of refused) this.counts.refused.set(code, times);
  }

  /**
   * From its next decision on every wallet chooses and merges as these groups say, one for each of the scenario: a fork. What the
   * parties want stays, and groups whose wallets stay as they were go on as if nobody had asked.
   */
  adopt(groups: readonly Group[], policies?: OwnPolicies): void {
    const shelf = new PolicyShelf(policies);
    this.#habits = this.#habits.map((habits, i) => {
      const group = groups[i];
      const before = this.scenario.groups[i];
      const isSame = JSON.stringify(group?.wallet) === JSON.stringify(before?.wallet);
      return group && !isSame ? new WalletHabitsOf(group, shelf, this.#streams) : habits;
    });
  }

  /** Plays the next round: rounds advance, coin comes in, payments happen in their order, and everything that runs by itself has its turn. */
  playRound(): void {
    const start = Instant.ofMicros(GENESIS_TIME + TICK * BigInt(this.#round + 1));
    this.#now = start;
    for (const change of this.scenario.network.changes)
      if (change.atRound === this.#round) applyChange(this.#engine, this.#submit, change);
    runHabits(this.#engine, this.#automation, this.#now);
    this.#bringIncome();
    const payments = this.#sources.flatMap((source) => source.inRound(this.#round));
    payments.sort((a, b) => a.at - b.at);
    for (const payment of payments) {
      const at = Instant.ofMicros(start + BigInt(Math.floor(payment.at * Number(TICK))));
      this.#answerUntil(at);
      this.#now = at;
      this.#ask(payment);
    }
    this.#mergePeriodically();
    // A round is whole when the next begins: by its time alone every update of the log is known to be of one round.
    this.#answerUntil(Instant.plus(start, TICK));
    this.#round += 1;
  }

  #decided(command: Command, actAs: readonly PartyId[]): Update | null {
    const outcome = this.#engine.submit(command, { now: this.#now, actAs });
    if (outcome.ok) return outcome.value;
    const { refused } = this.#wallets.counts;
    refused.set(outcome.error.code, (refused.get(outcome.error.code) ?? 0) + 1);
    return null;
  }

  /** Opening coins and preapprovals. */
  #populate(files: ScenarioFiles): void {
    this.population.groups.forEach(({ group, start, count }, i) => {
      const { opening, openingFile, openingUnit } = group;
      const given = openingFile === null ? null : amountsFrom(files, openingFile, openingUnit);
      const stream = this.#streams.named(`${group.name}/opening`);
      const amount = amounts(opening.amount, stream, valuesOf(opening.amount, files));
      for (let number = start; number < start + count; number++) {
        const party = this.population.party(number);
        this.#submit({ type: 'AllocateParty', party }, party);
        const coins = given ?? Array.from({ length: opening.coins }, amount);
        for (const coin of coins) this.#submit({ type: 'Mint', receiver: party, amount: coin }, DSO, party);
        if (this.#habits[i]?.isOffered === false)
          this.#submit(
            { type: 'CreatePreapproval', receiver: party, provider: party, expiresAt: Instant.latest, inputs: [] },
            party,
          );
      }
    });
  }

  #bringIncome(): void {
    for (const { members, every, amount } of this.#incomes) {
      for (let number = members.start; number < members.start + members.count; number++) {
        // Spread over the rounds, so that a whole group does not receive at once.
        if ((this.#round + number) % every !== 0) continue;
        const party = this.population.party(number);
        this.#submit({ type: 'Mint', receiver: party, amount: amount() }, DSO, party);
        this.#settle(number);
      }
    }
  }

  /** A payment is made, waits, or is dropped for want of coin. */
  #ask(payment: Payment): void {
    this.#wallets.counts.asked += 1;
    const { from } = payment;
    if (from === null) return this.#receive(payment);
    const queue = this.#waiting.get(from);
    if (queue) queue.push(payment);
    else if (balanceOf(this.state, this.population.party(from)).unlocked >= payment.amount) this.#pay(from, payment);
    else if (this.population.membersOf(from).group.payments?.whenShort === 'wait') this.#waiting.set(from, [payment]);
    else this.#wallets.counts.short += 1;
  }

  #receive({ to, amount }: Payment): void {
    const party = this.population.party(to);
    this.#submit({ type: 'Mint', receiver: party, amount }, DSO, party);
    this.#settle(to);
  }

  #pay(from: number, { to, amount }: Payment): void {
    const due = this.#wallets.pay(this.state, this.#now, this.#wallet(from), this.#wallet(to), amount);
    if (due) this.#agenda.note(due.at, { instruction: due.instruction, what: due.what, sender: from, receiver: to });
    this.#tidy(from);
    if (!this.#wallet(to).habits.isOffered) this.#settle(to);
  }

  /** After coin came in: payments that waited for it, then the merge policy. */
  #settle(number: number): void {
    const queue = this.#waiting.get(number);
    const party = this.population.party(number);
    for (
      let first = queue?.[0];
      queue && first && balanceOf(this.state, party).unlocked >= first.amount;
      first = queue[0]
    ) {
      queue.shift();
      if (queue.length === 0) this.#waiting.delete(number);
      this.#pay(number, first);
    }
    this.#tidy(number);
  }

  #tidy(number: number): void {
    const { party, habits } = this.#wallet(number);
    if (habits.merge?.every === null) this.#wallets.tidy(this.state, party, habits.merge);
    this.#sweep(number);
  }

  #sweep(number: number): void {
    const { sweep } = this.population.membersOf(number).group.wallet;
    if (!sweep) return;
    const { unlocked } = balanceOf(this.state, this.population.party(number));
    if (unlocked <= Amount.of(sweep.above)) return;
    const { start } = this.population.named(sweep.to);
    if (start === number) return;
    const amount = Amount.ofUnits(unlocked - Amount.of(sweep.keep));
    this.#wallets.pay(this.state, this.#now, this.#wallet(number), this.#wallet(start), amount);
  }

  /** Policies with a period look at all wallets of their group when it has gone by. */
  #mergePeriodically(): void {
    this.population.groups.forEach(({ start, count }, i) => {
      const merge = this.#habits[i]?.merge;
      if (!merge || merge.every === null) return;
      const rounds = Math.max(1, Math.round(Number(spanOf(merge.every)) / Number(TICK)));
      if ((this.#round + 1) % rounds !== 0) return;
      for (let number = start; number < start + count; number++)
        this.#wallets.tidy(this.state, this.population.party(number), merge);
    });
  }

  /** Receivers and senders answer offers until a moment. */
  #answerUntil(moment: Instant): void {
    for (let at = this.#agenda.next; at !== null && at < moment; at = this.#agenda.next) {
      const due = this.#agenda.take();
      if (!due) return;
      this.#now = Instant.later(this.#now, Instant.ofMicros(at));
      const actor = due.what === 'WithdrawOffer' ? due.sender : due.receiver;
      this.#submit({ type: due.what, instruction: due.instruction }, this.population.party(actor));
      this.#settle(due.receiver);
      this.#settle(due.sender);
    }
  }

  #wallet(number: number): { readonly party: PartyId; readonly habits: WalletHabitsOf } {
    return {
      party: this.population.party(number),
      habits: this.#habits[this.population.groupOf(number)] as WalletHabitsOf,
    };
  }
}
