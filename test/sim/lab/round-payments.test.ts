import { Amount } from '@coinlab/core';
import { RoundPayments, type Payment } from '@coinlab/sim';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../chance.ts';

const payment: fc.Arbitrary<Payment> = fc.record({
  at: fc.oneof(
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    fc.constantFrom(0, 0.25, 0.5, 1 - 2 ** -53),
  ),
  from: fc.option(fc.nat(9), { freq: 5 }),
  to: fc.nat(9),
  amount: fc
    .oneof(fc.bigInt({ min: 1n, max: 9n }), fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }))
    .map(Amount.ofUnits),
});

const listed = (payments: RoundPayments): readonly Payment[] =>
  Array.from({ length: payments.count }, (_, i) => payments.payment(i));

describe('the payments of a round', () => {
  it('are sorted by time and then by insertion, in every round', () => {
    const payments = new RoundPayments();
    const size = fc.oneof(fc.array(payment, { maxLength: 12 }), fc.array(payment, { minLength: 200, maxLength: 900 }));
    fc.assert(
      fc.property(size, (round) => {
        payments.clear();
        for (const { at, from, to, amount } of round) payments.add(at, from, to, amount);
        expect(listed(payments)).toEqual(round);
        payments.sort();
        expect(listed(payments)).toEqual(round.toSorted((a, b) => a.at - b.at));
      }),
      { numRuns: runs(60) },
    );
  });
});
