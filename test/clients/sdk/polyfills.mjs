/* Functions that the SDK uses and Node 20 lacks. Node 22 has all of them. */

Object.groupBy ??= (items, keyOf) => {
  const groups = Object.create(null);
  for (const item of items) (groups[keyOf(item)] ??= []).push(item);
  return groups;
};

const SETS = {
  union: (one, other) => new Set([...one, ...other]),
  isSubsetOf: (one, other) => [...one].every((value) => other.has(value)),
};
for (const [name, of] of Object.entries(SETS))
  Set.prototype[name] ??= function (other) {
    return of(this, other);
  };
