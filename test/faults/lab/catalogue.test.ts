import { describe, expect, it } from 'vitest';
import { LAB_FAULTS } from './catalogue.ts';
import { plantedText } from './trial.ts';

describe('the planted faults of the lab', () => {
  it('are at least forty, with unique names', () => {
    const names = LAB_FAULTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(40);
  });

  // `npm run faults -- --catalogue lab` plants all of them.
  it.each(LAB_FAULTS.map((fault) => [fault.name, fault] as const))(
    'can be applied to the current source: %s',
    (_, fault) => {
      expect(plantedText(fault)).not.toBe('');
    },
  );
});
