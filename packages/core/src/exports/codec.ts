/**
 * Stored forms of a ledger: lines and segments of the log, snapshots of a state, hashes. For stores and servers that
 * write these themselves; `codec` and `openCompactLog` of the main entry are enough to keep a log.
 * @module
 */

// Updates as JSON lines
export { LOG_VERSION, type BadLine, type UpdateCodec, type UpdateReader } from '../log/codec.js';
export { headOf, headOfLine, type UpdateHead } from '../log/line.js';
export { happeningsOf } from '../log/batch.js';

// The compact log
export {
  COMPACT_VERSION,
  type BadSegment,
  type CompactUpdates,
  type SavedCompactLog,
} from '../log/compact/compact-log.js';
export { coinsMade, receiverOf, senderOf, type Numbering, type PackedTransfer } from '../contracts/packed-transfer.js';
export { isPacked } from '../log/entry.js';

// States and their hashes
export { readStateLines, STATE_VERSION, stateLines } from '../log/state-codec.js';
export { ARCHIVED, canonicalContract, canonicalLines, type ByteHash } from '../log/state-hash.js';

// JSON and bytes
export { parseJsonObject } from '../kernel/json.js';
export { Base64, Hex, type Sha256 } from '../kernel/bytes.js';

// Compact indexes
export { Column, HashIndex, textHashOf } from '@coinlab/collections';
