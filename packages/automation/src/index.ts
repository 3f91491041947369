/**
 * Policies: pure functions from a state and a configuration to the commands that wallets, validators and the DSO
 * submit automatically. For servers and simulations that run them, one by one or with `runAutomation`.
 * @module
 */

// Running all policies of a configuration
export {
  habitsOf,
  habitsOfWallet,
  runAutomation,
  runHabits,
  type AutomationRun,
  type Cadence,
  type Driver,
  type Habit,
} from './habits.js';
export {
  formatAutomationConfig,
  parseAutomationConfig,
  type AutomationConfig,
  type MergeAutomation,
  type SuperValidatorAutomation,
  type ValidatorAutomation,
} from './config.js';
export type { Policy, Task, Wallet } from './task.js';

// Policies of wallets
export { autoAccept, type AutoAcceptConfig } from './auto-accept.js';
export { amountToSweep, sweep, type OfferForm, type SweepConfig } from './sweep.js';
export { completeOffers, completeTrafficRequests, expireOffers } from './offers.js';
export { renewNames } from './names.js';
export { expireTransferCommands, sendTransferCommands } from './transfer-commands.js';
export {
  acceptMergeDelegations,
  MERGE_DEFAULTS,
  mergeDelegatedHoldings,
  type MergeConfig,
} from './merge-delegation.js';
export { coinsToMerge, expireMintingDelegations, mintForBeneficiaries } from './minting-delegation.js';

// Policies of validators and the DSO
export { collect } from './collect.js';
export { collectSvRewards, recordLiveness } from './liveness.js';
export { acceptPreapprovals, PREAPPROVAL_DEFAULTS, renewPreapprovals, type PreapprovalConfig } from './preapprovals.js';
export {
  missingForTopUp,
  RESERVED_TRAFFIC_BYTES,
  sparingTraffic,
  topUp,
  topUpParameters,
  type TopUpConfig,
  type TopUpLoop,
  type TopUpParameters,
} from './top-up.js';
export { DSO_DEFAULTS, dsoRoutines, type DsoConfig } from './dso.js';

// The treasury of a validator: coin selection, and a queue that batches operations
export { coinsToPay, inputsToBurn, leadingCoins, treasuryOf, type Treasury } from './treasury.js';
export {
  batchTask,
  emptyQueue,
  enqueue,
  takeBatch,
  TREASURY_LIMITS,
  type Batch,
  type BatchTask,
  type Operation,
  type TreasuryQueue,
} from './treasury-queue.js';
