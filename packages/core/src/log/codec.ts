import { Literal } from '@coinlab/collections';
import { bytesToUtf8 } from '@noble/hashes/utils.js';
import { contractShape } from '../contracts/contract.js';
import { UpdateId, type Offset } from '../kernel/ids.js';
import { parseJsonObject } from '../kernel/json.js';
import { describeMalformed, shown, type Malformed } from '../kernel/malformed.js';
import type { Parties } from '../kernel/parties.js';
import { err, ok, type Result } from '../kernel/result.js';
import { contractId, instant, integer, list, party, readPart, refDigits, type Shape } from '../kernel/shape.js';
import { TextReader } from '../kernel/text-reader.js';
import type { Update, UpdateKind } from './update.js';

// Casts: the shape of a kind prints and reads its detail, and every field was read by its shape; faults discard the update.

/** Version of the written form of updates. A new form adds a version and an upcaster; old logs stay readable. */
export const LOG_VERSION: number = 1;

/** Number of a log line that could not be read, and the reason. */
export interface BadLine {
  readonly line: number;
  readonly reason: string;
}

const FIELDS: readonly string[] = [
  'v',
  'offset',
  'updateId',
  'recordTime',
  'kind',
  'actAs',
  'archived',
  'created',
  'detail',
];
const STATE_INSTEAD = 'a saved state, not an update: create its contracts by commands and save the log';
const [CLOSE, BYTE_ORDER_MARK] = [0x7d, 0xef];
const before = (field: string): Literal => new Literal(`,"${field}":`);
const BEFORE = {
  offset: new Literal(`{"v":${LOG_VERSION},"offset":`),
  updateId: before('updateId'),
  recordTime: before('recordTime'),
  kind: before('kind'),
  actAs: before('actAs'),
  archived: before('archived'),
  created: before('created'),
  detail: before('detail'),
} as const;
const parties = list(party);
const contractIds = list(contractId);
const contracts = list(contractShape);

/** Writes updates as lines of JSON and reads them back. */
export interface UpdateCodec {
  /** Returns an update as one line, without the line break. */
  encode(update: Update): string;
  /** Reads a line; `line` is its number, for the error. */
  decode(text: string, line: number): Result<Update, BadLine>;
  /** Returns a reader of many lines, which takes about half the time of `decode`, because it knows texts that come again. */
  reader(): UpdateReader;
}

/** Reads many lines, of one log or of several. */
export interface UpdateReader {
  /**
   * Reads a line from its bytes, in UTF-8, without the line break. Returns what `decode` returns for its text.
   * @param from position of the first byte
   * @param to position after the last byte
   * @param line number of the line, for the error
   */
  read(bytes: Uint8Array, from: number, to: number, line: number): Result<Update, BadLine>;
}

export function updateCodec(details: Readonly<Record<UpdateKind, Shape<unknown>>>): UpdateCodec {
  const encode = ({ offset, updateId, recordTime, kind, actAs, archived, created, detail }: Update): string =>
    `{"v":${LOG_VERSION},"offset":${offset},"updateId":"${updateId}","recordTime":${instant.print(recordTime, refDigits)},"kind":"${kind}"` +
    `,"actAs":${parties.print(actAs, refDigits)},"archived":${contractIds.print(archived, refDigits)}` +
    `,"created":${contracts.print(created, refDigits)},"detail":${details[kind].print(detail, refDigits)}}`;

  const shapes = new Map(Object.entries(details));

  /** Returns null unless the bytes are those of {@link encode}. */
  const scan = (from: TextReader, to: number): Update | null => {
    from.expect(BEFORE.offset);
    const offset = from.count() as Offset;
    from.expect(BEFORE.updateId);
    const updateId = from.updateId();
    from.expect(BEFORE.recordTime);
    const recordTime = from.instant();
    from.expect(BEFORE.kind);
    const kind = from.text();
    from.expect(BEFORE.actAs);
    const actAs = parties.scan(from);
    from.expect(BEFORE.archived);
    const archived = contractIds.scan(from);
    from.expect(BEFORE.created);
    const created = contracts.scan(from);
    from.expect(BEFORE.detail);
    const detail = from.found(shapes.get(kind))?.scan(from);
    from.expectByte(CLOSE);
    if (from.failed || from.at !== to) return null;
    return { offset, updateId, recordTime, kind, actAs, archived, created, detail } as Update;
  };

  const reader = (): UpdateReader => {
    const text = new TextReader();
    return {
      read(bytes, from, to, line) {
        text.start(bytes, from);
        const update = scan(text, to);
        if (update) return ok(update);
        const json = bytesToUtf8(bytes.subarray(from, to));
        // The decoder drops a byte order mark, which no line begins with.
        return decodeWith(bytes[from] === BYTE_ORDER_MARK ? `\ufeff${json}` : json, line, text.parties);
      },
    };
  };

  const decodeWith = (text: string, line: number, known?: Parties): Result<Update, BadLine> => {
    const json = parseJsonObject(text);
    if (!json) return err({ line, reason: `not a JSON object: ${shown(text)}` });
    const { v, kind } = json;
    if (v !== LOG_VERSION) return err({ line, reason: `v: got ${shown(v)}, expected version ${LOG_VERSION}` });
    if (kind === undefined && 'nextContract' in json) return err({ line, reason: STATE_INSTEAD });
    const detail = typeof kind === 'string' && Object.hasOwn(details, kind) ? details[kind as UpdateKind] : undefined;
    if (!detail)
      return err({ line, reason: `kind: got ${shown(kind)}, expected one of ${Object.keys(details).join(', ')}` });
    const faults: Malformed[] = [];
    const updateId = UpdateId.parse(json['updateId']);
    if (!updateId.ok) faults.push(updateId.error);
    const update = {
      offset: readPart('offset', integer, json['offset'], faults, known) as Offset,
      updateId: updateId.ok ? updateId.value : '',
      recordTime: readPart('recordTime', instant, json['recordTime'], faults, known),
      kind,
      actAs: readPart('actAs', parties, json['actAs'], faults, known),
      archived: readPart('archived', contractIds, json['archived'], faults, known),
      created: readPart('created', contracts, json['created'], faults, known),
      detail: readPart('detail', detail, json['detail'], faults, known),
    } as Update;
    for (const name of Object.keys(json)) {
      if (FIELDS.includes(name)) continue;
      const expected = `no such field; known are ${FIELDS.join(', ')}`;
      faults.push({ field: name, value: shown(json[name]), expected });
    }
    return faults[0] ? err({ line, reason: describeMalformed(faults[0]) }) : ok(update);
  };
  return { encode, decode: (text, line) => decodeWith(text, line), reader };
}
