/**
 * The test kit: for the tests of those who embed the core, in any test runner.
 * @module
 */
export {
  diagramOf,
  diagramText,
  explore,
  type Counterexample,
  type Exploration,
  type Explored,
  type StateDiagram,
} from './explore.js';
export { tryTransfer, type TransferTrial } from './primitive.js';
export type { TransferOutput, TransferRequest } from '../rules/transfer.js';

export { amountArb, amountFromArb, timeAroundArb, type AmountRange } from './arbitraries/amounts.js';
export { partyArb, submissionArb } from './arbitraries/commands.js';
export { ledgerArb, type Count, type LedgerShape, type ShapedLedger } from './arbitraries/ledgers.js';
export {
  foundNetwork,
  networkScenarioArb,
  playScenario,
  WALLET_COMMANDS,
  type NetworkScenario,
  type NetworkScenarioShape,
} from './arbitraries/scenarios.js';
export { busyNetwork } from './generator/busy-network.js';
export * as cast from './generator/cast.js';
export { describeSubmission, drawn, drawnOf, RECIPES, resolve, sequences, type Drawn } from './generator/commands.js';
export { Dice } from './generator/dice.js';
export { Draw } from './generator/draw.js';
export { keyHolder, type KeyHolder } from './generator/keys.js';
export { Coverage, play } from './generator/play.js';
export type { Attempt, CommandOf, Recipe, RecipesOf } from './generator/recipe.js';

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
export type { Unplaced } from './put.js';
export { createTestLedger, TEST_PARTIES, TestLedger, type TestLedgerOptions } from './test-ledger.js';
export type { LedgerLike, Submitted } from './verdicts.js';
