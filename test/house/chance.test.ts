import fc from 'fast-check';
import { expect, it } from 'vitest';

it('draws lists up to their maximum length', () => {
  const lengths = fc.sample(fc.array(fc.nat(), { maxLength: 200 }), 100).map((list) => list.length);
  expect(Math.max(...lengths)).toBeGreaterThan(150);
});
