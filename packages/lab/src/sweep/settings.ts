import { valueAt, type Scenario } from '@coinlab/sim';

/** A field of a scenario, as its file has it. */
export type FieldPath = readonly (string | number)[];

/** What the temperament of a group decides where the file is silent; a path that goes into one of these begins with it. */
const HABITS = ['payments', 'receives', 'wallet', 'income', 'opening'] as const;

/**
 * The fields that a path names: groups are named by their names, and `*` stands for all of them.
 * @returns the fields, or what was expected instead
 */
export function fieldsOf(path: string, groups: readonly string[]): readonly FieldPath[] | string {
  const [first = '', second, ...rest] = path.split('.');
  if (path.split('.').includes('')) return `got ${JSON.stringify(path)}, expected names with points between them`;
  if (first !== 'parties') return [path.split('.').map(indexed)];
  if (second === undefined || rest.length === 0)
    return `got ${JSON.stringify(path)}, expected a field of a group, such as parties.${groups[0]}.wallet.select`;
  if (second !== '*' && !groups.includes(second))
    return `got the group ${JSON.stringify(second)}, expected "*" or one of ${groups.join(', ')}`;
  const numbers = second === '*' ? groups.map((_, i) => i) : [groups.indexOf(second)];
  return numbers.map((number) => ['parties', number, ...rest.map(indexed)]);
}

/**
 * A scenario's file with fields set, all others being as they were. Where a field lies in habits that the group does not write down,
 * these become what its temperament decides: setting one of them leaves the others alone.
 * @param file the value of the file; it is not changed
 * @param base the scenario that it stands for
 */
export function withSettings(
  file: unknown,
  base: Scenario,
  settings: readonly (readonly [fields: readonly FieldPath[], value: unknown])[],
): unknown {
  // By text: a clone would keep what YAML's aliases share, and a group would change with another.
  const changed: unknown = JSON.parse(JSON.stringify(file));
  for (const [fields, value] of settings)
    for (const field of fields) {
      fillHabit(changed, base, field);
      place(changed, field, value);
    }
  return changed;
}

function fillHabit(file: unknown, base: Scenario, [room, number, habit, ...rest]: FieldPath): void {
  const name = HABITS.find((known) => known === habit);
  if (room !== 'parties' || typeof number !== 'number' || !name || rest.length === 0) return;
  const group = valueAt(file, ['parties', number]);
  const given = structuredClone(base.groups[number]?.[name]);
  if (!isHolder(group) || !given) return;
  const written = group[name];
  // A group may write a part of its wallet; the other habits it writes whole or not at all.
  group[name] = name === 'wallet' && isHolder(written) ? { ...given, ...written } : (written ?? given);
}

function place(holder: unknown, [first, ...rest]: FieldPath, value: unknown): void {
  if (first === undefined || !isHolder(holder)) return;
  if (rest.length === 0) {
    holder[first] = structuredClone(value);
    return;
  }
  const inner = Object.hasOwn(holder, first) ? holder[first] : undefined;
  if (typeof inner !== 'object' || inner === null) holder[first] = {};
  place(holder[first], rest, value);
}

/** Whether a value has fields or elements. */
function isHolder(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}

function indexed(segment: string): string | number {
  return /^\d+$/.test(segment) ? Number(segment) : segment;
}
