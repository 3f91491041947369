type Plain = null | boolean | number | string | bigint | readonly Plain[] | { readonly [field: string]: Plain };

/**
 * A configuration changed as governance changes it: fields that differ between `base` and `wanted` take the wanted value, all
 * others stay as they are in `current`. Records are patched field by field, lists as a whole.
 * Source: specification §2.2.
 */
export function patch<Config extends object>(current: Config, base: Config, wanted: Config): Config {
  return patched(
    current as unknown as Plain,
    base as unknown as Plain,
    wanted as unknown as Plain,
  ) as unknown as Config;
}

function patched(current: Plain, base: Plain, wanted: Plain): Plain {
  if (!isRecord(current) || !isRecord(base) || !isRecord(wanted)) return equal(base, wanted) ? current : wanted;
  const fields = Object.keys(current).map((field) => [
    field,
    patched(current[field] as Plain, base[field] as Plain, wanted[field] as Plain),
  ]);
  return Object.fromEntries(fields) as Plain;
}

function isRecord(value: Plain): value is { readonly [field: string]: Plain } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function equal(a: Plain, b: Plain): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => equal(item as Plain, b[i] as Plain));
  }
  if (isRecord(a) && isRecord(b)) {
    return Object.keys(a).every((field) => equal(a[field] as Plain, b[field] as Plain));
  }
  return a === b;
}
