import {
  Amount,
  countOf,
  inputsToMerge,
  Instant,
  type Holding,
  type LedgerState,
  type PartyId,
  type Update,
} from '@coinlab/core';
import { FEE_SINK, feeOf, feeOfPayment, type ByteFees } from '../policies/fees.js';
import type { Scenario } from '../scenario/scenario.js';
import type { Submit } from './network.js';

/** The fee model of a scenario; null: what the rule profile charges, and nothing else. */
export function byteFeesOf({ network: { fees } }: Scenario): ByteFees | null {
  return fees.perByte ? { ...fees.perByte, price: Amount.of(fees.perByte.price) } : null;
}

/** The party that fees by size are paid to, ready to receive. */
export function openFeeSink(submit: Submit): void {
  submit({ type: 'AllocateParty', party: FEE_SINK }, FEE_SINK);
  submit(
    { type: 'CreatePreapproval', receiver: FEE_SINK, provider: FEE_SINK, expiresAt: Instant.latest, inputs: [] },
    FEE_SINK,
  );
}

/** Takes the fee of each payment out of its change and that of each merge out of the merged coin: a transfer of its own. */
export class FeeDesk {
  readonly fees: ByteFees;
  readonly #submit: Submit;
  readonly #most: number;

  constructor(fees: ByteFees, submit: Submit, most: number) {
    this.fees = fees;
    this.#submit = submit;
    this.#most = most;
  }

  /** What a merge of so many coins costs. */
  ofMerge(inputs: number): Amount {
    return feeOf(this.fees, inputs, 1);
  }

  /** Collects the fee of what a wallet has just done. */
  charge(state: LedgerState, payer: PartyId, update: Update): void {
    if (update.kind !== 'TransferCompleted' && update.kind !== 'TransferOffered' && update.kind !== 'HoldingsMerged')
      return;
    const { change, inputs } = update.detail;
    const left = update.created.find((contract): contract is Holding => contract.id === change);
    if (!left) return;
    const fee = update.kind === 'HoldingsMerged' ? this.ofMerge(inputs) : feeOfPayment(this.fees, left.amount, inputs);
    if (fee <= 0n) return;
    const meta = { reason: 'fee by size' };
    this.#submit(
      { type: 'DirectTransfer', sender: payer, receiver: FEE_SINK, amount: fee, inputs: [left.id], meta },
      payer,
    );
    if (countOf(state, FEE_SINK) < this.#most) return;
    // Nobody's wallet: kept small, so that fees cost the ledger nothing.
    const kept = inputsToMerge(state, FEE_SINK, this.#most).map(({ id }) => id);
    this.#submit({ type: 'MergeHoldings', owner: FEE_SINK, inputs: kept }, FEE_SINK);
  }
}
