/**
 * An object with copies of its nested objects and lists, so that later changes by the caller do not reach it. Values without nested
 * objects are returned as they are.
 */
export function withOwnParts<Value extends object>(value: Value): Value {
  let own = value;
  for (const field in value) {
    const part = value[field];
    if (typeof part !== 'object' || part === null) continue;
    if (own === value) own = { ...value };
    own[field] = copyOf(part);
  }
  return own;
}

function copyOf<Value>(value: Value): Value;
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => copyOf(item));
  return typeof value === 'object' && value !== null ? withOwnParts({ ...value }) : value;
}
