import { accruedFee, steppedFee } from '@coinlab/core/rules';
import { Amount, genesisConfig, Round, type Command, type Holding } from '@coinlab/core';
import type { FeeStep } from '@coinlab/core/contracts';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../chance.ts';
import { alice, amount, bob, second, worldOf } from '../ledger-fixture.ts';

const { transferFeeInitialRate, transferFeeSteps } = genesisConfig('legacy-fees').transferConfigUsd;
const stepped = (text: string): string =>
  Amount.short(steppedFee(amount(text), transferFeeInitialRate, transferFeeSteps));

describe('the stepped transfer fee', () => {
  it.each([
    ['1', '0.01'],
    ['50', '0.5'],
    ['100', '1.0'],
    ['500', '1.4'],
    ['1000', '1.9'],
    ['5000', '2.3'],
    ['1000000', '101.791'],
    ['2000000', '111.791'],
    ['0', '0.0'],
    ['-5', '0.0'],
    ['0.0000000001', '0.0'],
  ])('of %s at price 1 is %s', (asked, fee) => {
    expect(stepped(asked)).toBe(fee);
  });

  it('has a third band that ends at 999,900, as published by the network', () => {
    expect(stepped('999900')).toBe('101.79');
    // From there on the last rate applies, a tenth of the one before.
    expect(stepped('1000900')).toBe('101.8');
  });

  it('of an amount at the end of a band ignores a next band of negative width', () => {
    // Widths 10, 1 and 12 - 21: thresholds that lie close make the network's widths fall below zero.
    const bands = [
      ['10', '0.1'],
      ['11', '0.1'],
      ['12', '0.2'],
    ] as const;
    const steps = bands.map(([from, rate]): FeeStep => ({ from: amount(from), rate: amount(rate) }));
    expect(steppedFee(amount('11'), amount('0.01'), steps)).toBe(amount('0.2'));
  });

  it('equals the initial rate without steps', () => {
    expect(steppedFee(amount('12345'), amount('0.01'), [])).toBe(amount('123.45'));
  });

  it('adds up one rounded product per band', () => {
    const rates = fc.bigInt({ min: 0n, max: Amount.one }).map((units) => Amount.ofUnits(units));
    const steps = fc
      .uniqueArray(fc.bigInt({ min: 1n, max: 10n ** 14n }), { maxLength: 4 })
      .chain((froms) =>
        fc.tuple(...froms.sort((a, b) => (a < b ? -1 : 1)).map((from) => fc.tuple(fc.constant(from), rates))),
      )
      .map((list) => list.map(([from, rate]): FeeStep => ({ from: Amount.ofUnits(from), rate })));
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), rates, steps, (units, initial, bands) => {
        expect(steppedFee(Amount.ofUnits(units), initial, bands)).toBe(naive(units, initial, bands));
      }),
      { numRuns: runs(500) },
    );
  });
});

/** The rule of §2.3 word by word, in decimals. */
function naive(units: bigint, initial: Amount, steps: readonly FeeStep[]): bigint {
  const decimal = (value: bigint): Decimal => new Decimal(value.toString()).div('1e10');
  const rounded = (value: Decimal): Decimal => value.toDecimalPlaces(10, Decimal.ROUND_HALF_EVEN);
  const thresholds = steps.map(({ from }) => decimal(from));
  let rest = decimal(units);
  let fee = new Decimal(0);
  let rate = decimal(initial);
  for (let i = 0; i < steps.length && rest.greaterThan(0); i++) {
    const earlier = thresholds.slice(0, i).reduce((sum, from) => sum.plus(from), new Decimal(0));
    const width = thresholds[i]!.minus(earlier); // one threshold a step
    fee = fee.plus(rounded(Decimal.min(rest, width).times(rate)));
    rest = rest.minus(width);
    rate = decimal(steps[i]!.rate); // as above
  }
  if (rest.greaterThan(0)) fee = fee.plus(rounded(rest.times(rate)));
  return BigInt(fee.times('1e10').toFixed(0));
}

describe('the accrued fee of a coin', () => {
  const holding = (value: string, createdAt: number, rate: string): Holding =>
    ({ amount: amount(value), createdAt, ratePerRound: amount(rate) }) as Holding;

  it.each([
    [5, '0.0'],
    [6, '0.0001268393'],
    [12, '0.0008878751'],
    [0, '0.0'],
    [100_000_000, '1000.0'],
  ])('of 1000 made in round 5, in round %i, is %s', (round, fee) => {
    expect(Amount.short(accruedFee(holding('1000', 5, '0.0001268393'), Round.of(round)))).toBe(fee);
  });

  it("never falls, lies between zero and the amount, and is zero up to the coin's round", () => {
    const rounds = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(rounds, rounds, rounds, fc.bigInt({ min: 1n, max: 10n ** 12n }), (created, a, b, rate) => {
        const coin = { ...holding('3', created, '0'), ratePerRound: Amount.ofUnits(rate) };
        const [early, late] = [Math.min(a, b), Math.max(a, b)].map((round) => accruedFee(coin, Round.of(round)));
        expect(early! <= late!).toBe(true);
        expect(early! >= 0n && late! <= coin.amount).toBe(true);
        if (Math.max(a, b) <= created) expect(late).toBe(0n);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('a single fee that is not zero', () => {
  const usual = genesisConfig('feeless').transferConfigUsd;
  const rate = amount('0.5');
  it.each<[what: string, change: Partial<typeof usual>, fee: string]>([
    ['for a coin', { createFee: amount('0.5') }, '0.5'],
    ['for a holder of a lock', { lockHolderFee: amount('0.5') }, '0.5'],
    ['as a share of the transferred amount', { transferFeeInitialRate: rate }, '5.0'],
    ['as a share of the transferred amount beyond a step', { transferFeeSteps: [{ from: amount('1'), rate }] }, '4.5'],
  ])('is charged exactly (%s)', (_, change, fee) => {
    const world = worldOf({
      amuletPrice: Amount.one,
      rules: { feeReserveFactor: 4 },
      config: { transferConfigUsd: { ...usual, ...change } },
    });
    const terms = { sender: alice, receiver: bob, amount: amount('10'), inputs: [world.fund(alice, '100')] };
    const offer: Command = { type: 'CreateOffer', ...terms, executeBefore: second(600) };
    const { detail } = world.accepted('TransferOffered', offer, alice);
    const accepted = world.accepted('TransferAccepted', { type: 'AcceptOffer', instruction: detail.instruction }, bob);
    const paid = [...(detail.fees?.outputFees ?? []), ...(accepted.detail.fees?.outputFees ?? [])];
    expect(paid.map(Amount.short)).toContain(fee);
  });
});
