import {
  Amount,
  balanceOf,
  Engine,
  find,
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
import { amounts, type Sampler } from '../chance/distributions.js';
import { Streams } from '../chance/streams.js';
import { PolicyFault } from '../policies/fault.js';
import type { OwnPolicies } from '../policies/own.js';
import { PolicyShelf } from '../policies/shelf.js';
import { inputFrom, valuesOf, type ScenarioFiles } from '../scenario/files.js';
import type { Saved } from '../run/saved.js';
import { ROUND_SPAN, roundsOf, type Group, type Scenario } from '../scenario/scenario.js';
import { recordedPayments } from '../streams/recorded.js';
import { Agenda } from './agenda.js';
import { automationOf, roundsIn, WalletHelpers } from './automation.js';
import { byteFeesOf } from './byte-fees.js';
import { delegates, type PeriodicHabit } from './delegation.js';
import { populate } from './founding.js';
import { WalletHabitsOf, type Answer } from './habits.js';
import { applyChange, DSO, foundNetwork, openNetwork, type Submit } from './network.js';
import { Past } from './past.js';
import { drawnPayments, type Payment, type PaymentSource } from './payments.js';
import { Population, type Members } from './population.js';
import { TrafficMeter } from './traffic-meter.js';
import { Wallets, type PaymentCounts, type Promised, type Wallet } from './wallets.js';

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
  readonly helped: ReturnType<WalletHelpers['save']>;
  readonly traffic: ReturnType<TrafficMeter['save']>;
  readonly past: ReturnType<Past['save']>;
}

