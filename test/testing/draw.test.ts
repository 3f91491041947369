import { Amount, openLedger } from '@coinlab/core';
import { Dice, Draw } from '@coinlab/testing';
import { expect, it } from 'vitest';

it('draws amounts to pay from coins that are together worth more than the largest amount', () => {
  const { state } = openLedger();
  const available = Amount.sum([Amount.max, Amount.max]);
  const amounts = Array.from({ length: 20 }, (_, kind) =>
    new Draw(state, state.time, new Dice([0, kind])).amount(available),
  );
  expect(amounts[0]).toBe(Amount.max);
  expect(new Draw(state, state.time, new Dice([750, 0])).amount(available)).toBe(available - (available * 3n) / 4n);
});
