/**
 * The ledger of a coin network as a pure library: a command is decided against the state into one update or one rejection; updates
 * alone change the state.
 * @module
 */
export { Amount } from './kernel/amount.js';
export type { Context } from './kernel/decision.js';
export { ContractId, PartyId, UpdateId, type Offset } from './kernel/ids.js';
export { describeMalformed, type Malformed } from './kernel/malformed.js';
export {
  REJECTION_CODES,
  REJECTIONS,
  type Rejected,
  type Rejection,
  type RejectionCode,
  type RejectionInfo,
  type Retry,
} from './kernel/rejection.js';
export { err, ok, type Err, type Ok, type Result } from './kernel/result.js';
export type { Json } from './kernel/shape.js';
export { Duration, Instant, Round } from './kernel/time.js';
export type { AmuletConfig } from './contracts/amulet-rules.js';
export type { Contract, ContractOf, TemplateName } from './contracts/contract.js';
export type { Holding, Lock } from './contracts/holding.js';
export type { LedgerSettings, ProfileName, RuleProfile } from './contracts/settings.js';
export {
  contractsOf,
  countOf,
  find,
  holdingsOf,
  isKnownParty,
  rulesOf,
  settingsOf,
  type LedgerState,
} from './contracts/state.js';
export type { TransferInstruction } from './contracts/transfer-instruction.js';
export type { TransferPreapproval } from './contracts/transfer-preapproval.js';
export { genesisConfig, PROFILES, PROFILE_NAMES } from './rules/profile.js';
export { inputsCovering, inputsToMerge } from './rules/selection.js';
export { LAWS } from './laws/index.js';
export { brokenLaws, type Law, type Step } from './laws/law.js';
export type { CompactLog } from './log/compact/compact-log.js';
export { stateHash } from './log/state-hash.js';
export type { Update, UpdateDetails, UpdateKind, UpdateOf } from './log/update.js';
export { balanceOf, supplyOf, utxoCountOf, type Balance, type Supply } from './views/balances.js';
export { pendingTransfersOf, type PendingTransfer } from './views/pending.js';
export { Engine, openEngine, type EngineOptions } from './engine.js';
export { GENESIS_TIME, genesis, type OpenOptions, type Submission } from './genesis.js';
export {
  emptyLedger,
  ledgerFrom,
  openLedger,
  replay,
  type Accepted,
  type Ledger,
  type LedgerOptions,
} from './ledger.js';
export { prepare, type Prepared, type PrepareRequest } from './prepare.js';
export {
  codec,
  COMMAND_TYPES,
  describeFaults,
  formatCommand,
  parseCommand,
  UPDATE_KINDS,
  type Command,
  type CommandType,
  openCompactLog,
  readCompactLog,
} from './submit.js';
