/**
 * The test kit for programs that embed the core. It throws when a check fails and needs no test runner.
 * @module
 */

// Test ledgers, given/when/then, matchers
export { LedgerAssertionError } from './failure.js';
export { given, type Expected, type Given, type Happened, type Part, type Scenario } from './given.js';
export {
  assertAcceptedAs,
  assertBalance,
  assertConservesValue,
  assertEqualLedgerValue,
  assertKeepsLaws,
  assertRefusedWith,
  assertUtxosAtMost,
  ledgerMatchers,
  type LedgerExpectations,
  type MatcherAnswer,
} from './matchers.js';
export { ledgerSerializer, type SnapshotSerializer } from './serializer.js';
export { tryTransfer, type TransferTrial } from './primitive.js';
export type { TransferOutput, TransferRequest } from '@coinlab/core/rules';
export type { Actor, Attempts } from './world/actor.js';
export { createTestLedger, type ContinuedLedgerOptions, type TestLedgerOptions } from './world/create.js';
export { LedgerCoverage, setFileCoverage, type CommandOutcomes, type Covered } from './world/coverage.js';
export type { TestParties } from './world/parties.js';
export type { Unplaced } from './world/put.js';
export { LedgerReport, type RefusalRow, type ReportRow, type SubmittedCommand } from './world/report.js';
export type { LedgerSource } from './world/saved.js';
export { TestLedger } from './world/test-ledger.js';
export { CommandTrace, type TracedCheck } from './world/trace.js';
export type { Offer, OfferOptions, PreapprovalOptions, TransferOptions, Verbs } from './world/verbs.js';
export type { Written, WrittenCommand } from './world/written.js';
export type { LedgerLike, LoggedLedger } from './verdicts.js';

// Checks of a ledger, of automation and of races
export { Auditor, PREDICTED_COMMANDS, type Heard, type Prediction } from './auditor/auditor.js';
export {
  checkConformance,
  replayToken,
  type ConformanceCheck,
  type ConformanceReport,
} from './checks/check-conformance.js';
export type { AutomationPolicies } from './checks/automation-question.js';
export {
  AUTOMATION,
  checkAutomation,
  type AutomationCheck,
  type AutomationCheckReport,
} from './checks/check-automation.js';
export { checkRaces, type RaceCheck, type RaceReport, type SkippedRace } from './checks/check-races.js';
export { LedgerCheckFailure } from './checks/failure.js';
export type { Finding, RunStory, ToldStep } from './checks/finding.js';
export { fuzz, type FuzzOptions, type FuzzReport } from './checks/fuzz.js';
export type { Awaitable, LedgerSession, LedgerSystem, Skipped, SubmitAnswer } from './checks/port.js';
export { RACES, type Race } from './checks/races.js';
export { STARTS, startOf, type StartName } from './checks/starts.js';
export { logOf, tellStory } from './checks/story.js';
export { behindAsyncPort, engineSystem, ledgerSystem } from './checks/systems.js';
export type { CommandCoverage } from './checks/tally.js';
export {
  formatReplayToken,
  GENERATOR,
  KIT_VERSION,
  parseReplayToken,
  replayObstacle,
  type ReplayGiven,
  type ReplayToken,
} from './checks/token.js';

// Laws of plain coins and offers, for ledgers that are not Canton Coin
export {
  checkCoinLedger,
  CoinLedgerFailure,
  describeCoinCommand,
  type CoinLedgerCheck,
  type CoinLedgerReport,
} from './coins/check-coin-ledger.js';
export type {
  Coin,
  CoinAnswer,
  CoinBalance,
  CoinCommand,
  CoinLedger,
  CoinRules,
  CoinSession,
  CoinStep,
  CoinView,
  KnownOffer,
} from './coins/coin-ledger.js';
export type { CoinFeature } from './coins/draw.js';
export { exploreCoinLedger, type CoinExploration, type CoinExplored } from './coins/explore-coin-ledger.js';
export { COIN_LAWS, type CoinLaw } from './coins/laws.js';
export type { CoinRunStep } from './coins/run.js';

// Random commands and networks
export { busyNetwork } from './generator/busy-network.js';
export * as cast from './generator/cast.js';
export { describeSubmission, drawn, drawnOf, RECIPES, resolve, sequences } from './generator/commands.js';
export { Dice } from './generator/dice.js';
export { Draw } from './generator/draw.js';
export { keyHolder, type KeyHolder } from './generator/keys.js';
export { Coverage, play } from './generator/play.js';
export type { Attempt, Drawn, Recipe, RecipesOf } from './generator/recipe.js';

// Arbitraries for fast-check
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

// Search through all states of a small ledger, and state diagrams
export {
  diagramOf,
  diagramMermaid,
  type Edge,
  type Observer,
  type StateDiagram,
  type When,
  type Readings,
} from './exploration/diagram.js';
export { drawLifecycle, LIFECYCLES, type Lifecycle } from './exploration/lifecycles.js';
export { explore, SMALL_WORLD, type SmallWorld } from './exploration/small-world.js';
export { StateKeys } from './exploration/state-key.js';
export { walk, type Counterexample, type Explored, type Walk } from './exploration/walk.js';
