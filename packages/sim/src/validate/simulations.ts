import type { AmountDistribution } from '../scenario/values.js';
import type { Cycles, CyclesResult } from './cycles.js';

/*
 * Self-organisation in coin selection (de Vries, 2018). The source gives means and ratios, read off its plots, and no deviations:
 * we use a tenth of the mean, for largest-first three tenths. Each tolerance follows its figure.
 */

export const normal = (mean: number, share: number): AmountDistribution => ({
  normal: { mean: String(mean), deviation: String(mean * share) },
  step: '1',
});
const exponential = (mean: number): AmountDistribution => ({ exponential: { mean: String(mean) }, step: '1' });
const constant = (amount: number): AmountDistribution => ({ constant: String(amount), step: '1' });

export interface Simulation {
  readonly setup: string;
  readonly run: Pick<Cycles, 'opening' | 'deposit' | 'deposits' | 'payment' | 'payments'>;
  readonly figures: readonly (readonly [
    name: string,
    of: (result: CyclesResult) => number,
    value: number,
    error: number,
  ])[];
}

const ratio = (result: CyclesResult): number => result.medianRatio;
const inputs = (result: CyclesResult): number => result.meanInputs;

export const SIMULATIONS: readonly Simulation[] = [
  {
    setup: 'normal, 3:1',
    run: { opening: '100000', deposit: normal(1000, 0.1), deposits: 3, payment: normal(3000, 0.1), payments: 1 },
    figures: [
      ['median change to payment', ratio, 1, 0.1],
      ['inputs per payment', inputs, 3.5, 0.6],
    ],
  },
  {
    setup: 'normal, 10:1',
    run: { opening: '100000', deposit: normal(1000, 0.1), deposits: 10, payment: normal(10_000, 0.1), payments: 1 },
    figures: [
      ['median change to payment', ratio, 1, 0.1],
      ['inputs per payment', inputs, 10.5, 0.6],
    ],
  },
  {
    setup: 'exponential, 1:1',
    run: { opening: '100000', deposit: exponential(1000), deposits: 1, payment: exponential(1000), payments: 1 },
    figures: [
      ['median change to payment', ratio, 1.5, 0.15],
      ['share with one input', ({ shareWithin }) => shareWithin(1), 0.53, 0.03],
    ],
  },
  {
    setup: 'exponential, 3:1',
    run: { opening: '100000', deposit: exponential(1000), deposits: 3, payment: exponential(3000), payments: 1 },
    figures: [['median change to payment', ratio, 1.1, 0.1]],
  },
  {
    setup: 'exponential, 10:1',
    run: { opening: '100000', deposit: exponential(1000), deposits: 10, payment: exponential(10_000), payments: 1 },
    figures: [['median change to payment', ratio, 1, 0.1]],
  },
  {
    setup: 'deposits of 10,000, payments of 1,000, 1:10',
    run: { opening: null, deposit: constant(10_000), deposits: 1, payment: constant(1000), payments: 10 },
    figures: [['median change to payment (9, 8, … 0)', ratio, 5, 0.5]],
  },
];
