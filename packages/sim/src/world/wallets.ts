import {
  Amount,
  countOf,
  find,
  Instant,
  updateOf,
  type Command,
  type ContractId,
  type Entry,
  type Holding,
  type LedgerState,
  type PartyId,
} from '@coinlab/core';
import { fewOf, walletOf } from '@coinlab/core/simulation';
import { unlockedTotalOf } from '@coinlab/core/views';
import { preapprovalOf } from '@coinlab/core/rules';
import type { Units } from '../chance/distributions.js';
import { demandOf, type ByteFees } from '../policies/fees.js';
import { fittingInputs, type Failure } from '../policies/fitting.js';
import type { MergeHabit } from '../policies/merge.js';
import { ByteFeeCollector } from './byte-fees.js';
import { throughFloat } from './faults.js';
import type { LedgerDriver } from './driver.js';
import type { Answer, WalletBehaviour } from './habits.js';
import type { StateHistory } from './state-history.js';

/** Refusals leave no log entry, so they are counted here. */
export interface PaymentCounts {
  asked: number;
  made: number;
  short: number;
  readonly refused: Map<string, number>;
  capMerges: number;
  misstated: number;
  /** Payments retried with a fresh list of UTXOs, because inputs of a stale list were spent. */
  retried: number;
  swept: number;
}

export interface Wallet {
  readonly number: number;
  readonly party: PartyId;
  readonly habits: WalletBehaviour;
}

export interface Promised {
  readonly instruction: ContractId;
  readonly at: bigint;
  readonly what: Answer['what'];
}

const NOTHING_PROMISED: { readonly promised: null } = { promised: null };

interface WalletLimits {
  readonly most: number;
  readonly fees?: ByteFees | null;
  readonly history?: StateHistory | null;
}

export class Wallets {
  readonly #ledger: LedgerDriver;
  readonly #most: number;
  readonly #feeCollector: ByteFeeCollector | null;
  readonly #history: StateHistory | null;
  readonly #parties: readonly PartyId[];
  /** Wallet numbers of the ledger by party number; −1 before the first lookup. */
  readonly #numbers: Int32Array;
  /** Preapprovals that never expire, by party number; 0 when unknown. */
  readonly #preapprovals: Float64Array;
  readonly counts: PaymentCounts = {
    asked: 0,
    made: 0,
    short: 0,
    refused: new Map(),
    capMerges: 0,
    misstated: 0,
    retried: 0,
    swept: 0,
  };

  constructor(ledger: LedgerDriver, parties: readonly PartyId[], { most, fees = null, history = null }: WalletLimits) {
    this.#ledger = ledger;
    this.#parties = parties;
    this.#numbers = new Int32Array(parties.length).fill(-1);
    this.#most = most;
    this.#feeCollector = fees && new ByteFeeCollector(fees, ledger.submit, most);
    this.#history = history;
    this.#preapprovals = new Float64Array(parties.length);
  }

