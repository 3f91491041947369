/**
 * File access of the simulation: scenarios, recorded payments, logs, policy files and the bundled data. Needs Node; the main
 * entry does not.
 * @module
 */
export { loadPolicies, PolicyFileFault } from './files/load-policies.js';
export { logFileEntries, logFileLines, logFileUpdates } from './files/log-lines.js';
export { PendingFile } from './files/pending-file.js';
export { openInput, type InputFile } from './files/input-file.js';
export { readDocument, readInput, readOpening, readScenario } from './files/read.js';
export { REAL_PAYMENTS, REFERENCE_TABLE, SAMPLE_NETWORK, validationData } from './files/sample.js';
export { filesOf } from './files/scenario-files.js';
