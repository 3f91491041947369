// Coins of a wallet.
import { Amount, GENESIS_TIME } from '@coinlab/core';
import {
  holdingAt,
  holdingOfExactly,
  holdingsBelow,
  isOpen,
  lockedHoldingsOf,
  lockedTotalOf,
  scanUtxoCounts,
  scanUtxoDistribution,
  unlockedTotalOf,
  utxoChanges,
  walletBalanceOf,
} from '@coinlab/core/views';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob } = world.parties;
const before = world.state;
const paid = world.as(alice).pay(bob, '2.5');
world.as(bob).offer(alice, '10', { expiresIn: '1h' });
const { state } = world;

console.log(isOpen(state), utxoChanges(before, paid).get(bob));
console.log(Amount.short(unlockedTotalOf(state, bob)), Amount.short(lockedTotalOf(state, bob)));
console.log([...lockedHoldingsOf(state, bob)].length, [...holdingsBelow(state, bob, Amount.of('5'))].length);
console.log(
  Amount.short(holdingAt(state, bob, 0)?.amount ?? Amount.zero),
  holdingOfExactly(state, bob, Amount.of('7')),
);
console.log(scanUtxoCounts(state).get(bob), scanUtxoDistribution(state).total);
console.log(Object.keys(walletBalanceOf(state, bob, GENESIS_TIME) ?? {}));

// Prints:
// true 1
// 9992.5 10.0
// 1 1
// 2.5 null
// 3 12
// [ 'round', 'unlocked', 'locked', 'holdingFees' ]