  affords(party: PartyId, amount: Amount): boolean {
    return unlockedTotalOf(this.#ledger.state, party) >= this.#demand(amount, 1);
  }

  /**
   * Avoids lookups by name: with a million parties they take longer than the payment. Same effect as {@link pay}. Returns false,
   * without effect, when the payment has no packed form.
   */
  payPacked(from: number, to: number, units: number): boolean {
    if (this.#feeCollector || units <= 0) return false;
    const isPaid = this.#ledger.payPacked(this.#numberOf(from), this.#numberOf(to), units);
    if (isPaid) this.counts.made += 1;
    return isPaid;
  }

  /** Mints coin for a party by wallet number; an amount without a packed form by command. */
  mint(number: number, amount: Units): void {
    // From 2⁵³ units on, a double may not be exact, but then the coin has no packed form.
    if (this.#ledger.mintPacked(this.#numberOf(number), Number(amount))) return;
    // Every number is an index of the array.
    this.#ledger.mint(this.#parties[number] as PartyId, Amount.ofUnits(BigInt(amount)));
  }

  isTidy(number: number, { above = -1 }: MergeHabit): boolean {
    const few = fewOf(this.#ledger.state, this.#numberOf(number));
    return few >= 0 && few <= above;
  }

  /** Casts: `number` is an index of `#numbers` and of `#parties`. */
  #numberOf(number: number): number {
    const known = this.#numbers[number] as number;
    if (known >= 0) return known;
    return (this.#numbers[number] = walletOf(this.#ledger.state, this.#parties[number] as PartyId));
  }

  tidy(owner: PartyId, habit: MergeHabit): void {
    while (this.mergeOnce(owner, habit));
  }

  mergeOnce(owner: PartyId, { policy }: MergeHabit): boolean {
    const inputs = policy(this.#ledger.state, owner, this.#most);
    return inputs.length > 1 && this.#merge(owner, idsOf(inputs));
  }

  /** Only preapprovals that never expire are cached, because no wallet withdraws one. */
  notePreapproval(
    number: number,
    { preapproval, expiresAt }: { readonly preapproval: ContractId; readonly expiresAt: Instant },
  ): void {
    if (expiresAt === Instant.latest) this.#preapprovals[number] = preapproval;
  }

  pay(sender: Wallet, receiver: Wallet, amount: Amount): Promised | null {
    const sent = this.#send(sender, receiver, amount);
    if (sent === 'refused') return null;
    this.counts[sent === 'short' ? 'short' : 'made'] += 1;
    return sent === 'short' ? null : sent.promised;
  }

  sweep(sender: Wallet, receiver: Wallet, keep: Amount): Promised | null {
    const { state } = this.#ledger;
    const inputs = Math.min(countOf(state, sender.party), this.#most);
    const amount = Amount.sub(unlockedTotalOf(state, sender.party), this.#demand(keep, inputs));
    const sent = amount > 0n ? this.#send(sender, receiver, amount) : 'short';
    if (typeof sent === 'string') return null;
    this.counts.swept += 1;
    return sent.promised;
  }

  #send(sender: Wallet, receiver: Wallet, asked: Amount): { readonly promised: Promised | null } | Failure {
    const amount = sender.habits.faults.floatsAmounts ? throughFloat(asked) : asked;
    if (amount !== asked) this.counts.misstated += 1;
    const command = (inputs: readonly ContractId[]): Command => this.#paymentOf(sender, receiver, amount, inputs);
    const entry = this.#spend(sender, amount, (inputs) => this.#ledger.submit(command(inputs), sender.party));
    // Drawn even when the offer fails, so that later answers do not depend on it.
    const answer = receiver.habits.answer(receiver.party);
    if (typeof entry === 'string') return entry;
    this.#feeCollector?.charge(this.#ledger.state, sender.party, updateOf(entry));
    if (!answer || entry.kind !== 'TransferOffered') return NOTHING_PROMISED;
    return {
      promised: { instruction: entry.detail.instruction, at: this.#ledger.now + answer.after, what: answer.what },
    };
  }

  #spend(sender: Wallet, amount: Amount, submit: (inputs: readonly ContractId[]) => Entry | null): Entry | Failure {
    const { staleRounds } = sender.habits.faults;
    const state = staleRounds === null ? null : (this.#history?.before(staleRounds) ?? null);
    const stale = state && this.#choice(state, sender, amount);
    if (stale && stale.length <= this.#most) {
      const done = submit(stale);
      if (done) return done;
      this.counts.retried += 1;
    }
    const inputs = this.#inputs(sender, amount);
    return typeof inputs === 'string' ? inputs : (submit(inputs) ?? 'refused');
  }

  #inputs(sender: Wallet, amount: Amount): readonly ContractId[] | Failure {
    return fittingInputs(
      this.#most,
      () => this.#choice(this.#ledger.state, sender, amount),
      (first) => {
        const isMerged = this.#merge(sender.party, first);
        if (isMerged) this.counts.capMerges += 1;
        return isMerged;
      },
    );
  }

  #choice(state: LedgerState, { party, habits }: Wallet, amount: Amount): readonly ContractId[] | null {
    const unlocked = unlockedTotalOf(state, party);
    if (!this.#feeCollector) return unlocked < amount ? null : habits.inputs(state, party, amount, this.#most);
    let demand = this.#demand(amount, 1);
    for (;;) {
      if (unlocked < demand) return null;
      const inputs = habits.inputs(state, party, demand, this.#most);
      const wanted = this.#demand(amount, inputs.length);
      if (wanted <= demand || inputs.length > this.#most) return inputs;
      if (worthOf(state, inputs) >= wanted) return inputs;
      demand = wanted;
    }
  }

  #demand(amount: Amount, inputs: number): Amount {
    return this.#feeCollector ? demandOf(this.#feeCollector.fees, amount, inputs) : amount;
  }

  #paymentOf(
    { party: sender }: Wallet,
    { number, party: receiver, habits }: Wallet,
    amount: Amount,
    inputs: readonly ContractId[],
  ): Command {
    if (sender === receiver) return splitOf(this.#ledger.state, sender, amount, inputs);
    if (habits.isOffered) {
      const executeBefore = Instant.ofMicros(this.#ledger.now + habits.expiresAfter);
      return { type: 'CreateOffer', sender, receiver, amount, inputs, executeBefore };
    }
    // Every number is an index of the array.
    const known = this.#preapprovals[number] as ContractId;
    if (known !== 0) return { type: 'DirectTransfer', sender, receiver, amount, inputs, preapproval: known };
    const preapproval = preapprovalOf(this.#ledger.state, receiver, this.#ledger.now);
    if (!preapproval) return { type: 'DirectTransfer', sender, receiver, amount, inputs };
    const { id, expiresAt } = preapproval;
    this.notePreapproval(number, { preapproval: id, expiresAt });
    return { type: 'DirectTransfer', sender, receiver, amount, inputs, preapproval: id };
  }

  #merge(owner: PartyId, inputs: readonly ContractId[]): boolean {
    const collector = this.#feeCollector;
    if (!collector) return this.#ledger.submit({ type: 'MergeHoldings', owner, inputs }, owner) !== null;
    if (worthOf(this.#ledger.state, inputs) <= collector.ofMerge(inputs.length)) return false;
    const merged = this.#ledger.submit({ type: 'MergeHoldings', owner, inputs }, owner);
    if (merged) collector.charge(this.#ledger.state, owner, updateOf(merged));
    return merged !== null;
  }
}

/**
 * Returns a transfer that creates the remainder as its output and leaves the amount as change, so that the amount is
 * the younger coin, as for other receivers.
 */
function splitOf(state: LedgerState, sender: PartyId, amount: Amount, inputs: readonly ContractId[]): Command {
  const rest = Amount.sub(worthOf(state, inputs), amount);
  return { type: 'SelfTransfer', sender, amount: rest > 0n ? rest : amount, inputs };
}

function idsOf(holdings: readonly Holding[]): readonly ContractId[] {
  return holdings.map(({ id }) => id);
}

function worthOf(state: LedgerState, coins: readonly ContractId[]): Amount {
  return Amount.sum(coins.map((id) => find(state, 'Holding', id)?.amount ?? Amount.zero));
}
