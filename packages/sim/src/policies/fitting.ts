export type Failure = 'short' | 'refused';

/**
 * Chooses the inputs of a payment. While one transaction cannot take them all, merges the first ones into one coin and chooses
 * again.
 * @param choose returns the inputs that cover the payment, or null when the balance is too small
 * @param merge merges coins into one; returns false when the ledger refuses
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
