import { accruedFee, isDust } from '@coinlab/core/rules';
import { Amount, Round, type Holding, PartyId } from '@coinlab/core';
import { expiryRoundOf } from '@coinlab/core/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

const owner = PartyId.of('alice');
const units = fc.oneof(fc.bigInt(1n, 50n), fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, Amount.max));
const rates = fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, 10n ** 8n));
const rounds = fc.integer({ min: 0, max: 5000 });

const coins: fc.Arbitrary<Holding> = fc
  .record({ amount: units, rate: rates, createdAt: rounds, multiple: fc.nat(60) })
  .map(
    // Exact multiples of the rate are where the two rules of dust part ways.
    ({ amount, rate, createdAt, multiple }) =>
      coin(multiple > 0 && rate > 0n ? rate * BigInt(multiple) : amount, rate, createdAt),
  );

function coin(amount: bigint, rate: bigint, createdAt: number): Holding {
  return {
    id: 1 as Holding['id'],
    template: 'Holding',
    owner,
    amount: Amount.ofUnits(amount),
    createdAt: Round.of(createdAt),
    ratePerRound: Amount.ofUnits(rate),
    lock: null,
  };
}

describe('the accrued holding fee', () => {
  it('never decreases, stays within the amount, and is zero in the round of creation (invariant 26)', () => {
    fc.assert(
      fc.property(coins, rounds, rounds, (holding, a, b) => {
        const [earlier, later] = [Round.of(Math.min(a, b)), Round.of(Math.max(a, b))];
        expect(accruedFee(holding, holding.createdAt)).toBe(0n);
        expect(accruedFee(holding, earlier)).toBeGreaterThanOrEqual(0n);
        expect(accruedFee(holding, later)).toBeGreaterThanOrEqual(accruedFee(holding, earlier));
        expect(accruedFee(holding, later)).toBeLessThanOrEqual(holding.amount);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe.each([
  ['a fee above the amount', false],
  ['a fee of the amount', true],
])('dust, defined as %s', (_, atEquality) => {
  it('a coin is dust from its expiry round on, and a coin of a larger amount is never dust earlier (invariant 27)', () => {
    fc.assert(
      fc.property(coins, rounds, fc.bigInt(1n, 10n ** 9n), (holding, at, more) => {
        const round = Round.of(at);
        const expires = expiryRoundOf(holding, atEquality);
        const dust = isDust(holding, round, atEquality);
        expect(dust).toBe(expires !== null && expires <= round);
        if (dust) expect(isDust(holding, Round.plus(round, 1), atEquality)).toBe(true);
        const larger = coin(
          holding.amount + more > Amount.max ? Amount.max : holding.amount + more,
          holding.ratePerRound,
          holding.createdAt,
        );
        if (isDust(larger, round, atEquality)) expect(dust).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('the expiry round is the first in which the fee exceeds the coin (invariant 27)', () => {
    fc.assert(
      fc.property(coins, (holding) => {
        const expires = expiryRoundOf(holding, atEquality);
        if (expires === null) return;
        const uncapped = (round: number): bigint => holding.ratePerRound * BigInt(round - holding.createdAt);
        const outgrown = (round: number): boolean =>
          atEquality ? uncapped(round) >= holding.amount : uncapped(round) > holding.amount;
        // With equality the quotient is first rounded to ten places, which may give a coin a round less.
        expect(outgrown(expires) || (atEquality && outgrown(expires + 1))).toBe(true);
        expect(outgrown(expires - 1)).toBe(false);
      }),
      { numRuns: runs(2000) },
    );
  });
});
