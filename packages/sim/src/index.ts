/**
 * Simulates payment streams and whole networks on the ledger. Rows become commands; metrics are computed from the resulting
 * updates. The same file, settings and seed give the same bytes.
 * @module
 */
export { LARGEST_SEED, type Draw } from './chance/draws.js';
export { fieldFaults, nearestText, parseData, valueAt, type DataDocument, type FieldFault } from './input/document.js';
export { describeFault, type FileFault } from './input/fault.js';
export { NETWORK_HEADER, parseNetwork, type NetworkFile, type NetworkRow } from './input/network.js';
export { parseInput } from './input/parse.js';
export { DEFAULT_UNIT, parseOpening, parseStream, type PaymentStream } from './input/stream.js';
export { EventLog, logLines, type LogSummary, type SavedLog, type Sink } from './log/event-log.js';
export { Census, PARTIES } from './log/census.js';
export { forkRun, type Fork, type ForkOptions } from './log/fork.js';
export { LogMetrics, type LogFigures, type Measured } from './log/log-metrics.js';
export {
  BrokenLog,
  loggedEntries,
  loggedUpdates,
  type LoggedEntry,
  type LoggedUpdate,
  type LogLine,
  type LogPosition,
} from './log/read-log.js';
export { NETWORK_CAP, TARGET_UTXOS } from './metrics/limits.js';
export {
  POLICIES,
  POLICY_NAMES,
  SELECTION_NAMES,
  selectionNamed,
  SELECTIONS,
  type PolicyName,
  type SelectionName,
} from './policies/named.js';
export type { Demand, Policy } from './policies/policy.js';
export {
  NetworkReplay,
  replayNetwork,
  roundsOf as networkRounds,
  type NetworkRun,
  type RoundRows,
} from './replay/network.js';
export {
  readReplayCheckpoint,
  replayCheckpointLines,
  settingsIdentity,
  type SavedReplay,
} from './replay/checkpoint-file.js';
export type { ReplayOptions, ReplayPoint } from './replay/session.js';
export type { NetworkReport, PartyLine, RunHooks, RunReport } from './replay/report.js';
export { partiesCsv, reportJson } from './replay/report-text.js';
export {
  DEFAULT_SETTINGS,
  MOST_INPUTS,
  type NetworkSettings,
  type StreamSettings,
  type WalletSettings,
} from './replay/settings.js';
export { replayStream, StreamReplay } from './replay/stream.js';
export type { Stream } from './chance/stream.js';
export { Streams } from './chance/streams.js';
export { mergeHabit, type MergeHabit, type MergePolicy } from './policies/merge.js';
export { PolicyFault } from './policies/fault.js';
export { feeOf, feeOfPayment, type ByteFees } from './policies/fees.js';
export {
  checkedPolicies,
  definePolicies,
  type OwnMerging,
  type OwnPolicies,
  type OwnSelection,
  type PolicyFile,
} from './policies/own.js';
export { PolicyRegistry } from './policies/registry.js';
export { WalletView } from './policies/view.js';
export { openFiles, scenarioFileOf, type ScenarioFile, type ScenarioFiles } from './scenario/files.js';
export { parseScenario, scenarioOf } from './scenario/read.js';
export { scenarioJsonSchema, type ScenarioInput } from './scenario/schema.js';
export { withOtherWallets, type WalletChange } from './scenario/other-wallets.js';
export { roundsOf, ROUNDS_PER_DAY, type Group, type Prices, type Scenario } from './scenario/scenario.js';
export { bootstrapped, compressed, folded, negated, scaled, type Operator } from './streams/operators.js';
export { traceOf, type Trace, type TraceRow } from './streams/trace.js';
export { oneOf } from './scenario/values.js';
export { Population } from './world/population.js';
export { RoundPayments, type Payment } from './world/round-payments.js';
export { World, type WorldOptions } from './world/world.js';
export { METRICS, type MetricInfo } from './metrics/catalogue.js';
export { knownMetrics } from './metrics/known-metrics.js';
export { Histogram } from './metrics/histogram.js';
export type { Registry } from './metrics/party-figures.js';
export { ALL, ScenarioMetrics } from './metrics/scenario-metrics.js';
export type { Cell, ColumnKind, Table, TableColumn } from './metrics/table.js';
export { Run, runScenario, type Checkpoint, type RunOptions, type RunResult } from './run/run.js';
export { judge, numberOf, thresholdFaults, type ThresholdResult } from './run/thresholds.js';
export {
  bootstrapInterval,
  intervalOf,
  LEVEL,
  pairedDifference,
  simultaneousLevel,
  tInterval,
  type Interval,
} from './stats/interval.js';
export {
  causeOf,
  completionOf,
  failuresOf,
  LEAST_COMPLETED,
  shareOf,
  TOLERATED_REFUSALS,
  type Completion,
  type Failures,
} from './stats/completion.js';
export { isNarrowEnough, LEAST_REPLICATES, parseWantedWidth, type WantedWidth } from './stats/stop-rule.js';
export { tQuantile, withinT } from './stats/student-t.js';
export { batchedSlope, BATCHES, LEAST_SAMPLES, type BatchedSlope, type Moment } from './stats/batches.js';
export { bootstrapEnds, type BootstrapEnds, type Ends } from './stats/bootstrap.js';
export {
  doubtText,
  momentsOf,
  slopeOf,
  TOLERANCE,
  verdictOf,
  verdictOfRuns,
  type Doubt,
  type Trend,
  type TrendVerdict,
} from './stats/verdict.js';
export { selectBest, type Selection, type SelectionOptions } from './stats/select-best.js';
export { mserCut, steadyStateOf, type SteadyState } from './stats/warmup.js';
export { TEMPERAMENT_HABITS } from './scenario/temperaments.js';
export { ResumableHash } from './hash/resumable.js';
export { sha256, type ByteHash } from './hash/sha256.js';
export { checkpointLines, readCheckpoint, type SavedRun } from './run/checkpoint-file.js';
export {
  canonicalJson,
  CODE,
  differingCode,
  fileHashes,
  scenarioHash,
  VERSION,
  type Code,
  type FileHashes,
} from './run/identity.js';
export {
  differingInputs,
  differingRecords,
  hashesLines,
  lineHash,
  manifestOf,
  obstaclesTo,
  parseManifest,
  recordOf,
  type Inputs,
  type Manifest,
  type RunRecord,
} from './run/manifest.js';
export type { Check, Part, Verdict } from './validate/check.js';
export type { ValidationData } from './validate/data.js';
export type { Policies } from './validate/reference.js';
export { validate, type ValidateOptions } from './validate/validate.js';
export {
  cheapestUnderTen,
  COMPARED,
  compareChoices,
  keepsUnderTen,
  type Choice,
  type Compared,
  type ComparedChoice,
} from './stats/compare.js';
export { generatedRows, parseGenerated, type GeneratedStream } from './streams/generated.js';
export type { Saved } from './saved.js';
