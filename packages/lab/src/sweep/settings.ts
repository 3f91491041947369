import { valueAt, type Scenario } from '@coinlab/sim';

export type FieldPath = readonly (string | number)[];

const HABITS = ['payments', 'receives', 'wallet', 'income', 'opening'] as const;

export function fieldsOf(path: string, groups: readonly string[]): readonly FieldPath[] | string {
  const [first = '', second, ...rest] = path.split('.');
  if (path.split('.').includes('')) return `got ${JSON.stringify(path)}, expected names separated by dots`;
  if (first !== 'parties') return [path.split('.').map(indexed)];
  if (second === undefined || rest.length === 0)
    return `got ${JSON.stringify(path)}, expected a field of a group, such as parties.${groups[0]}.wallet.select`;
  if (second !== '*' && !groups.includes(second))
    return `got the group ${JSON.stringify(second)}, expected "*" or one of ${groups.join(', ')}`;
  const numbers = second === '*' ? groups.map((_, i) => i) : [groups.indexOf(second)];
  return numbers.map((number) => ['parties', number, ...rest.map(indexed)]);
}

/**
 * When a field lies in habits (a group's behaviour) that the group omits, the habits are filled in from its temperament first, so
 * that setting one leaves the others unchanged.
 * @param file the value of the file; not modified
 * @param base the completed scenario of the file
 */
export function withSettings(
  file: unknown,
  base: Scenario,
  settings: readonly (readonly [fields: readonly FieldPath[], value: unknown])[],
): unknown {
  // Copy as text: a structured clone would keep values shared by YAML aliases, so one group's change would affect another.
  const changed: unknown = JSON.parse(JSON.stringify(file));
  for (const [fields, value] of settings)
    for (const field of fields) {
      fillHabit(changed, base, field);
      place(changed, field, value);
    }
  return changed;
}

function fillHabit(file: unknown, base: Scenario, [section, number, habit, ...rest]: FieldPath): void {
  const name = HABITS.find((known) => known === habit);
  if (section !== 'parties' || typeof number !== 'number' || !name || rest.length === 0) return;
  const group = valueAt(file, ['parties', number]);
  const given = structuredClone(base.groups[number]?.[name]);
  if (!isHolder(group) || !given) return;
  const written = group[name];
  // A group may specify its wallet partially; other habits are complete or missing.
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

function isHolder(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}

function indexed(segment: string): string | number {
  return /^\d+$/.test(segment) ? Number(segment) : segment;
}
