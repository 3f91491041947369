import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('requests do not reach the old generation after those that were being handled during a collection', () => {
  const flags = ['--expose-gc', '--min-semi-space-size=32', '--max-semi-space-size=32'];
  const program = ['--conditions=source', '--import=tsx', `${import.meta.dirname}/promoted-bytes.ts`];
  const perWrite = JSON.parse(execFileSync(process.execPath, [...flags, ...program], { encoding: 'utf8' })) as number[];
  // 900 to 1,100, and 2,600 or more if a request keeps a later one. A series with a full collection has a negative number.
  expect(Math.max(...perWrite)).toBeLessThan(1_800);
});
