import type { Contract, ContractId, PartyId, Update } from '@coinlab/core';
import { UtxoOwners } from './utxo-owners.js';

/** UTXOs that a party should not exceed: the network's own advice, and what growth is judged against. */
export const TARGET_UTXOS: number = 10;

/** Inputs that the network takes in one transaction. */
export const NETWORK_CAP: number = 100;

/** What has been counted so far. */
export interface UtxoFigures {
  readonly mints: number;
  readonly payments: number;
  readonly changeCreated: number;
  /** Inputs of payments; those of merges are counted apart. */
  readonly inputsSpent: number;
  readonly maxInputs: number;
  readonly paymentsOver100Inputs: number;
  readonly merges: number;
  readonly mergeInputs: number;
  /** Coins that expired as dust. */
  readonly expired: number;
}

/**
 * UTXO counts of the parties that are watched, and what payments and merges did to them: folded from the updates as they happen,
 * without a look at the state.
 */
export class UtxoMetrics {
  readonly #numbers: ReadonlyMap<PartyId, number>;
  readonly #counts: number[];
  readonly #owners: UtxoOwners = new UtxoOwners();
  readonly #figures: { -readonly [Field in keyof UtxoFigures]: number } = {
    mints: 0,
    payments: 0,
    changeCreated: 0,
    inputsSpent: 0,
    maxInputs: 0,
    paymentsOver100Inputs: 0,
    merges: 0,
    mergeInputs: 0,
    expired: 0,
  };
  #total = 0;
  #max = 0;
  #aboveTarget = 0;

  /** Watches these parties; the coins of others do not count. */
  constructor(parties: readonly PartyId[]) {
    this.#numbers = new Map(parties.map((party, number) => [party, number]));
    this.#counts = parties.map(() => 0);
  }

  /** UTXOs of all watched parties. */
  get total(): number {
    return this.#total;
  }

  /** The largest total at any moment. An update archives before it creates, so its end is its peak. */
  get max(): number {
    return this.#max;
  }

  /** Watched parties with more UTXOs than the target. */
  get aboveTarget(): number {
    return this.#aboveTarget;
  }

  get figures(): UtxoFigures {
    return this.#figures;
  }

  /** UTXOs of each watched party, in the order in which they were given. */
  get counts(): readonly number[] {
    return this.#counts;
  }

  /** Takes the next update of the log. */
  fold(update: Update): void {
    this.#countUtxos(update.archived, update.created);
    const figures = this.#figures;
    switch (update.kind) {
      case 'Minted':
        figures.mints += 1;
        break;
      // A row that pays oneself is a self transfer; merges are updates of their own kind.
      case 'TransferCompleted':
      case 'SelfTransferred': {
        const { inputs, change } = update.detail;
        figures.payments += 1;
        figures.inputsSpent += inputs;
        if (inputs > figures.maxInputs) figures.maxInputs = inputs;
        if (inputs > NETWORK_CAP) figures.paymentsOver100Inputs += 1;
        if (change !== null) figures.changeCreated += 1;
        break;
      }
      case 'HoldingsMerged':
        figures.merges += 1;
        figures.mergeInputs += update.detail.inputs;
        break;
      case 'DustExpired':
        figures.expired += update.detail.expired.length;
        break;
      default:
    }
  }

  #countUtxos(archived: readonly ContractId[], created: readonly Contract[]): void {
    for (const id of archived) this.#change(this.#owners.get(id), -1);
    for (const contract of created) {
      if (contract.template !== 'Holding') continue;
      const owner = this.#numbers.get(contract.owner) ?? -1;
      if (owner < 0) continue;
      this.#owners.set(contract.id, owner);
      this.#change(owner, 1);
    }
    if (this.#total > this.#max) this.#max = this.#total;
  }

  #change(owner: number, by: 1 | -1): void {
    if (owner < 0) return;
    const before = this.#counts[owner] ?? 0;
    const after = before + by;
    this.#counts[owner] = after;
    this.#total += by;
    this.#aboveTarget += Number(after > TARGET_UTXOS) - Number(before > TARGET_UTXOS);
  }
}
