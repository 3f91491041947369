import type { Amount, Contract, ContractId, PartyId, Update } from '@coinlab/core';
import { happeningsOf } from '@coinlab/core/codec';
import { FEE_SINK } from '../policies/fees.js';
import { isUncounted } from './kinds.js';
import type { PartyFigures } from './party-figures.js';

export class Flows {
  readonly #figures: PartyFigures;
  readonly #maxInputs: number;
  /** A fee by size that follows the payment is paid from this change. */
  #change: { readonly of: PartyId; readonly amount: Amount; readonly change: Amount } | null = null;

  constructor(figures: PartyFigures, maxInputs: number) {
    this.#figures = figures;
    this.#maxInputs = maxInputs;
  }

  /** @param bytes estimated message bytes of the update */
  count(update: Update, bytes: number): void {
    if (isUncounted(update)) return;
    switch (update.kind) {
      case 'SelfTransferred':
      case 'TransferCompleted':
      case 'TransferOffered': {
        const { sender, inputs, change, amount } = update.detail;
        const changed = changeAmong(update.created, change);
        const ratio = changed === null ? null : Number(changed) / Number(amount);
        this.countPayment(this.#figures.numberOf(sender), inputs, update.kind === 'TransferCompleted', ratio);
        if (changed !== null) this.#change = { of: sender, amount, change: changed };
        return;
      }
      case 'TransferAccepted':
        for (const figures of this.#figures.of(this.#figures.numberOf(update.detail.sender))) figures.transfers += 1;
        return;
      case 'HoldingsMerged':
        return this.countMerge(this.#figures.numberOf(update.detail.sender), update.detail.inputs, bytes);
      case 'DelegatedHoldingsMerged':
        for (const { owner, inputs } of update.detail.calls)
          if (inputs > 0) this.countMerge(this.#figures.numberOf(owner), inputs, 0);
        this.#figures.all.mergeBytes += bytes;
        return;
      case 'DustExpired':
        for (const { owner, amount } of update.detail.expired)
          for (const figures of this.#figures.of(this.#figures.numberOf(owner))) {
            figures.dustExpired += 1;
            figures.dustExpiredValue += amount;
          }
        return;
      case 'BatchExecuted':
        for (const happened of happeningsOf(update)) this.count(happened, bytes);
        return;
      default:
        return update satisfies never;
    }
  }

  /**
   * In the log a fee by size is its own transfer; in metrics it belongs to the payment whose change pays it.
   * @returns `paid` for the transfer of a fee, `passed on` for an update of the party that receives the fees, null for other
   * updates
   */
  feePart(update: Update): 'paid' | 'passed on' | null {
    const change = this.#change;
    this.#change = null;
    if (update.actAs.includes(FEE_SINK)) return 'passed on';
    if (update.kind !== 'TransferCompleted' || update.detail.receiver !== FEE_SINK) return null;
    const { sender, amount: fee } = update.detail;
    for (const figures of this.#figures.of(this.#figures.numberOf(sender))) {
      figures.fees += fee;
      if (change?.of !== sender) continue;
      figures.changeRatios -= Number(fee) / Number(change.amount);
      if (fee === change.change) figures.changes -= 1;
    }
    return 'paid';
  }

  /** @param ratio change divided by the paid amount; null without change */
  countPayment(payer: number, inputs: number, isCompleted: boolean, ratio: number | null): void {
    for (const figures of this.#figures.of(payer)) {
      figures.inputs.add(inputs);
      if (isCompleted) figures.transfers += 1;
      if (inputs >= this.#maxInputs) figures.capHits += 1;
      if (ratio === null) continue;
      figures.changes += 1;
      figures.changeRatios += ratio;
    }
  }

  countMerge(owner: number, inputs: number, bytes: number): void {
    for (const figures of this.#figures.of(owner)) {
      figures.merges += 1;
      figures.mergeInputs += inputs;
      figures.mergeBytes += bytes;
    }
  }
}

function changeAmong(created: readonly Contract[], change: ContractId | null): Amount | null {
  if (change === null) return null;
  for (const contract of created)
    if (contract.id === change) return contract.template === 'Holding' ? contract.amount : null;
  return null;
}
