import { contractShape } from '../contracts/contract.js';
import { UpdateId, type Offset } from '../kernel/ids.js';
import { parseJsonObject } from '../kernel/json.js';
import { describeMalformed, shown, type Malformed } from '../kernel/malformed.js';
import { err, ok, type Result } from '../kernel/result.js';
import {
  contractId,
  instant,
  integer,
  list,
  party,
  readPart,
  refDigits,
  type Parties,
  type Shape,
} from '../kernel/shape.js';
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
const parties = list(party);
const contractIds = list(contractId);
const contracts = list(contractShape);

/** Writes updates as lines of JSON and reads them back. */
export interface UpdateCodec {
  /** Returns an update as one line, without the line break. */
  encode(update: Update): string;
  /** Reads a line; `line` is its number, for the error; `parties` recognises its parties, by default by their text. */
  decode(text: string, line: number, parties?: Parties): Result<Update, BadLine>;
}

export function updateCodec(details: Readonly<Record<UpdateKind, Shape<unknown>>>): UpdateCodec {
  const encode = ({ offset, updateId, recordTime, kind, actAs, archived, created, detail }: Update): string =>
    `{"v":${LOG_VERSION},"offset":${offset},"updateId":"${updateId}","recordTime":${instant.print(recordTime, refDigits)},"kind":"${kind}"` +
    `,"actAs":${parties.print(actAs, refDigits)},"archived":${contractIds.print(archived, refDigits)}` +
    `,"created":${contracts.print(created, refDigits)},"detail":${details[kind].print(detail, refDigits)}}`;

  const decode = (text: string, line: number, known?: Parties): Result<Update, BadLine> => {
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
  return { encode, decode };
}