/** An answer to an offer that is still to come. */
interface Due {
  readonly instruction: ContractId;
  readonly what: Answer['what'];
  readonly sender: number;
  readonly receiver: number;
}

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
  readonly #delegates: readonly PeriodicHabit[];
  readonly #helpers: WalletHelpers;
  readonly #traffic: TrafficMeter;
  readonly #past: Past;
  readonly #submit: Submit;
  #round = 0;
  #updates = 0;
  #now: Instant = GENESIS_TIME;

  constructor(scenario: Scenario, { replicate = 0, policies, files = new Map(), onUpdate, resume }: WorldOptions) {
    this.scenario = scenario;
    this.#streams = new Streams(scenario.seed, replicate);
    this.population = new Population(scenario.groups);
    this.#helpers = new WalletHelpers(this.population);
    this.#traffic = new TrafficMeter(this.population);
    const take = (update: Update): void => {
      this.#updates += 1;
      this.#helpers.notice(update);
      this.#traffic.notice(update);
      onUpdate(update);
    };
    this.#engine = resume ? new Engine({ onUpdate: take }, resume.state) : openNetwork(scenario, take);
    this.#submit = (command, ...actAs) => this.#decided(command, actAs);
    const shelf = new PolicyShelf(policies);
    this.#habits = scenario.groups.map((group) => new WalletHabitsOf(group, shelf, this.#streams));
    this.#past = new Past();
    this.#past.reach(oldest(this.#habits));
    this.#wallets = new Wallets(this.#submit, scenario.network.maxInputs, byteFeesOf(scenario), this.#past);
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
      populate(this.#engine, scenario, this.population, this.#streams, files, this.#submit);
      this.#traffic.forget();
    }
    this.#automation = habitsOf(automationOf(scenario, this.population), this.#engine.state);
    this.#delegates = delegates(this.population);
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
      waiting: [...this.#waiting].map(([number, payments]) => [number, [...payments]] as const),
      counts,
      refused: [...refused],
      helped: this.#helpers.save(),
      traffic: this.#traffic.save(),
      past: this.#past.save(),
    } satisfies SavedWorld as unknown as Saved;
  }

  #restore({ round, updates, now, streams, agenda, waiting, counts, refused, helped, traffic, past }: SavedWorld): void {
    this.#round = round;
    this.#updates = updates;
    this.#now = Instant.ofMicros(now);
    // Not before: what is drawn when a world is made, such as a bootstrapped trace, is drawn as it was.
    this.#streams.restore(streams);
    this.#agenda.restore(agenda);
    for (const [number, payments] of waiting) this.#waiting.set(number, [...payments]);
    Object.assign(this.counts, counts);
    this.#helpers.restore(helped);
    this.#traffic.restore(traffic);
    this.#past.restore(past);
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
      if (!isSame && group?.wallet.merge.delegated)
        throw new RangeError(
          'wallet.merge: got delegated, expected a habit of the wallet itself: nobody has delegated to it',
        );
      return group && !isSame ? new WalletHabitsOf(group, shelf, this.#streams) : habits;
    });
    this.#past.reach(oldest(this.#habits));
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
    this.#now = start;
    for (const change of this.scenario.network.changes)
      if (change.atRound === this.#round) applyChange(this.#engine, this.#submit, change);
    this.#traffic.settle(this.#submit);
    runHabits(this.#engine, this.#automation, this.#now);
    this.#helpers.run(this.#engine, this.#now);
    this.#past.keep(() => this.#engine.snapshot());
    this.#bringIncome();
    const payments = this.#sources.flatMap((source) => source.inRound(this.#round));
    payments.sort((a, b) => a.at - b.at);
    for (const payment of payments) {
      const at = Instant.ofMicros(start + BigInt(Math.floor(payment.at * Number(ROUND_SPAN))));
      this.#answerUntil(at);
      this.#now = at;
      this.#ask(payment);
    }
    this.#mergePeriodically();
    for (const { habit, rounds } of this.#delegates)
      if ((this.#round + 1) % rounds === 0) runHabits(this.#engine, [habit], this.#now);
    // A round is whole when the next begins: by its time alone every update of the log is known to be of one round.
    this.#answerUntil(Instant.plus(start, ROUND_SPAN));
    this.#round += 1;
  }

  #decided(command: Command, actAs: readonly PartyId[]): Update | null {
    const outcome = this.#engine.submit(command, { now: this.#now, actAs });
    if (outcome.ok) return outcome.value;
    const { refused } = this.#wallets.counts;
    refused.set(outcome.error.code, (refused.get(outcome.error.code) ?? 0) + 1);
    return null;
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
    const { from } = payment;
    if (from === null) return this.#receive(payment);
    this.#wallets.counts.asked += 1;
    const queue = this.#waiting.get(from);
    if (queue) queue.push(payment);
    else if (this.#wallets.affords(this.state, this.population.party(from), payment.amount)) this.#pay(from, payment);
    else if (this.population.membersOf(from).group.payments?.whenShort === 'wait') this.#waiting.set(from, [payment]);
    else this.#wallets.counts.short += 1;
  }

  #receive({ to, amount }: Payment): void {
    const party = this.population.party(to);
    this.#submit({ type: 'Mint', receiver: party, amount }, DSO, party);
    this.#settle(to);
  }

  #pay(from: number, { to, amount }: Payment): void {
    this.#promise(from, to, this.#wallets.pay(this.state, this.#now, this.#wallet(from), this.#wallet(to), amount));
    this.#tidy(from);
    if (!this.#wallet(to).habits.isOffered) this.#settle(to);
  }

  #promise(sender: number, receiver: number, promised: Promised | null): void {
    if (!promised) return;
    const { instruction, what, at } = promised;
    this.#agenda.note(at, { instruction, what, sender, receiver });
  }

  /** After coin came in: payments that waited for it, then the merge policy. */
  #settle(number: number): void {
    const queue = this.#waiting.get(number);
    const party = this.population.party(number);
    for (
      let first = queue?.[0];
      queue && first && this.#wallets.affords(this.state, party, first.amount);
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
    const [from, to] = [this.#wallet(number), this.#wallet(start)];
    this.#promise(number, start, this.#wallets.sweep(this.state, this.#now, from, to, Amount.of(sweep.keep)));
    // Not swept in its turn: two wallets that sweep to each other would never end.
    if (to.habits.merge?.every === null) this.#wallets.tidy(this.state, to.party, to.habits.merge);
  }

  /** Policies with a period look at all wallets of their group when it has gone by. */
  #mergePeriodically(): void {
    this.population.groups.forEach(({ start, count }, i) => {
      const merge = this.#habits[i]?.merge;
      if (!merge || merge.every === null) return;
      if ((this.#round + 1) % roundsIn(merge.every) !== 0) return;
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
      // Automation may have accepted it before.
      if (find(this.state, 'TransferInstruction', due.instruction))
        this.#submit({ type: due.what, instruction: due.instruction }, this.population.party(actor));
      this.#settle(due.receiver);
      this.#settle(due.sender);
    }
  }

  #wallet(number: number): Wallet {
    return {
      party: this.population.party(number),
      habits: this.#habits[this.population.groupOf(number)] as WalletHabitsOf,
    };
  }
}

/** How many rounds back the wallets look whose lists of UTXOs are old; null: none does. */
function oldest(habits: readonly WalletHabitsOf[]): number | null {
  const ages = habits.flatMap(({ faults }) => faults.staleRounds ?? []);
  return ages.length === 0 ? null : Math.max(...ages);
}
