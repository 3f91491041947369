import { undeclaredOutcome } from '@coinlab/core/workflows';
import { resolve, sequences, startOf, STARTS } from '@coinlab/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs, seed } from '../chance.ts';

it('every command becomes an update that it declares, or is refused with a code that it declares', () => {
  const property = fc.property(fc.constantFrom(...STARTS), sequences(60), (start, steps) => {
    let ledger = startOf(start);
    for (const step of steps) {
      const { command, context } = resolve(step, ledger.state);
      const result = ledger.submit(command, context);
      expect(undeclaredOutcome(command.type, result), command.type).toBeNull();
      if (result.ok) ledger = result.value.ledger;
    }
  });
  fc.assert(property, { numRuns: runs(300), seed });
});
