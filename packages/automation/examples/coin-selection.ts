// Coin selection.
import { Amount } from '@coinlab/core';
import { coinsToPay, inputsToBurn, leadingCoins, treasuryOf } from '@coinlab/automation';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice } = world.parties;
world.mint(alice, '5');
const { state, now } = world;

const { inputs, coins, coinTotal, rewardTotal } = treasuryOf(state, alice, now);
console.log(inputs.length, coins, Amount.short(coinTotal), Amount.short(rewardTotal));
console.log(leadingCoins(10, 100), leadingCoins(200, 100));
console.log(coinsToPay(state, alice, now).map(({ amount }) => Amount.short(amount)));
console.log(
  inputsToBurn(state, alice, Amount.of('9000'), now)?.length,
  inputsToBurn(state, alice, Amount.of('20000'), now),
);

// Prints:
// 2 2 10005.0 0.0
// 10 20
// [ '10000.0', '5.0' ]
// 2 null
