import { describe, expect, it } from 'vitest';
import { FAULTS } from './catalogue.ts';
import type { Fault } from './fault.ts';
import { patchedFiles } from './scratch.ts';
import { isCaught, tryOut } from './try-out.ts';

const named = (name: string): Fault => {
  const fault = FAULTS.find((one) => one.name === name);
  if (!fault) throw new Error(`no fault is called ${name}`);
  return fault;
};

describe('the planted faults', () => {
  it('are at least thirty, with unique names', () => {
    const names = FAULTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(30);
  });

  it.each(FAULTS.map((fault) => [fault.name, fault] as const))(
    'can be applied to the current source: %s',
    (_, fault) => {
      for (const text of patchedFiles(fault).values()) expect(text).not.toBe('');
    },
  );

  it('cannot be applied to a source that lacks the text to replace', () => {
    const stale: Fault = {
      ...named('accept-at-deadline'),
      patches: [{ file: 'submit.ts', find: 'nowhere', replace: '' }],
    };
    expect(() => patchedFiles(stale)).toThrow('fault accept-at-deadline');
  });

  it('do not count as found when the planted text itself causes the error', () => {
    const found = { by: 'crash', invariant: null, story: '', commands: 1, token: '' };
    const caught = (what: string): boolean =>
      isCaught({ fault: named('accept-twice'), catches: [{ found: { ...found, what }, runs: 1 }] });
    expect(caught('throws: findAny is not defined')).toBe(false);
    expect(caught('throws: broken invariant: coin in and out differ')).toBe(true);
  });

  // `npm run faults` checks all faults; here a few suffice.
  it.each(['lock-released-twice', 'nonce-reused', 'sweep-at-maximum'])('%s is found by its check', async (name) => {
    const outcome = await tryOut(named(name), [20_261_121]);
    expect({ caught: isCaught(outcome), by: outcome.catches[0]?.found?.by }).toEqual({
      caught: true,
      by: name === 'sweep-at-maximum' ? 'automation' : 'law',
    });
  });
});
