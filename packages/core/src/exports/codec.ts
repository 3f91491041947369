/**
 * Reading and writing: updates as JSON lines, the compact log, states as text, hashes.
 * @module
 */
export { receiverOf, senderOf, type Numbering, type PlainTransfer } from '../contracts/plain-transfer.js';
export { LOG_VERSION, type BadLine, type UpdateCodec } from '../log/codec.js';
export { type Sha256, Base64, Hex } from '../kernel/bytes.js';
export { COMPACT_VERSION, type BadSegment } from '../log/compact/compact-log.js';
export { headOfLine, type UpdateHead } from '../log/line.js';
export { readStateLines, STATE_VERSION, stateLines } from '../log/state-codec.js';
export { canonicalLines, type ByteHash, ARCHIVED, canonicalContract } from '../log/state-hash.js';
export { happeningsOf } from '../log/batch.js';
export { parseJsonObject } from '../kernel/json.js';
