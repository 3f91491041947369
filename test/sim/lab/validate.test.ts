import { holdingsOf } from '@coinlab/core';
import { POLICIES, validate, type Policies } from '@coinlab/sim';
import { validationData } from '@coinlab/sim/files';
import { describe, expect, it } from 'vitest';

describe('validation', () => {
  it('fails for two faulty policies in their checks only: one spends a coin too many, the other never improves', () => {
    const policies: Policies = {
      ...POLICIES,
      'oldest-first': (state, owner, demand) => {
        const taken = POLICIES['oldest-first'](state, owner, demand);
        const [next] = [...holdingsOf(state, owner, 'oldest')].slice(taken.length, taken.length + 1);
        return next && taken.length === 3 ? [...taken, next] : taken;
      },
      'random-improve': POLICIES.random,
    };
    // The other parts ignore the given policies; test/cli/validate.test.ts runs all parts.
    const parts = ['reference table', 'published results'] as const;
    const checks = [...validate({ data: validationData(), isQuick: true, policies, parts })];
    const failed = checks.filter(({ verdict }) => verdict === 'failed');
    expect([...new Set(failed.map(({ part, subject }) => `${part}: ${subject}`))]).toEqual([
      'reference table: oldest-first',
      'published results: random-improve, normal, 3:1',
      'published results: random-improve, normal, 10:1',
      'published results: random-improve, exponential, 1:1',
      'published results: random-improve, exponential, 3:1',
      'published results: random-improve, exponential, 10:1',
    ]);
    expect(new Set(checks.map(({ part }) => part))).toEqual(new Set(parts));
    for (const { verdict, found, note } of checks) {
      if (verdict === 'open') expect([found, note === '']).toEqual(['', false]);
      else expect(found).not.toBe('');
    }
  });

  // `coinlab validate` runs 20 million cycles more; test/cli/validate.test.ts runs the lab and the closed forms.
  const parts = ['conventions', 'reference table', 'published results'] as const;
  const told: (readonly [done: number, total: number])[] = [];
  const onProgress = (done: number, total: number): void => void told.push([done, total]);
  const rows = [...validate({ data: validationData(), parts, withoutLongRuns: true, onProgress })];

  it('reports its progress in rows, which never falls and ends near the total', () => {
    const [, total] = told[0] ?? expect.unreachable();
    expect(total).toBeGreaterThan(100_000);
    expect(told.every(([done, of], i) => of === total && done >= (told[i - 1]?.[0] ?? 0) && done <= total)).toBe(true);
    expect(told.at(-1)?.[0]).toBeGreaterThan(0.95 * total);
  });

  it.each([...new Set(rows.map(({ subject }) => subject))])('reproduces all figures of %s', (name) => {
    const failed = rows.filter(({ subject, verdict }) => subject === name && verdict === 'failed');
    expect(failed).toEqual([]);
  });

  it('has the verdict `open` for six figures only, and a verdict for more than 90 others', () => {
    const isOpen = ({ verdict }: (typeof rows)[number]): boolean => verdict === 'open';
    expect(rows.filter(isOpen)).toHaveLength(6);
    expect(rows.filter((row) => !isOpen(row)).length).toBeGreaterThan(90);
  });
});
