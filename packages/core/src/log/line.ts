import { ContractId, UpdateId, type Offset } from '../kernel/ids.js';
import { Instant } from '../kernel/time.js';
import type { UpdateKind } from './update.js';

// Casts: only the codec wrote the line, so its offset and kind are those of an update.

/** What the line of an update tells before its contracts and details: enough to find it again. */
export interface UpdateHead {
  readonly offset: Offset;
  readonly updateId: UpdateId;
  readonly recordTime: Instant;
  readonly kind: UpdateKind;
  /** Id of the first contract that it created; null when it created none. */
  readonly firstCreated: ContractId | null;
}

const HEAD =
  /^\{"v":\d+,"offset":(\d{1,16}),"updateId":"([^"]*)","recordTime":"([^"]*)","kind":"([A-Za-z]+)","actAs":\[/;
const CREATED = '"created":[';
const FIRST = /\{"template":"[A-Za-z]+","id":(\d{1,16})[,}]/y;

/**
 * Reads the head of a line that was written by the codec, at a twentieth of what decoding it costs: of the line, or of a beginning of it
 * that is long enough. Null when it is no such line, or too short a beginning.
 */
export function headOfLine(text: string): UpdateHead | null {
  const match = HEAD.exec(text);
  if (!match) return null;
  const [{ length }, offset, id, time, kind] = match;
  const updateId = UpdateId.parse(id);
  const recordTime = Instant.parse(time);
  // What comes before cannot hold the word: names of parties have no quotes.
  const created = text.indexOf(CREATED, length);
  if (!updateId.ok || !recordTime.ok || created < 0) return null;
  FIRST.lastIndex = created + CREATED.length;
  const first = FIRST.exec(text)?.[1];
  if (first === undefined && text[created + CREATED.length] !== ']') return null;
  return {
    offset: Number(offset) as Offset,
    updateId: updateId.value,
    recordTime: recordTime.value,
    kind: kind as UpdateKind,
    firstCreated: first === undefined ? null : ContractId.of(Number(first)),
  };
}
