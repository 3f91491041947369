// Lines, snapshots and hashes.
import { codec, openLedger, stateHash } from '@coinlab/core';
import {
  Base64,
  canonicalLines,
  COMPACT_VERSION,
  happeningsOf,
  headOf,
  headOfLine,
  Hex,
  LOG_VERSION,
  parseJsonObject,
  readStateLines,
  STATE_VERSION,
  stateLines,
} from '@coinlab/core/codec';

const ledger = openLedger();
const { state } = ledger;
const [opened] = ledger.updates();
if (!opened) throw new Error('a ledger begins with LedgerOpened');
const line = codec.encode(opened);
console.log(headOf(opened).kind === headOfLine(line)?.kind);
console.log(headOfLine(line)?.kind, parseJsonObject(line)?.['v'] === LOG_VERSION, happeningsOf(opened).length);

// A reader takes less time for a whole log than `decode` for each line.
const reader = codec.reader();
const bytes = ledger.updates().map((update) => new TextEncoder().encode(codec.encode(update)));
console.log(bytes.every((update, i) => reader.read(update, 0, update.length, i + 1).ok));

const lines = [...stateLines(state)];
const read = readStateLines(lines);
console.log(lines.length, STATE_VERSION, COMPACT_VERSION, read.ok && stateHash(read.value) === stateHash(state));
console.log(canonicalLines(state).length, Base64.format(new Uint8Array([1, 2])), Hex.format(new Uint8Array([255])));

// Prints:
// true
// LedgerOpened true 1
// true
// 8 1 3 true
// 8 AQI= ff
