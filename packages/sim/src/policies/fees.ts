import { Amount, PartyId } from '@coinlab/core';

/** A fee by size: what the bytes of a transaction cost. */
export interface ByteFees {
  readonly base: number;
  readonly input: number;
  readonly output: number;
  /** Coin per byte. */
  readonly price: Amount;
}

/** Who is paid fees by size: nobody's wallet, and in no figure but `fees.paid`. */
export const FEE_SINK: PartyId = PartyId.of('fees');

/** Change below what so many inputs cost beside its own output is not made: the published simulator's rule. */
const DUST_INPUTS = 3;

/** What a transaction of so many inputs and outputs costs. */
export function feeOf({ base, input, output, price }: ByteFees, inputs: number, outputs: number): Amount {
  return Amount.times(price, base + input * inputs + output * outputs);
}

/** What a selection must cover: the amount, and the fee of a payment with change. */
export function demandOf(fees: ByteFees, amount: Amount, inputs: number): Amount {
  return Amount.add(amount, feeOf(fees, inputs, 2));
}

/**
 * What a payment's fee is when so much remains after the amount: with change that of two outputs; all that remains when the change
 * would cost more than it is worth.
 */
export function feeOfPayment(fees: ByteFees, remains: Amount, inputs: number): Amount {
  const withChange = feeOf(fees, inputs, 2);
  const least = Amount.times(fees.price, fees.input * DUST_INPUTS);
  return Amount.sub(remains, withChange) > least ? withChange : remains;
}
