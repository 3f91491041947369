import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('ids of payments and of a compact log are small integers, which are fast', () => {
  const program = `${import.meta.dirname}/boxed-numbers.ts`;
  const found = execFileSync(process.execPath, ['--conditions=source', '--import=tsx', program], { encoding: 'utf8' });
  expect(JSON.parse(found)).toEqual([]);
});
