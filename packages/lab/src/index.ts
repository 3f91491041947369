/**
 * What is made of many runs: tables that any tool reads, reports with plots, sweeps.
 * @module
 */
export { FORMATS, writeFiles, type Format } from './output/table-files.js';
export { runTables } from './output/run-tables.js';
export { csvText } from './output/csv.js';
export { jsonLines } from './output/json-lines.js';
export { parquetBytes } from './output/parquet.js';
