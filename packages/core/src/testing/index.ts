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
