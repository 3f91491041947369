import { parseJsonObject, type JsonObject } from '../json.js';
import { shown } from '../malformed.js';
import type { Json, Shape } from './form.js';

const EXPECTED = 'JSON object';
/** Objects of a program may contain themselves. */
const MOST_DEPTH = 100;

/** A JSON object that its reader interprets, such as a command inside another one. */
export const jsonObject: Shape<JsonObject> = {
  expected: EXPECTED,
  read(json, field, faults) {
    const own = copyOf(json, 0);
    if (isJsonObject(own)) return own;
    faults.push({ field, value: shown(json), expected: EXPECTED });
    return {};
  },
  check: (value, faults) => jsonObject.read(value, '', faults),
  write: (value) => value,
  print: (value) => JSON.stringify(value),
  pack: (value, to) => to.text(JSON.stringify(value)),
  unpack(from) {
    const value = parseJsonObject(from.text());
    if (value === null) from.fault ??= `a text is no ${EXPECTED}`;
    return value ?? {};
  },
};

/** Returns undefined for values that JSON does not have. */
function copyOf(value: unknown, depth: number): Json | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object' || depth === MOST_DEPTH) return undefined;
  if (Array.isArray(value)) return copyOfList(value, depth);
  const entries: [string, Json][] = [];
  for (const [key, part] of Object.entries(value)) {
    const own = copyOf(part, depth + 1);
    if (own === undefined) return undefined;
    entries.push([key, own]);
  }
  return Object.fromEntries(entries);
}

function copyOfList(list: readonly unknown[], depth: number): readonly Json[] | undefined {
  const items: Json[] = [];
  for (const item of list) {
    const own = copyOf(item, depth + 1);
    if (own === undefined) return undefined;
    items.push(own);
  }
  return items;
}

function isJsonObject(json: Json | undefined): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
