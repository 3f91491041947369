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

export { busyNetwork } from './generator/busy-network.js';
export * as cast from './generator/cast.js';
export { describeSubmission, drawn, RECIPES, resolve, sequences, type Drawn } from './generator/commands.js';
export { Dice } from './generator/dice.js';
export { Draw } from './generator/draw.js';
export { keyHolder, type KeyHolder } from './generator/keys.js';
export { Coverage, play } from './generator/play.js';
export type { Attempt, CommandOf, Recipe, RecipesOf } from './generator/recipe.js';
