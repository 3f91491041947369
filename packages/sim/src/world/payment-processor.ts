import { Amount, find, Instant, type ContractId } from '@coinlab/core';
import { unlockedTotalOf } from '@coinlab/core/views';
import type { Units } from '../chance/distributions.js';
import { EventQueue } from './event-queue.js';
import type { LedgerDriver } from './driver.js';
import type { Answer, WalletBehaviour } from './habits.js';
import type { Population } from './population.js';
import type { Payment, RoundPayments } from './round-payments.js';
import type { Promised, Wallet, Wallets } from './wallets.js';

export interface ProcessorContext {
  readonly population: Population;
  readonly wallets: Wallets;
  readonly ledger: LedgerDriver;
  habits: readonly WalletBehaviour[];
}

type Due = {
  readonly instruction: ContractId;
  readonly what: Answer['what'];
  readonly sender: number;
  readonly receiver: number;
};

export type SavedPayments = {
  readonly agenda: ReturnType<EventQueue<Due>['save']>;
  readonly waiting: readonly (readonly [number, readonly Payment[]])[];
  readonly requested: readonly number[];
  readonly completed: readonly number[];
};

export class PaymentProcessor {
  readonly #context: ProcessorContext;
  readonly #events: EventQueue<Due> = new EventQueue();
  readonly #waiting: Map<number, Payment[]> = new Map();
  readonly requested: number[];
  readonly completed: number[];

  constructor(context: ProcessorContext) {
    this.#context = context;
    this.requested = context.population.groups.map(() => 0);
    this.completed = [...this.requested];
  }

  get waiting(): number {
    let count = 0;
    for (const queue of this.#waiting.values()) count += queue.length;
    return count;
  }

  save(): SavedPayments {
    return {
      agenda: this.#events.save(),
      waiting: Array.from(this.#waiting, ([number, payments]) => [number, [...payments]] as const),
      requested: [...this.requested],
      completed: [...this.completed],
    };
  }

  restore({ agenda, waiting, requested, completed }: SavedPayments): void {
    this.requested.splice(0, requested.length, ...requested);
    this.completed.splice(0, completed.length, ...completed);
    this.#events.restore(agenda);
    for (const [number, payments] of waiting) this.#waiting.set(number, [...payments]);
  }

  ask(payments: RoundPayments, i: number): void {
    const from = payments.from(i);
    if (from >= 0 && this.#paysPacked(from, payments.to(i), payments.units(i))) return;
    this.#ask(payments.payment(i));
  }

  #ask(payment: Payment): void {
    const { from } = payment;
    if (from === null) return this.receive(payment.to, payment.amount);
    this.#count(this.requested, from);
    this.#context.wallets.counts.asked += 1;
    const queue = this.#waiting.get(from);
    if (queue) queue.push(payment);
    else if (this.#context.wallets.affords(this.#context.population.party(from), payment.amount))
      this.#pay(from, payment);
    else if (this.#context.population.membersOf(from).group.payments?.whenShort === 'wait')
      this.#waiting.set(from, [payment]);
    else this.#context.wallets.counts.short += 1;
  }

  receive(to: number, amount: Units): void {
    this.#context.wallets.mint(to, amount);
    this.#settle(to);
  }

  #pay(from: number, { to, amount }: Payment): void {
    const [sender, receiver] = [this.#wallet(from), this.#wallet(to)];
    const { counts } = this.#context.wallets;
    const before = counts.made;
    this.#promise(from, to, this.#context.wallets.pay(sender, receiver, amount));
    if (counts.made > before) this.#count(this.completed, from);
    this.#tidy(from);
    if (!receiver.habits.isOffered) this.#settle(to);
  }

  #paysPacked(from: number, to: number, units: number): boolean {
    const { wallets } = this.#context;
    if (!this.#habitsOf(from).paysPacked || this.#habitsOf(to).isOffered || this.#isWaiting(from)) return false;
    if (!wallets.payPacked(from, to, units)) return false;
    wallets.counts.asked += 1;
    this.#count(this.requested, from);
    this.#count(this.completed, from);
    this.#tidy(from);
    this.#settle(to);
    return true;
  }

  #count(counts: number[], number: number): void {
    const group = this.#context.population.groupOf(number);
    counts[group] = (counts[group] ?? 0) + 1;
  }

  #isWaiting(number: number): boolean {
    return this.#waiting.size > 0 && this.#waiting.has(number);
  }

  #promise(sender: number, receiver: number, promised: Promised | null): void {
    if (!promised) return;
    const { instruction, what, at } = promised;
    this.#events.schedule(at, { instruction, what, sender, receiver });
  }

  #settle(number: number): void {
    const queue = this.#isWaiting(number) ? this.#waiting.get(number) : undefined;
    const party = this.#context.population.party(number);
    for (
      let first = queue?.[0];
      queue && first && this.#context.wallets.affords(party, first.amount);
      first = queue[0]
    ) {
      queue.shift();
      if (queue.length === 0) this.#waiting.delete(number);
      this.#pay(number, first);
    }
    this.#tidy(number);
  }

  #tidy(number: number): void {
    const { wallets, population } = this.#context;
    const { merge } = this.#habitsOf(number);
    if (merge?.every === null && !wallets.isTidy(number, merge)) wallets.tidy(population.party(number), merge);
    this.#sweep(number);
  }

  #sweep(number: number): void {
    const { sweep } = this.#context.population.membersOf(number).group.wallet;
    if (!sweep) return;
    if (unlockedTotalOf(this.#context.ledger.state, this.#context.population.party(number)) <= Amount.of(sweep.above))
      return;
    const { start } = this.#context.population.named(sweep.to);
    if (start === number) return;
    const [from, to] = [this.#wallet(number), this.#wallet(start)];
    this.#promise(number, start, this.#context.wallets.sweep(from, to, Amount.of(sweep.keep)));
    // The receiver is merged but not swept: two wallets that sweep to each other would never end.
    if (to.habits.merge?.every === null) this.#context.wallets.tidy(to.party, to.habits.merge);
  }

  answerUntil(moment: Instant): void {
    for (let at = this.#events.next; at !== null && at < moment; at = this.#events.next) {
      const due = this.#events.take();
      if (!due) return;
      this.#context.ledger.now = Instant.later(this.#context.ledger.now, Instant.ofMicros(at));
      const actor = due.what === 'WithdrawOffer' ? due.sender : due.receiver;
      // Automation may already have accepted the offer.
      if (find(this.#context.ledger.state, 'TransferInstruction', due.instruction))
        this.#context.ledger.submit(
          { type: due.what, instruction: due.instruction },
          this.#context.population.party(actor),
        );
      this.#settle(due.receiver);
      this.#settle(due.sender);
    }
  }

  #wallet(number: number): Wallet {
    return {
      number,
      party: this.#context.population.party(number),
      habits: this.#habitsOf(number),
    };
  }

  /** Casts: every group of the population has habits. */
  #habitsOf(number: number): WalletBehaviour {
    return this.#context.habits[this.#context.population.groupOf(number)] as WalletBehaviour;
  }
}
