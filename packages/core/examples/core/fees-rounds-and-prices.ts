// Fees, rounds and prices.
import { Amount, Duration, GENESIS_TIME, Instant, rulesOf } from '@coinlab/core';
import {
  closableRounds,
  earliestAdvance,
  GENESIS_PRICE,
  medianOf,
  newestUsableRound,
  preapprovalFee,
  preapprovalOf,
  summarizingRounds,
} from '@coinlab/core/rules';
import { createTestLedger } from '@coinlab/testing';

const { state, parties } = createTestLedger();
console.log(Amount.short(preapprovalFee(Duration.hours(48), Amount.of('1'), GENESIS_PRICE)));
console.log(
  newestUsableRound(state, GENESIS_TIME)?.round,
  closableRounds(state, GENESIS_TIME).length,
  summarizingRounds(state).length,
);
console.log(preapprovalOf(state, parties.bob, GENESIS_TIME)?.receiver === parties.bob, rulesOf(state) !== null);
console.log(Amount.short(medianOf([Amount.of('1'), Amount.of('3')]) ?? Amount.zero));
console.log(typeof earliestAdvance(state), Instant.format(GENESIS_TIME));

// Prints:
// 400.0
// 1 0 0
// true true
// 2.0
// bigint 2026-01-01T00:00:00.000000Z
