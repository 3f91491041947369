import { at } from '@coinlab/core/workflows';
import {
  Amount,
  updateOf,
  type Contract,
  type ContractId,
  type Entry,
  type LedgerState,
  type Update,
} from '@coinlab/core';
import { isPacked, type PackedTransfer } from '@coinlab/core/codec';
import { messageBytes } from '@coinlab/core/rules';
import { messageBytesOf, scanContracts } from '@coinlab/core/views';
import { linearRegression } from 'simple-statistics';
import type { Saved } from '../saved.js';
import { ROUNDS_PER_DAY, type Prices, type Scenario } from '../scenario/scenario.js';
import { UtxoOwners } from './utxo-owners.js';
import { WalletNumbers } from './wallet-numbers.js';
import { Flows } from './flows.js';
import type { GroupFigures } from './group-figures.js';
import { Held } from './held.js';
import type { Histogram } from './histogram.js';
import { PartyFigures, type Registry } from './party-figures.js';
import { sampleOf, SERIES } from './series.js';
import { summaryOf, type TrafficPrices } from './summary.js';
import type { Cell, Table } from './table.js';

export interface MeasuredNetwork {
  readonly maxInputs: number;
  readonly prices: Pick<Prices, 'amuletPrice' | 'holdingFee'>;
  readonly fees: Pick<Scenario['network']['fees'], 'perByte'>;
}

type SavedMetrics = {
  readonly figures: readonly Saved[];
  readonly all: Saved;
  readonly rows: readonly Cell[][];
  readonly totals: readonly [number, number][];
  readonly supply: bigint;
  readonly updates: number;
};

const FEE_KINDS: readonly Update['kind'][] = [
  'TransferCompleted',
  'TransferOffered',
  'TransferAccepted',
  'HoldingsMerged',
  'DelegatedHoldingsMerged',
];

const BYTES_OF_MINT = messageBytes({ inputs: 0, outputs: 1 });

/** The `group` value of rows that cover all groups. */
export const ALL = 'all';

/**
 * Computes the metrics of a run from its log entries alone, without reading the ledger state. Parties outside all groups (the
 * DSO, super validators) are not counted.
 */
export class ScenarioMetrics {
  readonly #registry: Registry;
  readonly #figures: PartyFigures;
  readonly #wallets: WalletNumbers;
  readonly #counts: Int32Array;
  readonly #owners: UtxoOwners = new UtxoOwners();
  readonly #locked: Held;
  readonly #pending: Held;
  readonly #flows: Flows;
  readonly #hasByteFees: boolean;
  readonly #dustBelow: Amount;
  /** Amount in units up to which a coin counts as dust. A double, because comparing a number with a bigint is slow. */
  readonly #dustUnits: number;
  readonly #rows: Cell[][] = [];
  readonly #totals: [day: number, utxos: number][] = [];
  #supply = 0n;
  /** Units of minted coin that `#supply` does not have yet. */
  #recentSupply = 0;
  #updates = 0;

  constructor(registry: Registry, { network }: { readonly network: MeasuredNetwork }) {
    this.#registry = registry;
    this.#figures = new PartyFigures(registry);
    this.#wallets = new WalletNumbers((party) => this.#figures.numberOf(party));
    this.#counts = new Int32Array(registry.parties.length);
    this.#locked = new Held(this.#figures, 'locked');
    this.#pending = new Held(this.#figures, 'pending');
    this.#flows = new Flows(this.#figures, network.maxInputs);
    this.#hasByteFees = network.fees.perByte !== undefined;
    this.#dustBelow = Amount.ofUnits(BigInt(ROUNDS_PER_DAY) * ratePerRound(network.prices));
    this.#dustUnits = Number(this.#dustBelow);
  }

