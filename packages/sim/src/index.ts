/**
 * Payment streams and whole networks driven through the ledger: every row becomes commands, every figure is folded from the
 * updates they cause, and the same file, settings and seed give the same bytes.
 * @module
 */
export { drawsFor, LARGEST_SEED, type Concern, type Draw } from './chance.js';
export { describeFault, type FileFault } from './input/fault.js';
export { NETWORK_HEADER, parseNetwork, type NetworkFile, type NetworkRow } from './input/network.js';
export { readInput, readOpening } from './input/read.js';
export { DEFAULT_UNIT, parseOpening, parseStream, type PaymentStream } from './input/stream.js';
export { EventLog, logLines, type LogSummary, type Sink } from './log/event-log.js';
export { PendingFile } from './log/pending-file.js';
export { NETWORK_CAP, TARGET_UTXOS, UtxoMetrics, type UtxoFigures } from './metrics/utxo-metrics.js';
export { POLICIES, POLICY_NAMES, type PolicyName } from './policies/named.js';
export type { Demand, Policy } from './policies/policy.js';
export { replayNetwork, type NetworkRun } from './replay/network.js';
export type { NetworkReport, PartyLine, RunHooks, RunReport } from './replay/report.js';
export { partiesCsv, reportJson } from './replay/report-text.js';
export {
  DEFAULT_SETTINGS,
  MOST_INPUTS,
  type NetworkSettings,
  type StreamSettings,
  type WalletSettings,
} from './replay/settings.js';
export { replayStream } from './replay/stream.js';
export { SAMPLE_NETWORK } from './sample.js';
export { Streams, type Stream } from './chance/streams.js';
export { mergeHabit, type MergeHabit, type MergePolicy } from './policies/merge.js';
export { PolicyShelf, type OwnPolicies } from './policies/shelf.js';
export { PRESET_NAMES, PRESETS, type Preset, type PresetName } from './scenario/presets.js';
export { parseScenario, readScenario } from './scenario/read.js';
export { scenarioJsonSchema, type ScenarioInput } from './scenario/schema.js';
export { roundsOf, ROUNDS_PER_DAY, type Group, type Prices, type Scenario } from './scenario/scenario.js';
export { World, type WorldOptions } from './world/world.js';
export { METRICS, type MetricInfo } from './metrics/lab/catalogue.js';
export { Histogram } from './metrics/lab/histogram.js';
export { ALL, ScenarioMetrics, type Registry } from './metrics/lab/scenario-metrics.js';
export type { Cell, ColumnKind, Table, TableColumn } from './metrics/lab/table.js';
export { runScenario, type RunOptions, type RunResult } from './run/run.js';
export { judge, numberOf, type ThresholdResult } from './run/thresholds.js';
export { bootstrapInterval, intervalOf, LEVEL, pairedDifference, tInterval, type Interval } from './stats/interval.js';
export { isNarrowEnough, LEAST_REPLICATES, parseWantedWidth, type WantedWidth } from './stats/stop-rule.js';
export { tQuantile, withinT } from './stats/student-t.js';
export {
  momentsOf,
  slopeOf,
  TOLERANCE,
  verdictOf,
  verdictOfRuns,
  type Moment,
  type Trend,
  type Verdict,
} from './stats/verdict.js';
