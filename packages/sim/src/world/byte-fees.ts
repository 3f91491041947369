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

export function byteFeesOf({ network: { fees } }: Scenario): ByteFees | null {
  return fees.perByte ? { ...fees.perByte, price: Amount.of(fees.perByte.price) } : null;
}

export function openFeeSink(submit: Submit): void {
  submit({ type: 'AllocateParty', party: FEE_SINK }, FEE_SINK);
  submit(
    { type: 'CreatePreapproval', receiver: FEE_SINK, provider: FEE_SINK, expiresAt: Instant.latest, inputs: [] },
    FEE_SINK,
  );
}

export class ByteFeeCollector {
  readonly fees: ByteFees;
  readonly #submit: Submit;
  readonly #most: number;

  constructor(fees: ByteFees, submit: Submit, most: number) {
    this.fees = fees;
    this.#submit = submit;
    this.#most = most;
  }

  ofMerge(inputs: number): Amount {
    return feeOf(this.fees, inputs, 1);
  }

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
    // Keeps the fee wallet small, so that fees add little to the ledger's state.
    const kept = inputsToMerge(state, FEE_SINK, this.#most).map(({ id }) => id);
    this.#submit({ type: 'MergeHoldings', owner: FEE_SINK, inputs: kept }, FEE_SINK);
  }
}