  fold(entry: Entry): void {
    // With fees by size a transfer may be the fee of another one; only a full update shows that.
    if (!isPacked(entry) || this.#hasByteFees) this.#foldUpdate(updateOf(entry));
    else if (entry.kind === 'Minted') this.#foldMint(entry);
    else this.#foldTransfer(entry);
  }

  #foldUpdate(update: Update): void {
    this.#updates += 1;
    const { minted, burned } = update.detail;
    if (minted !== burned) this.#supply += minted - burned;
    this.#recognise(update);
    const part = this.#hasByteFees ? this.#flows.feePart(update) : null;
    if (part === 'paid') this.#countContracts(update);
    if (part !== null) return;
    const bytes = messageBytesOf(update);
    for (const figures of this.#figures.of(this.#actorOf(update))) {
      figures.bytes += bytes;
      if (burned !== 0n) {
        figures.burned += burned;
        if (FEE_KINDS.includes(update.kind)) figures.fees += burned;
      }
      if (minted !== 0n && update.kind !== 'Minted' && update.kind !== 'Tapped') figures.minted += minted;
    }
    this.#countContracts(update);
    this.#flows.count(update, bytes);
  }

  #foldTransfer({ kind, from, to, parties, inputs: spent, paid, change, firstCoin }: PackedTransfer): void {
    this.#updates += 1;
    const { length: inputs } = spent;
    const payer = this.#wallets.numberOf(from, parties);
    if (payer >= 0) for (let i = 0; i < inputs; i++) this.#owners.forget(at(spent, i));
    const payee = paid > 0 ? this.#wallets.numberOf(to, parties) : -1;
    const [coins, left] = [paid > 0 ? 1 : 0, change > 0 ? 1 : 0];
    const bytes = messageBytes({ inputs, outputs: coins + left });
    for (const figures of this.#figures.of(payer)) figures.bytes += bytes;
    this.#count(payer, left - inputs);
    this.#count(payee, coins);
    this.#keep(payee, firstCoin, paid <= this.#dustUnits);
    // The change follows the receiver's coins.
    if (left > 0) this.#keep(payer, (firstCoin + coins) as ContractId, change <= this.#dustUnits);
    if (kind === 'HoldingsMerged') this.#flows.countMerge(payer, inputs, bytes);
    else this.#flows.countPayment(payer, inputs, kind === 'TransferCompleted', left > 0 ? change / paid : null);
  }

  #foldMint({ to, parties, paid, firstCoin }: PackedTransfer): void {
    this.#updates += 1;
    this.#addToSupply(paid);
    const payee = this.#wallets.numberOf(to, parties);
    for (const figures of this.#figures.of(payee)) figures.bytes += BYTES_OF_MINT;
    this.#count(payee, 1);
    this.#keep(payee, firstCoin, paid <= this.#dustUnits);
  }

  /** Adds doubles while their sum is exact: a big integer for each coin would take a tenth of the founding of a network. */
  #addToSupply(units: number): void {
    if (this.#recentSupply + units > Number.MAX_SAFE_INTEGER) this.#settledSupply();
    this.#recentSupply += units;
  }

