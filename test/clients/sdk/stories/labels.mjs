import assert from 'node:assert/strict';

/* The history of a wallet, with the labels and sums that the SDK derives from exercised choices. */

/** The labels of transactions in the order of the ledger. */
export function labelsOf({ transactions }) {
  const offsets = transactions.map(({ offset }) => offset);
  assert.deepEqual(
    offsets,
    [...offsets].sort((a, b) => a - b),
  );
  return transactions.flatMap(({ events }) => events.map(({ label }) => label));
}

/** The sum of all changes of unlocked and locked coin, in units of 10^-10. */
export function sumOf({ transactions }) {
  let sum = 0n;
  for (const event of transactions.flatMap(({ events }) => events))
    for (const change of [...event.unlockedHoldingsChangeSummaries, ...event.lockedHoldingsChangeSummaries])
      sum += unitsOf(change.amountChange ?? '0');
  return sum;
}

export function unitsOf(amount) {
  const [whole, fraction = ''] = amount.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(10, '0'));
  return amount.startsWith('-') ? -units : units;
}
