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
import { demandOf, type ByteFees } from '../policies/fees.js';
import { fittingInputs, type Failure } from '../policies/fitting.js';
import type { MergeHabit } from '../policies/merge.js';
import { FeeDesk } from './byte-fees.js';
import { throughFloat } from './faults.js';
import type { LedgerDriver } from './driver.js';
import type { Answer, WalletBehaviour } from './habits.js';
import type { Past } from './past.js';

/** What became of the payments that were asked for. Refusals are not in the log, so they are counted here. */
export interface PaymentCounts {
  asked: number;
  /** Completed in one step, or offered. */
  made: number;
  /** Above the balance, fees included, and dropped. */
  short: number;
  /** Refused by the ledger, by code. */
  readonly refused: Map<string, number>;
  /** Merges that only made a payment fit under the cap. */
  capMerges: number;
  /** Payments of another amount than was asked for, which a float made. */
  misstated: number;
  /** Payments tried again with a fresh list of UTXOs, since inputs of an old one were gone. */
  retried: number;
  /** Times that a wallet was swept. */
  swept: number;
}

/** A wallet that takes part in a payment. */
export interface Wallet {
  readonly number: number;
  readonly party: PartyId;
  readonly habits: WalletBehaviour;
}

/** What is to be answered later: the instruction and when. */
export interface Promised {
  readonly instruction: ContractId;
  readonly at: bigint;
  readonly what: Answer['what'];
}

const NOTHING_PROMISED: { readonly promised: null } = { promised: null };

interface WalletLimits {
  /** Inputs that one transaction may have. */
  readonly most: number;
  readonly fees?: ByteFees | null;
  /** Needed by wallets with old lists of UTXOs. */
  readonly past?: Past | null;
}

/** Pays from wallets and merges their coins, for scenario runs and replays. */
export class Wallets {
  readonly #ledger: LedgerDriver;
  readonly #most: number;
  readonly #desk: FeeDesk | null;
  readonly #past: Past | null;
  /** By number. */
  readonly #parties: readonly PartyId[];
  /** By number of the party that of its wallet in the ledger. -1: not yet asked for. */
  readonly #numbers: Int32Array;
  /** By number the preapproval of a receiver, where it never expires. 0: not known. */
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

  constructor(ledger: LedgerDriver, parties: readonly PartyId[], { most, fees = null, past = null }: WalletLimits) {
    this.#ledger = ledger;
    this.#parties = parties;
    this.#numbers = new Int32Array(parties.length).fill(-1);
    this.#most = most;
    this.#desk = fees && new FeeDesk(fees, ledger.submit, most);
    this.#past = past;
    this.#preapprovals = new Float64Array(parties.length);
  }