  #settledSupply(): bigint {
    this.#supply += BigInt(this.#recentSupply);
    this.#recentSupply = 0;
    return this.#supply;
  }

  sample(round: number): void {
    this.#registry.groups.forEach(({ group, count }, i) =>
      this.#rows.push(sampleOf(at(this.#figures.groups, i), round, group.name, count)),
    );
    this.#rows.push(sampleOf(this.#figures.all, round, ALL, this.#registry.parties.length));
    this.#totals.push([round / ROUNDS_PER_DAY, this.#figures.all.now.sum]);
  }

  /** Ends a row: a requested payment or receipt, with the updates that the wallets made because of it. */
  endRow(): void {
    for (const [, figures] of this.#figures.named) figures.endRow();
  }

  reset(): void {
    for (const [, figures] of this.#figures.named) figures.reset();
    this.#updates = 0;
  }

  /** Returns everything that cannot be derived from the ledger state, for checkpoints. */
  save(): Saved {
    return {
      figures: this.#figures.groups.map((figures) => figures.save()),
      all: this.#figures.all.save(),
      rows: this.#rows,
      totals: this.#totals,
      supply: this.#settledSupply(),
      updates: this.#updates,
    };
  }

  /** Continues from saved metrics and the ledger state of the same moment. */
  restore(saved: Saved, state: LedgerState): void {
    // The checkpoint's hash proves that `save` wrote this value.
    const { figures, all, rows, totals, supply, updates } = saved as SavedMetrics;
    for (const contract of scanContracts(state)) this.#countCreated(contract);
    this.#figures.groups.forEach((own, i) => own.restore(at(figures, i)));
    this.#figures.all.restore(all);
    this.#rows.push(...rows);
    this.#totals.push(...totals);
    this.#supply = supply;
    this.#updates = updates;
  }

  /** One row per sample and group, and one for all groups. */
  get series(): Table {
    return { columns: SERIES, rows: this.#rows };
  }

  get all(): Readonly<GroupFigures> {
    return this.#figures.all;
  }

  /** Current number of UTXOs of each party, by party number. */
  get counts(): Int32Array {
    return this.#counts;
  }

  /** Returns two histograms for all parties and two per group, by name: UTXOs per party (all samples), and inputs per transfer. */
  histograms(): ReadonlyMap<string, Histogram> {
    const found = new Map<string, Histogram>();
    for (const [prefix, { pooled, inputs }] of this.#figures.named) {
      found.set(`${prefix}utxosPerParty`, pooled);
      found.set(`${prefix}inputsPerTransfer`, inputs);
    }
    return found;
  }

  /** Returns every metric that a log determines, by name; amounts are exact. */
  summary(prices: TrafficPrices): Map<string, number | Amount> {
    const summary = new Map<string, number | Amount>();
    for (const [prefix, figures] of this.#figures.named)
      for (const [name, value] of summaryOf(figures, prices)) summary.set(`${prefix}${name}`, value);
    summary.set('utxos.growth', this.#totals.length < 2 ? 0 : linearRegression(this.#totals).m);
    summary.set('supply', Amount.ofUnits(this.#settledSupply()));
    summary.set('updates', this.#updates);
    return summary;
  }

  /** Returns the mean number of UTXOs after a row, by metric name. A log has no rows, so {@link summary} lacks these. */
  meanUtxos(): Iterable<readonly [metric: string, mean: number]> {
    return this.#figures.named.map(([prefix, { meanUtxos }]) => [`${prefix}utxos.mean`, meanUtxos] as const);
  }

  /** Loops by index, because V8 iterates frozen arrays slowly. */
  #countContracts({ archived, created }: Update): void {
    for (let i = 0; i < archived.length; i++) {
      const id = at(archived, i);
      this.#count(this.#owners.take(id), -1);
      this.#locked.remove(id);
      this.#pending.remove(id);
    }
    for (let i = 0; i < created.length; i++) this.#countCreated(at(created, i));
  }

  #countCreated(contract: Contract): void {
    if (contract.template === 'TransferInstruction') this.#pending.add(contract.id, contract.transfer.sender);
    if (contract.template !== 'Holding') return;
    const owner = this.#figures.numberOf(contract.owner);
    if (owner < 0) return;
    this.#count(owner, 1);
    this.#keep(owner, contract.id, contract.amount <= this.#dustBelow);
    if (contract.lock) this.#locked.add(contract.id, contract.owner);
  }

  #keep(owner: number, coin: ContractId, isDust: boolean): void {
    if (owner < 0) return;
    this.#owners.set(coin, owner);
    if (isDust) for (const figures of this.#figures.of(owner)) figures.dustCreated += 1;
  }

  #actorOf({ actAs }: Update): number {
    for (let i = 0; i < actAs.length; i++) {
      const number = this.#figures.numberOf(at(actAs, i));
      if (number >= 0) return number;
    }
    return -1;
  }

  #count(number: number, by: number): void {
    if (number < 0 || by === 0) return;
    // Every party number has a count.
    const before = this.#counts[number] as number;
    this.#counts[number] = before + by;
    for (const figures of this.#figures.of(number)) {
      figures.now.move(before, before + by);
      if (figures.now.sum > figures.most) figures.most = figures.now.sum;
    }
  }

  /** A single actor is nearly always the owner of the first input, whose number is known without a lookup by name. */
  #recognise({ actAs, archived }: Update): void {
    const number = archived.length > 0 ? this.#owners.get(at(archived, 0)) : -1;
    const actor = actAs[0];
    if (actor !== undefined) this.#figures.expect(actor, number);
  }
}

function ratePerRound({ holdingFee, amuletPrice }: MeasuredNetwork['prices']): Amount {
  return Amount.div(Amount.of(holdingFee), Amount.of(amuletPrice));
}
