import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('requests do not reach the old generation after those that were being handled during a collection', () => {
  const young = ['--expose-gc', '--min-semi-space-size=32', '--max-semi-space-size=32'];
  // A full collection within a series would make its count wrong in either direction, so the old generation has room for all.
  const flags = [...young, '--initial-old-space-size=512', '--no-memory-reducer'];
  const program = ['--conditions=source', '--import=tsx', `${import.meta.dirname}/promoted-bytes.ts`];
  const perWrite = JSON.parse(execFileSync(process.execPath, [...flags, ...program], { encoding: 'utf8' })) as number[];
  // 900 to 1,100, and 2,600 or more if a request keeps a later one.
  expect(Math.max(...perWrite)).toBeLessThan(1_800);
  expect(Math.min(...perWrite)).toBeGreaterThan(0);
});
