import { Amount, find, Instant, type ContractId } from '@coinlab/core';
import { unlockedTotalOf } from '@coinlab/core/views';
import { Agenda } from './agenda.js';
import type { LedgerDriver } from './driver.js';
import type { Answer, WalletBehaviour } from './habits.js';
import type { Population } from './population.js';
import type { Payment, RoundPayments } from './round-payments.js';
import type { Promised, Wallet, Wallets } from './wallets.js';

/** Where parties deal with each other: a ledger, a clock, and wallets with their habits. */
export interface Stage {
  readonly population: Population;
  readonly wallets: Wallets;
  readonly ledger: LedgerDriver;
  /** By group. */
  habits: readonly WalletBehaviour[];
}

/** An answer to an offer that is still to come. */
interface Due {
  readonly instruction: ContractId;
  readonly what: Answer['what'];
  readonly sender: number;
  readonly receiver: number;
}

/** What of dealings the ledger does not tell. */
export interface SavedDealings {
  readonly agenda: ReturnType<Agenda<Due>['save']>;
  readonly waiting: readonly (readonly [number, readonly Payment[]])[];
}

/** What parties do with each other: pay or wait for coin, answer offers, tidy and sweep what comes in. */
export class Dealings {
  readonly #stage: Stage;
  readonly #agenda: Agenda<Due> = new Agenda();
  readonly #waiting: Map<number, Payment[]> = new Map();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Payments that wait for coin. */
  get waiting(): number {
    let count = 0;
    for (const queue of this.#waiting.values()) count += queue.length;
    return count;
  }

  /** For checkpoints. */
  save(): SavedDealings {
    return {
      agenda: this.#agenda.save(),
      waiting: Array.from(this.#waiting, ([number, payments]) => [number, [...payments]] as const),
    };
  }

  /** Goes on from what was saved. */
  restore({ agenda, waiting }: SavedDealings): void {
    this.#agenda.restore(agenda);
    for (const [number, payments] of waiting) this.#waiting.set(number, [...payments]);
  }

  /** The i-th payment is made, waits, or is dropped for want of coin. */
  ask(payments: RoundPayments, i: number): void {
    const from = payments.from(i);
    if (from >= 0 && this.#paysPacked(from, payments.to(i), payments.units(i))) return;
    this.#ask(payments.payment(i));
  }

  #ask(payment: Payment): void {
    const { from } = payment;
    if (from === null) return this.receive(payment.to, payment.amount);
    this.#stage.wallets.counts.asked += 1;
    const queue = this.#waiting.get(from);
    if (queue) queue.push(payment);
    else if (this.#stage.wallets.affords(this.#stage.population.party(from), payment.amount)) this.#pay(from, payment);
    else if (this.#stage.population.membersOf(from).group.payments?.whenShort === 'wait')
      this.#waiting.set(from, [payment]);
    else this.#stage.wallets.counts.short += 1;
  }

  /** Coin from outside. */
  receive(to: number, amount: Amount): void {
    this.#stage.ledger.mint(this.#stage.population.party(to), amount);
    this.#settle(to);
  }

  #pay(from: number, { to, amount }: Payment): void {
    const [sender, receiver] = [this.#wallet(from), this.#wallet(to)];
    this.#promise(from, to, this.#stage.wallets.pay(sender, receiver, amount));
    this.#tidy(from);
    if (!receiver.habits.isOffered) this.#settle(to);
  }

  /** Whether a payment was made in numbers: what most come to. */
  #paysPacked(from: number, to: number, units: number): boolean {
    const { wallets } = this.#stage;
    if (!this.#habitsOf(from).paysPacked || this.#habitsOf(to).isOffered || this.#isWaiting(from)) return false;
    if (!wallets.payPacked(from, to, units)) return false;
    wallets.counts.asked += 1;
    this.#tidy(from);
    this.#settle(to);
    return true;
  }

  #isWaiting(number: number): boolean {
    return this.#waiting.size > 0 && this.#waiting.has(number);
  }

  #promise(sender: number, receiver: number, promised: Promised | null): void {
    if (!promised) return;
    const { instruction, what, at } = promised;
    this.#agenda.note(at, { instruction, what, sender, receiver });
  }

  /** After coin came in: payments that waited for it, then the merge policy. */
  #settle(number: number): void {
    const queue = this.#isWaiting(number) ? this.#waiting.get(number) : undefined;
    const party = this.#stage.population.party(number);
    for (let first = queue?.[0]; queue && first && this.#stage.wallets.affords(party, first.amount); first = queue[0]) {
      queue.shift();
      if (queue.length === 0) this.#waiting.delete(number);
      this.#pay(number, first);
    }
    this.#tidy(number);
  }

  #tidy(number: number): void {
    const { wallets, population } = this.#stage;
    const { merge } = this.#habitsOf(number);
    if (merge?.every === null && !wallets.isTidy(number, merge)) wallets.tidy(population.party(number), merge);
    this.#sweep(number);
  }

  #sweep(number: number): void {
    const { sweep } = this.#stage.population.membersOf(number).group.wallet;
    if (!sweep) return;
    if (unlockedTotalOf(this.#stage.ledger.state, this.#stage.population.party(number)) <= Amount.of(sweep.above))
      return;
    const { start } = this.#stage.population.named(sweep.to);
    if (start === number) return;
    const [from, to] = [this.#wallet(number), this.#wallet(start)];
    this.#promise(number, start, this.#stage.wallets.sweep(from, to, Amount.of(sweep.keep)));
    // Not swept in its turn: two wallets that sweep to each other would never end.
    if (to.habits.merge?.every === null) this.#stage.wallets.tidy(to.party, to.habits.merge);
  }

  /** Receivers and senders answer offers until a moment. */
  answerUntil(moment: Instant): void {
    for (let at = this.#agenda.next; at !== null && at < moment; at = this.#agenda.next) {
      const due = this.#agenda.take();
      if (!due) return;
      this.#stage.ledger.now = Instant.later(this.#stage.ledger.now, Instant.ofMicros(at));
      const actor = due.what === 'WithdrawOffer' ? due.sender : due.receiver;
      // Automation may have accepted it before.
      if (find(this.#stage.ledger.state, 'TransferInstruction', due.instruction))
        this.#stage.ledger.submit(
          { type: due.what, instruction: due.instruction },
          this.#stage.population.party(actor),
        );
      this.#settle(due.receiver);
      this.#settle(due.sender);
    }
  }

  #wallet(number: number): Wallet {
    return {
      number,
      party: this.#stage.population.party(number),
      habits: this.#habitsOf(number),
    };
  }

  /** Casts: the stage has habits for every group of its population. */
  #habitsOf(number: number): WalletBehaviour {
    return this.#stage.habits[this.#stage.population.groupOf(number)] as WalletBehaviour;
  }
}