  /** Whether a wallet holds an amount and the least fee that paying it costs. */
  affords(party: PartyId, amount: Amount): boolean {
    return unlockedTotalOf(this.#ledger.state, party) >= this.#demand(amount, 1);
  }

  /**
   * Makes a payment as a packed transfer, without a lookup by name, which among a million parties takes longer than the payment. It has
   * the effect of {@link pay}; false: the payment has no packed form, and nothing was done.
   */
  payPacked(from: number, to: number, units: number): boolean {
    if (this.#desk || units <= 0) return false;
    const isPaid = this.#ledger.payPacked(this.#numberOf(from), this.#numberOf(to), units);
    if (isPaid) this.counts.made += 1;
    return isPaid;
  }

  /** Whether a wallet has so few UTXOs that a merge habit leaves it alone. */
  isTidy(number: number, { above = -1 }: MergeHabit): boolean {
    const few = fewOf(this.#ledger.state, this.#numberOf(number));
    return few >= 0 && few <= above;
  }

  /** Casts: every number is a place in both arrays. */
  #numberOf(number: number): number {
    const known = this.#numbers[number] as number;
    if (known >= 0) return known;
    return (this.#numbers[number] = walletOf(this.#ledger.state, this.#parties[number] as PartyId));
  }

  /** Merges until the policy chooses no more coins. */
  tidy(owner: PartyId, habit: MergeHabit): void {
    while (this.mergeOnce(owner, habit));
  }

  /** Merges the coins that the policy chooses. Returns false when it chooses none, or the ledger rejects the merge. */
  mergeOnce(owner: PartyId, { policy }: MergeHabit): boolean {
    const inputs = policy(this.#ledger.state, owner, this.#most);
    return inputs.length > 1 && this.#merge(owner, idsOf(inputs));
  }

  /** A receiver has a preapproval. One that never expires is not looked up again, since nobody takes one back. */
  notePreapproval(
    number: number,
    { preapproval, expiresAt }: { readonly preapproval: ContractId; readonly expiresAt: Instant },
  ): void {
    if (expiresAt === Instant.latest) this.#preapprovals[number] = preapproval;
  }

  /** Makes a payment that was asked for. @returns what is to be answered later; null: nothing */
  pay(sender: Wallet, receiver: Wallet, amount: Amount): Promised | null {
    const sent = this.#send(sender, receiver, amount);
    if (sent === 'refused') return null;
    this.counts[sent === 'short' ? 'short' : 'made'] += 1;
    return sent === 'short' ? null : sent.promised;
  }

  /** Moves all but so much of a wallet, less the fee, to another. @returns what is to be answered later; null: nothing */
  sweep(sender: Wallet, receiver: Wallet, keep: Amount): Promised | null {
    const { state } = this.#ledger;
    const inputs = Math.min(countOf(state, sender.party), this.#most);
    const amount = Amount.sub(unlockedTotalOf(state, sender.party), this.#demand(keep, inputs));
    const sent = amount > 0n ? this.#send(sender, receiver, amount) : 'short';
    if (typeof sent === 'string') return null;
    this.counts.swept += 1;
    return sent.promised;
  }

  /** Pays in one step by the receiver's preapproval, or offers. */
  #send(sender: Wallet, receiver: Wallet, asked: Amount): { readonly promised: Promised | null } | Failure {
    const amount = sender.habits.faults.floatsAmounts ? throughFloat(asked) : asked;
    if (amount !== asked) this.counts.misstated += 1;
    const command = (inputs: readonly ContractId[]): Command => this.#paymentOf(sender, receiver, amount, inputs);
    const entry = this.#spend(sender, amount, (inputs) => this.#ledger.submit(command(inputs), sender.party));
    // Drawn for an offer that failed as well: what later receivers do does not depend on it.
    const answer = receiver.habits.answer();
    if (typeof entry === 'string') return entry;
    this.#desk?.charge(this.#ledger.state, sender.party, updateOf(entry));
    if (!answer || entry.kind !== 'TransferOffered') return NOTHING_PROMISED;
    return {
      promised: { instruction: entry.detail.instruction, at: this.#ledger.now + answer.after, what: answer.what },
    };
  }

  /** Chooses inputs and spends them: of an old list first, where the wallet has one, and then of a fresh one. */
  #spend(sender: Wallet, amount: Amount, submit: (inputs: readonly ContractId[]) => Entry | null): Entry | Failure {
    const { staleRounds } = sender.habits.faults;
    const past = staleRounds === null ? null : (this.#past?.before(staleRounds) ?? null);
    const stale = past && this.#choice(past, sender, amount);
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

  /** Inputs that cover an amount and the fee for so many of them; null when the wallet has less. */
  #choice(state: LedgerState, { party, habits }: Wallet, amount: Amount): readonly ContractId[] | null {
    const unlocked = unlockedTotalOf(state, party);
    if (!this.#desk) return unlocked < amount ? null : habits.inputs(state, party, amount, this.#most);
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
    return this.#desk ? demandOf(this.#desk.fees, amount, inputs) : amount;
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
    // Every number is a place in the array.
    const known = this.#preapprovals[number] as ContractId;
    if (known !== 0) return { type: 'DirectTransfer', sender, receiver, amount, inputs, preapproval: known };
    const preapproval = preapprovalOf(this.#ledger.state, receiver, this.#ledger.now);
    if (!preapproval) return { type: 'DirectTransfer', sender, receiver, amount, inputs };
    const { id, expiresAt } = preapproval;
    this.notePreapproval(number, { preapproval: id, expiresAt });
    return { type: 'DirectTransfer', sender, receiver, amount, inputs, preapproval: id };
  }

  /** False when the ledger refuses it, or when it costs as much as the coins are worth. */
  #merge(owner: PartyId, inputs: readonly ContractId[]): boolean {
    const desk = this.#desk;
    if (!desk) return this.#ledger.submit({ type: 'MergeHoldings', owner, inputs }, owner) !== null;
    if (worthOf(this.#ledger.state, inputs) <= desk.ofMerge(inputs.length)) return false;
    const merged = this.#ledger.submit({ type: 'MergeHoldings', owner, inputs }, owner);
    if (merged) desk.charge(this.#ledger.state, owner, updateOf(merged));
    return merged !== null;
  }
}

/** A payment to oneself. The amount becomes the younger of the two coins, as it does for every other receiver, so the command makes the rest. */
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
