import { Amount, Engine, holdingsOf, PROFILE_NAMES, type Command, type Submission } from '@coinlab/core';
import { busyNetwork, createTestLedger, drawn, play, resolve, sequences } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

/** Values of wrong types for most fields; a field of the same kind is left out by `fits`. */
const wrongs: readonly unknown[] = [
  undefined,
  null,
  true,
  2.5,
  NaN,
  'a text',
  7n,
  Symbol('wrong'),
  () => 7,
  {},
  [],
  new Date(0),
  new Map([['a', 1]]),
];

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}

/** Whether a value may be legal for a field: null and absent ones may be, any for a field that is null, and objects without required fields. */
function mayFit(value: unknown, field: unknown): boolean {
  if (value === undefined || value === null || field === null) return true;
  return typeof value !== 'number' && kindOf(value) === kindOf(field);
}

/** Every path in a value, the value's own left out: `amount`, `inputs[0]`, `lock.holders`. */
function pathsOf(value: unknown, prefix: string = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = Array.isArray(value) ? `${prefix}[${name}]` : prefix === '' ? name : `${prefix}.${name}`;
    return [path, ...pathsOf(inner, path)];
  });
}

function at(value: unknown, path: string): unknown {
  return partsOf(path).reduce((inner, part) => (inner as Record<string, unknown>)[part], value);
}

function partsOf(path: string): string[] {
  return path.split(/[.[\]]+/).filter((part) => part !== '');
}

function replaced(value: unknown, [first, ...rest]: readonly string[], by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === first ? replaced(item, rest, by) : item));
  return { ...(value as object), [first]: replaced((value as Record<string, unknown>)[first], rest, by) };
}

/** Submits with another value at a path: refused with the name of the field, unless the value may be legal. It never throws. */
function judge(engine: Engine, submission: Submission, path: string, wrong: unknown): void {
  const { command, context } = replaced(submission, partsOf(path), wrong) as Submission;
  if (mayFit(wrong, at(submission, path))) {
    new Engine({}, engine.state).submit(command, context);
    return;
  }
  const field = path.replace(/^command\./, '').replace(/[.[\]]/g, '\\$&');
  const names = expect.stringMatching(new RegExp(`^${field}`)) as string;
  expect(engine.submit(command, context)).toMatchObject({
    ok: false,
    error: { code: 'INVALID_ARGUMENT', field: names },
  });
}

function isField(path: string): boolean {
  return !['command', 'context', 'command.type'].includes(path);
}

/** Refused before its fields are looked at: its time, or a party that must sign. */
const EARLY: readonly string[] = ['TIME_IN_PAST', 'NOT_AUTHORISED'];

describe.each(PROFILE_NAMES)('under the rules of %s', (profile) => {
  it('a command with a field of the wrong type is refused with the name of the field', () => {
    fc.assert(
      fc.property(sequences(10), fc.array(drawn, { minLength: 5, maxLength: 20 }), (steps, tried) => {
        const { state } = play(busyNetwork(profile), steps);
        const engine = new Engine({}, state);
        const before = engine.hash();
        for (const { command, context } of tried.map((one) => resolve(one, state))) {
          const original = new Engine({}, state).submit(command, context);
          if (!original.ok && EARLY.includes(original.error.code)) continue;
          for (const path of pathsOf({ command, context }).filter(isField))
            for (const wrong of wrongs) judge(engine, { command, context }, path, wrong);
        }
        expect(engine.hash()).toBe(before);
      }),
      { numRuns: runs(15) },
    );
  });
});

describe('a command that is decided as a packed transfer', () => {
  const { parties, state } = createTestLedger();
  const { alice, bob } = parties;
  const inputs = [...holdingsOf(state, alice, 'smallest')].map(({ id }) => id);
  const amount = Amount.of('2.5');

  it.each<Command>([
    { type: 'DirectTransfer', sender: alice, receiver: bob, amount, inputs },
    { type: 'SelfTransfer', sender: alice, amount, inputs },
    { type: 'MergeHoldings', owner: alice, inputs },
  ])('is refused with a field of the wrong type, %#', (command) => {
    const engine = new Engine({}, state);
    const before = engine.hash();
    const submission: Submission = { command, context: { now: state.time, actAs: [alice] } };
    for (const path of pathsOf(submission).filter(isField))
      for (const wrong of wrongs) judge(engine, submission, path, wrong);
    expect(engine.hash()).toBe(before);
    expect(new Engine({}, state).submit(command, submission.context).ok).toBe(true);
  });
});
