import { Amount, PartyId } from '@coinlab/core';

/** A fee by size: bytes of a transaction's parts, and the price per byte. */
export interface ByteFees {
  readonly base: number;
  readonly input: number;
  readonly output: number;
  /** Coin per byte. */
  readonly price: Amount;
}

/** The party that receives the fees. It belongs to no group and counts only in `fees.paid`. */
export const FEE_SINK: PartyId = PartyId.of('fees');

/** Change worth less than the cost of this many inputs is not created. Rule of the published simulator. */
const DUST_INPUTS = 3;

/** Returns the fee of a transaction with the given numbers of inputs and outputs, by its size in bytes. */
export function feeOf({ base, input, output, price }: ByteFees, inputs: number, outputs: number): Amount {
  return Amount.times(price, base + input * inputs + output * outputs);
}

export function demandOf(fees: ByteFees, amount: Amount, inputs: number): Amount {
  return Amount.add(amount, feeOf(fees, inputs, 2));
}

/**
 * Returns the fee of a payment. `remains` is the sum of the inputs less the amount. With change, the fee covers two outputs;
 * without (the change would cost more than its worth), the fee is the whole remainder.
 */
export function feeOfPayment(fees: ByteFees, remains: Amount, inputs: number): Amount {
  const withChange = feeOf(fees, inputs, 2);
  const least = Amount.times(fees.price, fees.input * DUST_INPUTS);
  return Amount.sub(remains, withChange) > least ? withChange : remains;
}
