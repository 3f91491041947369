import {
  Amount,
  balanceOf,
  countOf,
  holdingsOf,
  type ContractId,
  type Holding,
  type LedgerState,
  type PartyId,
} from '@coinlab/core';
import { holdingAt, type HoldingOrder } from '@coinlab/core/views';
import type { Stream } from '../chance/stream.js';
import { DEFAULT_UNIT } from '../input/stream.js';
import { demandOf, feeOfPayment, type ByteFees } from '../policies/fees.js';
import type { Policy } from '../policies/policy.js';
import type { Account, ReplayLedger } from '../replay/replay-ledger.js';

/** Ten satoshi per byte; a transaction has 10 bytes, an input 148, an output 34. */
const REFERENCE_FEES: ByteFees = { base: 10, input: 148, output: 34, price: Amount.times(DEFAULT_UNIT, 10) };

/** Cost of spending a UTXO in satoshi, used to value an emptied wallet. */
const COST_OF_INPUT = 1480;

export interface ReferenceChoice {
  readonly policy: Policy;
  readonly topUp: HoldingOrder | 'random';
  readonly leastChange: number;
}

export class ReferenceWallet {
  readonly name: string;
  readonly #ledger: ReplayLedger;
  readonly #party: PartyId;
  readonly #payee: Account;
  readonly #choice: ReferenceChoice;
  readonly #draws: Stream;
  readonly #count: Tally = new Tally();
  readonly #change: Tally = new Tally();
  readonly #inputs: Tally = new Tally();
  #received = 0;
  #fees = 0;

  constructor(
    name: string,
    choice: ReferenceChoice,
    ledger: ReplayLedger,
    { party, payee, draws }: { readonly party: PartyId; readonly payee: Account; readonly draws: Stream },
  ) {
    this.name = name;
    this.#choice = choice;
    this.#ledger = ledger;
    this.#party = party;
    this.#payee = payee;
    this.#draws = draws;
  }

  get #state(): LedgerState {
    return this.#ledger.state;
  }

  get balance(): Amount {
    return balanceOf(this.#state, this.#party).unlocked;
  }

  receive(amount: Amount): void {
    this.#ledger.mint(this.#party, amount);
    this.#created();
  }

  /** The payee receives payment and fee in one transfer, because the ledger has no fees by size. */
  pay(amount: Amount): void {
    const inputs = this.#select(amount);
    const remains = Amount.sub(Amount.sum(inputs.map((coin) => coin.amount)), amount);
    const fee = feeOfPayment(REFERENCE_FEES, remains, inputs.length);
    this.#ledger.pay(this.#party, this.#payee, Amount.add(amount, fee), inputs);
    this.#inputs.add(inputs.length);
    this.#fees += satoshi(fee);
    if (remains > fee) {
      this.#change.add(satoshi(Amount.sub(remains, fee)));
      this.#created();
    }
    this.#count.add(countOf(this.#state, this.#party));
  }

  /** The published simulator samples its count after each new UTXO. */
  #created(): void {
    this.#received += 1;
    this.#count.add(countOf(this.#state, this.#party));
  }

  #select(amount: Amount): readonly Holding[] {
    const { policy, leastChange } = this.#choice;
    const wanted = Amount.add(amount, Amount.times(DEFAULT_UNIT, leastChange));
    const demand = { amount: wanted, most: Infinity, draw: (below: number) => this.#draws.below(below) };
    const taken = [...policy(this.#state, this.#party, demand)];
    let sum = Amount.sum(taken.map((coin) => coin.amount));
    if (sum >= demandOf(REFERENCE_FEES, wanted, taken.length)) return taken;
    for (const coin of this.#others(new Set(taken.map(({ id }) => id)))) {
      taken.push(coin);
      sum = Amount.add(sum, coin.amount);
      if (sum >= demandOf(REFERENCE_FEES, wanted, taken.length)) break;
    }
    return taken;
  }

  *#others(taken: Set<ContractId>): Generator<Holding, void, undefined> {
    const { topUp } = this.#choice;
    if (topUp !== 'random') {
      for (const coin of holdingsOf(this.#state, this.#party, topUp)) if (!taken.has(coin.id)) yield coin;
      return;
    }
    for (const count = countOf(this.#state, this.#party); taken.size < count;) {
      const coin = holdingAt(this.#state, this.#party, this.#draws.below(count));
      if (!coin || taken.has(coin.id)) continue;
      taken.add(coin.id);
      yield coin;
    }
  }

  figures(): ReadonlyMap<string, string> {
    const utxos = countOf(this.#state, this.#party);
    const emptying = utxos * COST_OF_INPUT;
    return new Map<string, string>([
      ['final_value', String(satoshi(this.balance))],
      ['mean_utxos', this.#count.mean.toFixed(4)],
      ['max_utxos', String(this.#count.most)],
      ['final_utxos', String(utxos)],
      ['received_including_change', String(this.#received)],
      ['spent', String(this.#inputs.sum)],
      ['changes_created', String(this.#change.count)],
      ['smallest_change', String(this.#change.least)],
      ['biggest_change', String(this.#change.most)],
      ['mean_change', this.#change.mean.toFixed(1)],
      ['total_fees', String(this.#fees)],
      ['average_fee', (this.#fees / this.#inputs.count).toFixed(2)],
      ['cost_to_empty', String(emptying)],
      ['total_cost', String(this.#fees + emptying)],
      ['min_inputs', String(this.#inputs.least)],
      ['max_inputs', String(this.#inputs.most)],
      ['mean_inputs', this.#inputs.mean.toFixed(6)],
      ['sd_inputs', this.#inputs.deviation.toFixed(6)],
    ]);
  }
}

function satoshi(amount: Amount): number {
  return Number(amount / DEFAULT_UNIT);
}

/** Exact sums of integers: all stay below 2⁵³. */
class Tally {
  count = 0;
  sum = 0;
  least: number = Infinity;
  most: number = -Infinity;
  #squares = 0;

  add(value: number): void {
    this.count += 1;
    this.sum += value;
    this.#squares += value * value;
    this.least = Math.min(this.least, value);
    this.most = Math.max(this.most, value);
  }

  get mean(): number {
    return this.sum / this.count;
  }

  /** Population standard deviation, as in the published simulator. */
  get deviation(): number {
    return Math.sqrt(this.#squares / this.count - this.mean ** 2);
  }
}
