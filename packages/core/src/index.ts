/**
 * The ledger of a coin network as a pure library. The engine checks a command against the state and returns one update
 * or one rejection; only updates change the state. Programs that run a ledger import this entry to open a ledger,
 * submit commands, read balances and keep the log.
 * @module
 */

// Values
export { Amount } from './kernel/amount.js';
export { ContractId, PartyId, UpdateId, type Offset } from './kernel/ids.js';
export { Duration, Instant, Round } from './kernel/time.js';
export { TEST_PARTIES } from './kernel/test-parties.js';
export { err, ok, type Err, type Ok, type Result } from './kernel/result.js';
export type { JsonObject } from './kernel/json.js';
export type { Json } from './kernel/shape.js';

// The two kinds of ledger
export { emptyLedger, ledgerFrom, openLedger, type Ledger, type LedgerOptions, type NextLedger } from './ledger.js';
export { Engine, openEngine, type EngineOptions, type LiveState } from './engine.js';
export { genesis, GENESIS_TIME, type OpenOptions, type Submission } from './genesis.js';
export { genesisConfig, PROFILES, PROFILE_NAMES } from './rules/governance/profile.js';
export type { LedgerSettings, ProfileName, RuleProfile } from './contracts/settings.js';

// Commands and rejections
export { describeFaults, formatCommand, parseCommand } from './submit.js';
export {
  COMMAND_TYPES,
  type Command,
  type CommandArgument,
  type CommandOf,
  type CommandType,
} from './register/register.js';
export type { Accepted, RejectionOf, Submitted, UpdateOfCommand } from './log/submitted.js';
export type { Context } from './kernel/decision.js';
export { describeMalformed, type Malformed } from './kernel/malformed.js';
export type { DirectArgument } from './rules/transfer/one-step.js';
export type { InstrumentId, TransferArgument } from './rules/transfer/registry-transfer.js';
export type { BatchOperation, BatchResult } from './workflows/batch.js';
export type { MergeActivity, MergeCall, MergedCall } from './workflows/merge-delegation/call.js';
export { explain } from './kernel/explain.js';
export { prepare, prepareContent, type Prepared, type PreparedContent, type PrepareRequest } from './prepare.js';
export {
  REJECTION_CODES,
  REJECTIONS,
  type Rejected,
  type Rejection,
  type RejectionCode,
  type RejectionInfo,
  type Retry,
} from './kernel/rejection.js';

// State
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
export type { AmuletConfig } from './contracts/amulet-rules.js';
export type { Contract, ContractOf, TemplateName } from './contracts/contract.js';
export type { Holding, Lock } from './contracts/holding.js';
export type { TransferInstruction } from './contracts/transfer-instruction.js';
export type { TransferPreapproval } from './contracts/transfer-preapproval.js';
export { balanceOf, supplyOf, utxoCountOf, type Balance, type Supply } from './views/balances.js';
export { pendingTransfersOf, type PendingTransfer } from './views/pending.js';
export { inputsCovering, inputsToMerge } from './rules/transfer/selection.js';

// Updates and their log
export { entryFor, updateOf, type Entry } from './log/entry.js';
export type { Update, UpdateDetails, UpdateKind, UpdateOf } from './log/update.js';
export { codec, openCompactLog, readCompactEntries, readCompactLog } from './submit.js';
export { UPDATE_KINDS } from './register/register.js';
export type { CompactLog } from './log/compact/compact-log.js';
export { replay } from './ledger.js';
export { stateHash } from './log/state-hash.js';

// Laws
export { LAWS } from './laws/index.js';
export { brokenLaws, type Law, type Step } from './laws/law.js';
