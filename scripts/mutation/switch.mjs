/*
 * The switch of mutants, imported by the changed sources in the copy. The environment names the active mutant, so child
 * processes have it too; a process that tries several mutants sets it in the state. In the first run it records which
 * mutants each test reaches.
 */
import { appendFileSync } from 'node:fs';

const { MUTANT, MUTANT_TEST = '', MUTANT_REACHED: record } = process.env;
const state = (globalThis.__mutants ??= { test: MUTANT_TEST, reached: new Map(), active: Number(MUTANT ?? -1) });

export const __mutant = record === undefined ? (id) => id === state.active : note;

function note(id) {
  const { test, reached } = state;
  let ids = reached.get(test);
  if (ids === undefined) reached.set(test, (ids = new Set()));
  if (!ids.has(id)) {
    ids.add(id);
    appendFileSync(record, `${JSON.stringify([test, id])}\n`);
  }
  return false;
}
