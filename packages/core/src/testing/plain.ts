/**
 * The part of the test kit that needs nothing else, no test runner and no fast-check: a ledger in fifteen lines, given/when/then,
 * matchers and assertions.
 * @module
 */
export { LedgerAssertionError } from './failure.js';
export { given, type Expected, type Given, type Happened, type Part, type Scenario } from './given.js';
export {
  assertAcceptedAs,
  assertBalance,
  assertConservesValue,
  assertKeepsLaws,
  assertRefusedWith,
  assertUtxosAtMost,
  ledgerMatchers,
  type LedgerExpectations,
  type MatcherAnswer,
} from './matchers.js';
export { tryTransfer, type TransferTrial } from './primitive.js';
export type { TransferOutput, TransferRequest } from '../rules/transfer.js';
export type { Unplaced } from './put.js';
export { createTestLedger, TEST_PARTIES, TestLedger, type TestLedgerOptions } from './test-ledger.js';
export type { LedgerLike, Submitted } from './verdicts.js';
