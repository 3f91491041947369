import { ContractId, Instant, PartyId, type Json } from '@coinlab/core';
import type { RecordField, Value } from './messages.js';

/*
 * Daml values as protobuf messages, and the JSON of the ledger API for them.
 * Source: specification of the API §9.1.
 */

export const textValue = (text: string): Value => ({ sum: { oneofKind: 'text', text } });
export const partyValue = (party: string): Value => ({ sum: { oneofKind: 'party', party } });
export const numericValue = (numeric: string): Value => ({ sum: { oneofKind: 'numeric', numeric } });
export const timestampValue = (timestamp: bigint): Value => ({ sum: { oneofKind: 'timestamp', timestamp } });
export const int64Value = (int64: bigint): Value => ({ sum: { oneofKind: 'int64', int64 } });
export const contractIdValue = (contractId: string): Value => ({ sum: { oneofKind: 'contractId', contractId } });
export const listValue = (elements: readonly Value[]): Value => ({ sum: { oneofKind: 'list', list: { elements } } });
export const recordValue = (fields: readonly RecordField[]): Value => ({
  sum: { oneofKind: 'record', record: { fields } },
});

export function variantValue(constructor: string, value: Value): Value {
  return { sum: { oneofKind: 'variant', variant: { constructor, value } } };
}

export function optionalValue(value: Value | null): Value {
  return { sum: { oneofKind: 'optional', optional: value === null ? {} : { value } } };
}

export function textMapValue(entries: readonly (readonly [key: string, value: Value])[]): Value {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => ({ key, value }));
  return { sum: { oneofKind: 'textMap', textMap: { entries: sorted } } };
}

const TEXTS: ReadonlySet<string> = new Set([
  'AV_Text',
  'description',
  'id',
  'memberId',
  'name',
  'optContext',
  'reason',
  'synchronizerId',
  'trackingId',
  'url',
  'userId',
  'version',
]);
/** The only maps of texts: metadata and the contexts of the token standard. */
const MAP = 'values';
const DECIMAL = /^-?\d+\.\d+$/;
const INTEGER = /^-?\d{1,19}$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * The JSON does not say the type of a text, so its form decides, and the name of its field. Assumption: A-143.
 * @param field name of the field or constructor that has the value
 */
export function valueOfJson(json: Json, field: string = ''): Value {
  if (json === null) return optionalValue(null);
  if (typeof json === 'boolean') return { sum: { oneofKind: 'bool', bool: json } };
  if (typeof json === 'number')
    return Number.isSafeInteger(json) ? int64Value(BigInt(json)) : numericValue(String(json));
  if (typeof json === 'string') return TEXTS.has(field) ? textValue(json) : scalarOfText(json);
  if (isList(json)) return listValue(json.map((each) => valueOfJson(each)));
  const entries = Object.entries(json);
  if (field === MAP) return textMapValue(entries.map(([key, each]) => [key, valueOfMap(each)]));
  if (entries.length === 2 && typeof json['tag'] === 'string' && json['value'] !== undefined)
    return variantValue(json['tag'], valueOfJson(json['value'], json['tag']));
  return recordValue(entries.map(([label, each]) => ({ label, value: valueOfJson(each, label) })));
}

function valueOfMap(json: Json): Value {
  return typeof json === 'string' ? textValue(json) : valueOfJson(json);
}

function scalarOfText(text: string): Value {
  if (text.startsWith('00') && ContractId.parse(text).ok) return contractIdValue(text);
  if (PartyId.is(text)) return partyValue(text);
  if (DECIMAL.test(text)) return numericValue(text);
  if (INTEGER.test(text) && isInt64(BigInt(text))) return int64Value(BigInt(text));
  const time = TIME.test(text) ? Instant.parse(text) : null;
  return time?.ok ? timestampValue(time.value) : textValue(text);
}

function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

function isList(json: Extract<Json, object>): json is Extract<Json, readonly unknown[]> {
  return Array.isArray(json);
}

export function jsonOfValue(value: Value | undefined): Json {
  const sum = value?.sum;
  switch (sum?.oneofKind) {
    case undefined:
      return null;
    case 'unit':
      return {};
    case 'bool':
      return sum.bool;
    case 'int64':
      return String(sum.int64);
    case 'numeric':
      return sum.numeric;
    case 'timestamp':
      return Instant.format(Instant.ofMicros(sum.timestamp));
    case 'party':
      return sum.party;
    case 'text':
      return sum.text;
    case 'contractId':
      return sum.contractId;
    case 'optional':
      return jsonOfValue(sum.optional.value);
    case 'list':
      return sum.list.elements.map(jsonOfValue);
    case 'textMap':
      return Object.fromEntries(sum.textMap.entries.map(({ key, value: each }) => [key, jsonOfValue(each)]));
    case 'record':
      return Object.fromEntries(sum.record.fields.map(({ label, value: each }) => [label, jsonOfValue(each)]));
    case 'variant':
      return { tag: sum.variant.constructor, value: jsonOfValue(sum.variant.value) };
    case 'enum':
      return sum.enum.constructor;
  }
}
