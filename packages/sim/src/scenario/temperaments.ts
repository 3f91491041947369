import type { GroupInput, Temperament } from './group.js';

export type Habits = Required<
  Pick<GroupInput, 'payments' | 'receives' | 'wallet' | 'income' | 'opening' | 'validator' | 'featured'>
>;

const DAY = [2, 1, 1, 1, 1, 2, 3, 5, 7, 8, 9, 9, 10, 10, 10, 10, 9, 9, 9, 8, 7, 6, 5, 3];
const WEEK = [10, 10, 10, 10, 11, 8, 6];

const quiet: Habits = {
  payments: null,
  receives: { preapproved: true },
  wallet: { select: 'smallest-first', merge: { threshold: 10 }, sweep: null, faults: [] },
  income: null,
  opening: { coins: 1, amount: { constant: '100' } },
  validator: null,
  featured: false,
};

/** Default habits of each temperament. These are assumptions; a group can override each of them. */
export const TEMPERAMENT_HABITS: Readonly<Record<Temperament, Habits>> = {
  /** Pays a few round amounts a day, mostly to the same parties. */
  payer: {
    ...quiet,
    payments: {
      arrivals: { poisson: { perDay: 2 } },
      rhythm: { hours: DAY, days: WEEK },
      amount: { round: { median: '20', sigma: 1.2, digits: 2 } },
      to: { choice: { zipf: 0.9 } },
    },
    opening: { coins: 5, amount: { logNormal: { median: '200', sigma: 0.8 } } },
  },
  /** Receives often, refunds rarely. */
  merchant: {
    ...quiet,
    payments: {
      arrivals: { poisson: { perDay: 0.5 } },
      rhythm: { hours: DAY, days: WEEK },
      amount: { round: { median: '20', sigma: 1.2, digits: 2 } },
    },
    opening: { coins: 2, amount: { constant: '500' } },
  },
  /** A hot wallet: deposits from outside every round, about the same amount withdrawn in bursts. */
  exchange: {
    ...quiet,
    payments: {
      arrivals: { bursts: { perDay: 100, size: 4 } },
      amount: { logNormal: { median: '100', sigma: 1.2 } },
      to: { choice: { uniform: true } },
      whenShort: 'wait',
    },
    income: { every: 1, amount: { logNormal: { median: '400', sigma: 0.85 } } },
    opening: { coins: 50, amount: { logNormal: { median: '5000', sigma: 1 } } },
  },
  /** Receives and never pays or merges. */
  hoarder: { ...quiet, wallet: { ...quiet.wallet, merge: { never: true } } },
  /** Hosts wallets, records liveness, collects rewards, tops up traffic. */
  validator: {
    ...quiet,
    opening: { coins: 1, amount: { constant: '10000' } },
    wallet: { ...quiet.wallet, merge: { threshold: 10 } },
  },
  /** Featured: transfers of its users earn it app rewards. */
  'app-provider': {
    ...quiet,
    featured: true,
    opening: { coins: 1, amount: { constant: '10000' } },
  },
  /** Taps a faucet and makes small payments. */
  'faucet-user': {
    ...quiet,
    income: { every: 144, amount: { constant: '10' } },
    payments: { arrivals: { poisson: { perDay: 4 } }, amount: { uniform: { least: '0.01', most: '2' } } },
    opening: { coins: 1, amount: { constant: '10' } },
  },
  /** Holds its own key and answers offers manually. */
  'external-party': {
    ...quiet,
    receives: { offers: { accepts: 0.95, rejects: 0.02, withdraws: 0.01, after: { exponential: { mean: '2h' } } } },
    payments: { arrivals: { poisson: { perDay: 0.5 } }, amount: { round: { median: '100', sigma: 1.5, digits: 2 } } },
    opening: { coins: 3, amount: { constant: '300' } },
  },
  /** Merges the coins of other parties under their delegations. */
  'wallet-provider': { ...quiet, opening: { coins: 1, amount: { constant: '10000' } } },
  /** Sends dust to many parties. */
  adversary: {
    ...quiet,
    payments: {
      arrivals: { every: { rounds: 1, count: 20 } },
      amount: { constant: '0.0001', step: '0.0001' },
      to: { choice: { uniform: true } },
    },
    opening: { coins: 10, amount: { constant: '100' } },
  },
};
