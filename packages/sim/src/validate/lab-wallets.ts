import { Amount } from '@coinlab/core';
import { exactly, type Check } from './check.js';
import { bytesOf, ofKind, played, scenarioOf, subject, updatesOf } from './lab-scenario.js';

export function* walletChecks(): Generator<Check> {
  yield* topUps();
  yield* sweeps();
  yield* fees();
}

const TOP_UP_ROUNDS = 12;
const PURCHASE = 1_200_000;

/**
 * A validator with one payer, who makes 50 payments of one input and two outputs per round. The validator buys whenever it has
 * less extra traffic than one purchase. The free bytes are 400,000 at first and grow by 200,000 per round.
 */
function* topUps(): Generator<Check> {
  const of = subject('traffic: purchases of a validator in twelve rounds, by hand');
  const updates = played(
    scenarioOf(`
name: top-ups
duration: { rounds: ${TOP_UP_ROUNDS} }
network: { amuletPrice: '0.15', trafficPrice: '60', rewards: false, expiresDust: false }
parties:
  - { name: payer, count: 1, validator: node, opening: { coins: 1, amount: { constant: '100' } }, wallet: { merge: { never: true } }, payments: { arrivals: { every: { rounds: 1, count: 50 } }, amount: { constant: '0.01' }, to: { groups: [payee] } } }
  - { name: payee, count: 1, payments: null, opening: { coins: 0, amount: { constant: '1' } }, wallet: { merge: { never: true } } }
  - { name: node, temperament: validator, count: 1, opening: { coins: 1, amount: { constant: '100000' } }, automation: { topUp: { bytesPerSecond: 2000, every: 10m } }, wallet: { merge: { never: true } } }
`),
  );
  const bought = ofKind(updates, 'TrafficToppedUp');
  const consumed = ofKind(updates, 'TrafficConsumed');
  const expected = countedPurchases();
  const different = (amounts: readonly (number | string)[]): string => [...new Set(amounts)].join(', ');
  yield exactly(of, 'purchases', expected.purchases, bought.length);
  yield exactly(
    of,
    'bytes of each, 2,000 · 600 s',
    PURCHASE,
    different(bought.map(({ detail }) => detail.trafficBytes)),
  );
  yield exactly(
    of,
    'coin burned by each, 1.2 · 60 USD / 0.15 USD',
    '480.0',
    different(bought.map(({ detail }) => Amount.short(detail.burned))),
  );
  yield exactly(
    of,
    'bytes consumed',
    expected.consumed,
    consumed.reduce((sum, { detail }) => sum + detail.costBytes, 0),
  );
  yield exactly(
    of,
    'extra bytes left before the last purchase',
    expected.left,
    consumed.at(-1)?.detail.extraBytes ?? -1,
  );
}

function countedPurchases(): { readonly purchases: number; readonly consumed: number; readonly left: number } {
  let [purchases, consumed, extra, left] = [0, 0, 0, 0];
  let own = 0;
  for (let round = 0; round < TOP_UP_ROUNDS; round++) {
    if (round > 0) {
      const sent = 50 * bytesOf(1, 2) + own;
      consumed += sent;
      extra -= sent - (round === 1 ? 400_000 : 200_000);
      left = extra;
    }
    own = 0;
    if (extra >= PURCHASE) continue;
    purchases += 1;
    extra += PURCHASE;
    // Spends a coin and the loop's state, later also the balance; creates both, the change, the coupon and the receipt.
    own = round === 0 ? bytesOf(0, 1) + bytesOf(2, 5) : bytesOf(3, 5);
  }
  return { purchases, consumed, left };
}

/** A wallet receives 10 USD per round. It is swept above 50 USD down to 20 USD: at 60 USD, after six receipts and then every four. */
function* sweeps(): Generator<Check> {
  const of = subject('sweeps: above 50 USD down to 20 USD, closed form');
  const sweeps = updatesOf(
    scenarioOf(`
name: sweeps
duration: { rounds: 30 }
network: { amuletPrice: '0.5', rewards: false, expiresDust: false }
parties:
  - { name: shop, count: 1, payments: null, opening: { coins: 0, amount: { constant: '1' } }, income: { every: 1, amount: { constant: '20' } }, wallet: { merge: { never: true } }, automation: { sweep: { to: bank, maxBalanceUsd: '50', minBalanceUsd: '20' } } }
  - { name: bank, count: 1, payments: null, opening: { coins: 0, amount: { constant: '1' } }, wallet: { merge: { never: true } } }
`),
    'TransferCompleted',
  );
  // Receipts of a round follow the automation, so the last of thirty is not swept any more.
  yield exactly(of, 'sweeps of 29 receipts, 1 + ⌊(29 − 6) / 4⌋', 6, sweeps.length);
  yield exactly(
    of,
    'coin of each, 40 USD / 0.5 USD',
    '80.0',
    [...new Set(sweeps.map(({ detail }) => Amount.short(detail.amount)))].join(', '),
  );
  yield exactly(
    of,
    'inputs, six and then five',
    '6, 5, 5, 5, 5, 5',
    sweeps.map(({ detail }) => detail.inputs).join(', '),
  );
}

/** Payments of one coin under the stepped fee: 1 % to 100 coin, then 0.1 %, from 1,000 coin 0.01 %, and from 1,000,900 coin 0.001 %. */
function* fees(): Generator<Check> {
  const of = subject('fees: legacy-fees at 1 USD, stepped fee by hand');
  for (const [amount, fee, told] of [
    ['50', '0.5', '1 % of 50'],
    ['500', '1.4', '1 + 0.1 % of 400'],
    ['5000', '2.3', '1 + 0.9 + 0.01 % of 4,000'],
    ['2000000', '111.791', '101.791 + 0.001 % of 1,000,000'],
  ] as const) {
    const [payment] = updatesOf(
      scenarioOf(`
name: fees
duration: { rounds: 1 }
network: { profile: legacy-fees, amuletPrice: '1', rewards: false, expiresDust: false }
parties:
  - { name: payer, count: 1, opening: { coins: 1, amount: { constant: '3000000' } }, wallet: { merge: { never: true } }, payments: { arrivals: { every: { rounds: 1 } }, amount: { constant: '${amount}' }, to: { groups: [payee] } } }
  - { name: payee, count: 1, payments: null, opening: { coins: 0, amount: { constant: '1' } }, wallet: { merge: { never: true } } }
`),
      'TransferCompleted',
    );
    // Two coins are created for 0.03 each, and the input is one round old.
    const expected = Amount.sum([Amount.of(fee), Amount.of('0.06'), Amount.of('0.0000190259')]);
    yield exactly(
      of,
      `coin burned by ${amount}: ${told}, and 0.0600190259`,
      Amount.short(expected),
      payment ? Amount.short(payment.detail.burned) : 'none',
    );
  }
}
