/**
 * Analysis of many runs: tables in common formats, reports with plots, sweeps, searches.
 * @module
 */
export { parseMap, PAYMENT_FIELDS, type ColumnChoice, type ColumnMap, type ImportField } from './import/columns.js';
export { FUNDINGS, type Funding, type Shortfall } from './import/funding.js';
export { importPayments, type Imported, type ImportOptions, type ImportSummary } from './import/import-payments.js';
export {
  importUpdates,
  type ImportedUpdates,
  type NamedPage,
  type RejectedUpdate,
  type UpdatesSummary,
} from './import/import-updates.js';
export type { ImportedTrace } from './import/trace.js';
export type { DecimalSign } from './import/decimals.js';
export type { Rejected, RejectedCount } from './import/rejects.js';
export type { DateOrder } from './import/times.js';
export { networkLines, type NetworkLine } from './network-lines.js';
export { csvRow, csvText } from './output/csv.js';
export { jsonLines } from './output/json-lines.js';
export { parquetBytes } from './output/parquet.js';
export { RUN_TABLES, runTables } from './output/run-tables.js';
export { FORMATS, writeFiles, type Format } from './output/table-files.js';
export { bibtex, citation, softwareBibtex } from './report/cite.js';
export type { Figure } from './report/figure.js';
export { lookOf, svgFile } from './report/look.js';
export { loadPlotter, type Drawing, type Plotter } from './report/plotter.js';
export { frontierOf, paretoFigures, type ParetoPoint } from './report/pareto-figures.js';
export { reportOf, type Report } from './report/report.js';
export { sweepReportOf } from './report/sweep-report.js';
export { readRows, rowsOfParquet, type Row } from './report/rows.js';
export { COMPARISON_FILE, MANIFEST_FILE, NotARun, readRuns, SCENARIO_FILES, type ReportRun } from './report/run.js';
export { latinHypercube } from './sweep/designs/latin-hypercube.js';
export { morrisEffects, morrisTrajectories, type MorrisEffect } from './sweep/designs/morris.js';
export { sobolIndices, sobolSample, type SobolIndex, type SobolIndices } from './sweep/designs/sobol.js';
export { MOST_DIMENSIONS, sobolPoints } from './sweep/designs/sobol-sequence.js';
export { differencesOf, isPaired, type PointDifference } from './sweep/differences.js';
export { coordinatesOf, pointsOf, type Settings } from './sweep/design.js';
export { joinParts, joinTexts, sweepPlots, sweepTables } from './sweep/join.js';
export { isNonDominated, OBJECTIVES } from './sweep/pareto.js';
export { PartsFault, readParts, type Part } from './sweep/part.js';
export { PartPlayer } from './sweep/part-player.js';
export { packSweep, unpackSweep } from './sweep/plan.js';
export { ordersOf, play, type Outcome } from './sweep/play.js';
export { DEFAULT_WORKERS } from './sweep/pool.js';
export { replicatesFor } from './sweep/precision.js';
export { readSweep } from './sweep/read.js';
export type { SweepChanges } from './sweep/changes.js';
export { scenarioAt, settingsText, settingText, type Sweep } from './sweep/sweep.js';
export { assignmentOf, countsOf, runShard, type Cost, type ShardResult, type SweepOptions } from './sweep/run-sweep.js';
export { sweepJsonSchema, type SweepFile } from './sweep/schema.js';
export { sensitivitiesOf, type Sensitivity } from './sweep/sensitivity.js';
export { parseShard, partsOf, runsOf, shardFrom, shardText, WHOLE, type Shard } from './sweep/shard.js';
export { failuresText, intervalAt, rerunOf, type SweepRuns } from './sweep/tables.js';
export { weighedPoints, type WeighedPoint } from './sweep/weighed.js';
export { boundOf, drawnStream, isWithin, streamsWithin, type Rows, type StreamLimits } from './search/limits.js';
export { neighbour } from './search/neighbour.js';
export {
  replayObjective,
  scenarioObjective,
  STREAM_METRICS,
  streamText,
  type StreamMetric,
} from './search/objectives.js';
export { searchWorst, type Found, type Objective, type Scored, type SearchOptions } from './search/worst.js';
export { breachIn, breaking, LawWatch, scenarioToBreak, type Breach, type Demand } from './search/breaches.js';
export { ddmin, type Cutting } from './search/ddmin.js';
export { networkText, PaymentRows, type PaymentRow } from './search/payment-rows.js';
export { setupOf, scenarioOfRows, scenarioOfStream, type MadeScenario, type SearchSetup } from './search/setup.js';
export { shrinkRows, type Shrunk, type ShrinkOptions } from './search/shrink.js';
export { SCENARIO_FILE, shrunkFiles } from './search/shrunk-files.js';
