/** Why no inputs were found: the wallet has too little, or the ledger refused a merge. */
export type Failure = 'short' | 'refused';

/**
 * Chooses the inputs of a payment. While one transaction cannot take them all, the first ones become one coin and the choice starts
 * again.
 * @param choose the inputs that cover the payment; null: the wallet has too little
 * @param merge makes one coin of some; false: the ledger refused
 */
export function fittingInputs<Coin>(
  most: number,
  choose: () => readonly Coin[] | null,
  merge: (first: readonly Coin[]) => boolean,
): readonly Coin[] | Failure {
  for (;;) {
    const inputs = choose();
    if (!inputs) return 'short';
    if (inputs.length <= most) return inputs;
    if (!merge(inputs.slice(0, most))) return 'refused';
  }
}
