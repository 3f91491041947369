/**
 * Policies that turn a state and settings into commands, as wallets, validators and the DSO run them.
 * @module
 */
export {
  EVERY_CADENCE,
  habitsOf,
  habitsOfWallet,
  runAutomation,
  runHabits,
  type AutomationRun,
  type Cadence,
  type Driver,
  type Habit,
} from '../automation/index.js';
export { autoAccept, type AutoAcceptConfig } from '../automation/auto-accept.js';
export { collect } from '../automation/collect.js';
export {
  formatAutomationConfig,
  parseAutomationConfig,
  type AutomationConfig,
  type MergeAutomation,
  type SuperValidatorAutomation,
  type ValidatorAutomation,
} from '../automation/config.js';
export { createCounters, DSO_DEFAULTS, dsoRoutines, type DsoConfig } from '../automation/dso.js';
export { collectSvRewards, recordLiveness } from '../automation/liveness.js';
export { MERGE_DEFAULTS, mergeDelegatedHoldings, type MergeConfig } from '../automation/merge-delegation.js';
export { coinsToMerge, expireMintingDelegations, mintForBeneficiaries } from '../automation/minting-delegation.js';
export { collectNamePayments, renewNames } from '../automation/names.js';
export { completeOffers, completeTrafficRequests, expireOffers } from '../automation/offers.js';
export {
  acceptPreapprovals,
  PREAPPROVAL_DEFAULTS,
  renewPreapprovals,
  type PreapprovalConfig,
} from '../automation/preapprovals.js';
export { amountToSweep, sweep, type OfferForm, type SweepConfig } from '../automation/sweep.js';
export type { AutomationCommand, Policy, Task, Wallet } from '../automation/task.js';
export {
  RESERVED_TRAFFIC_BYTES,
  sparingTraffic,
  topUp,
  topUpParameters,
  type TopUpConfig,
  type TopUpLoop,
  type TopUpParameters,
} from '../automation/top-up.js';
export { expireTransferCommands, sendTransferCommands } from '../automation/transfer-commands.js';
export { coinsToPay, inputsToBurn, leadingCoins, treasuryOf, type Treasury } from '../automation/treasury.js';
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
} from '../automation/treasury-queue.js';
