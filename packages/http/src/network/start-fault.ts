import { BadSettings } from '../config.js';

/** A fault of one field of a start. */
export interface StartFault {
  readonly path: readonly PropertyKey[];
  readonly reason: string;
}

/** An invalid start. The faults name the fields by path. */
export class BadStart extends BadSettings {
  readonly fields: readonly StartFault[];

  constructor(fields: readonly StartFault[]) {
    super(fields.map(({ path, reason }) => `${['start', ...path].map(String).join('.')}: ${reason}`));
    this.fields = fields;
  }
}

/** Returns the fault of a value that is none of the choices, with the nearest of them. */
export function notOneOf(
  path: readonly PropertyKey[],
  given: string,
  what: string,
  choices: readonly string[],
): StartFault {
  const known = choices.toSorted((one, other) => distance(given, one) - distance(given, other));
  const nearest = known[0] === undefined ? 'there is none' : `the nearest is ${known[0]}`;
  return { path, reason: `got ${JSON.stringify(given)}, expected ${what}; ${nearest}` };
}

/** Number of letters to insert, delete or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, against] of [...other].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === against ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
