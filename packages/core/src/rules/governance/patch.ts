import { produce } from 'immer';

type Field = null | boolean | number | string | bigint | readonly Field[] | Fields;
interface Fields {
  [field: string]: Field;
}

/**
 * Fields that differ between `base` and `wanted` take the wanted value, all others keep their `current` one. Records
 * are patched field by field, lists as a whole. Casts: a configuration is a record of fields, which an interface
 * without index signature does not say. Source: specification §2.2.
 */
export function patch<Config extends object>(current: Config, base: Config, wanted: Config): Config {
  return produce(current, (draft) => assign(draft as Fields, base as Fields, wanted as Fields));
}

function assign(current: Fields, base: Fields, wanted: Fields): void {
  for (const field of Object.keys(current)) {
    const [own, from, to] = [current[field], base[field], wanted[field]] as const;
    if (isRecord(own) && isRecord(from) && isRecord(to)) assign(own, from, to);
    else if (to !== undefined && !equal(from, to)) current[field] = to;
  }
}

function isRecord(value: Field | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function equal(a: Field | undefined, b: Field | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => equal(item, b[i]));
  if (isRecord(a) && isRecord(b)) return Object.keys(a).every((field) => equal(a[field], b[field]));
  return a === b;
}
