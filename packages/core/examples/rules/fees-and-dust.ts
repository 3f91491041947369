// Fees and dust.
import { Amount, genesisConfig, Round, settingsOf } from '@coinlab/core';
import {
  accruedFee,
  dustRoundOf,
  inputValue,
  isDust,
  judgingRoundOf,
  outputFee,
  steppedFee,
} from '@coinlab/core/rules';
import { createTestLedger } from '@coinlab/testing';

const { transferConfigUsd } = genesisConfig('legacy-fees');
const { transferFeeInitialRate, transferFeeSteps } = transferConfigUsd;
console.log(Amount.short(steppedFee(Amount.of('150'), transferFeeInitialRate, transferFeeSteps)));
const output = { amount: Amount.of('150'), toSelf: false, holders: 0 };
console.log(Amount.short(outputFee(transferConfigUsd, output)));

const world = createTestLedger({ funds: '0.01' });
const [coin] = world.holdingsOf(world.parties.alice);
if (!coin) throw new Error('alice has one coin');
const { dustAtEquality } = settingsOf(world.state).profile;
for (const round of [1, 2, 3, 4].map(Round.of)) {
  console.log(round, Amount.short(accruedFee(coin, round)), isDust(coin, round, dustAtEquality));
}

console.log(dustRoundOf(world.state), dustRoundOf(world.advanceToRound(4).state));
const open = [3, 4, 5].map(Round.of);
console.log(judgingRoundOf(settingsOf(world.state).profile, { open, ofConfigStates: [] }));
for (const chargesHoldingFee of [true, false])
  console.log(Amount.short(inputValue(coin, Round.of(2), { chargesHoldingFee })));

// Prints:
// 1.05
// 1.08
// 1 0.0 false
// 2 0.00380518 false
// 3 0.00761036 false
// 4 0.01 true
// 0 2
// 3
// 0.00619482
// 0.01
