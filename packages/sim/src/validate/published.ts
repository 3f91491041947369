import { mean } from 'simple-statistics';
import { about, exactly, open, within, type Check, type Subject, type Tick } from './check.js';
import { playCycles, playRows, type Cycles, type CyclesResult } from './cycles.js';
import { paymentsIn, type ValidationData } from './data.js';
import { largestFirstAlone } from './largest-first-alone.js';
import type { Policies } from './reference.js';
import { normal, SIMULATIONS } from './simulations.js';

const GROWTH: Omit<Cycles, 'policy' | 'cycles' | 'seed'> = {
  opening: '1000000',
  deposit: normal(1000, 0.3),
  deposits: 3,
  payment: normal(3000, 0.3),
  payments: 1,
  warmup: 0,
};

const GROWTH_SETUP = 'normal 1000 and 3000, 3:1, opening 1,000,000';

const cyclesOf = (isQuick: boolean): number => (isQuick ? 2000 : 6000);
const ALONE = { isQuick: 3000, full: 10_000 } as const;

export function* publishedChecks(
  {
    data,
    policies,
    isQuick,
    withoutLongRuns,
  }: {
    readonly data: ValidationData;
    readonly policies: Policies;
    readonly isQuick: boolean;
    readonly withoutLongRuns: boolean;
  },
  tick: Tick,
): Generator<Check> {
  for (const { setup, run, figures } of SIMULATIONS) {
    const of = subject(`random-improve, ${setup}`);
    const cycles = cyclesOf(isQuick);
    const result = playCycles({
      ...run,
      policy: policies['random-improve'],
      cycles,
      warmup: cycles / 10,
      seed: 1,
    });
    tick(cycles * (run.deposits + run.payments));
    for (const [figure, found, value, error] of figures)
      yield within(of, figure, about(value, error, 2), found(result));
  }
  yield* growth(policies, isQuick, tick);
  if (!withoutLongRuns) yield* longGrowth(policies, tick);
  if (!isQuick) yield* onRealPayments(data, policies, tick);
  yield* unreproduced();
}

export function publishedWork(isQuick: boolean): number {
  const simulated = SIMULATIONS.reduce((sum, { run }) => sum + cyclesOf(isQuick) * (run.deposits + run.payments), 0);
  return simulated + 4 * (isQuick ? ALONE.isQuick : ALONE.full) + (isQuick ? 0 : 2 * cyclesOf(false) + SEEDS * 36_248);
}

const LONG_RUNS = 20;

function* growth(policies: Policies, isQuick: boolean, tick: Tick): Generator<Check> {
  const cycles = isQuick ? ALONE.isQuick : ALONE.full;
  const short = { ...GROWTH, cycles, seed: 1 };
  const throughLedger = playCycles({ ...short, policy: policies['largest-first'] });
  tick(4 * cycles);
  const of = subject(`largest-first, ${GROWTH_SETUP}`);
  yield exactly(
    of,
    `UTXOs after ${cycles} cycles, arithmetic and ledger`,
    largestFirstAlone(short),
    throughLedger.finalUtxos,
  );
}

function* longGrowth(policies: Policies, tick: Tick): Generator<Check> {
  const of = subject(`largest-first, ${GROWTH_SETUP}`);
  // The balance is a random walk, so the ends of single runs have a standard deviation of 36,000: 20,000 is 2.5 s.e. of their mean.
  const ends = Array.from({ length: LONG_RUNS }, (_, i) =>
    largestFirstAlone({ ...GROWTH, cycles: 1_000_000, seed: i + 1 }),
  );
  const end = mean(ends);
  const note = 'computed without the ledger; the check above compares both';
  yield {
    ...within(of, `UTXOs after 1,000,000 cycles, mean of ${LONG_RUNS} seeds`, about(60_000, 20_000, 0), end, 0),
    note,
  };
  const random = playCycles({
    policy: policies.random,
    opening: GROWTH.opening,
    deposit: normal(1000, 0.3),
    deposits: 1,
    payment: normal(1000, 0.3),
    payments: 1,
    cycles: cyclesOf(false),
    warmup: cyclesOf(false) / 10,
    seed: 1,
  });
  tick(2 * cyclesOf(false));
  yield within(
    subject('random, normal 1000, 1:1'),
    'orders of magnitude fewer UTXOs than largest-first',
    about(2, 1, 0),
    Math.log10(end / random.meanUtxos),
  );
}

const SEEDS = 3;

/** No fees, and payments above the balance are skipped: this rule reproduces the source's figures. */
function* onRealPayments(data: ValidationData, policies: Policies, tick: Tick): Generator<Check> {
  const { rows } = paymentsIn(data);
  const of = subject(`random-improve, real payments, mean of ${SEEDS} seeds`);
  const results = Array.from({ length: SEEDS }, (_, seed) => {
    tick(rows.length);
    return playRows(rows, policies['random-improve'], seed + 1);
  });
  const meanOf = (figure: (result: CyclesResult) => number): number => mean(results.map(figure));
  yield within(
    of,
    'mean UTXOs',
    about(130, 6.5, 0),
    meanOf(({ meanUtxos }) => meanUtxos),
    1,
  );
  yield within(
    of,
    'inputs per payment',
    about(3.03, 0.05, 2),
    meanOf(({ meanInputs }) => meanInputs),
  );
  yield within(
    of,
    'share with one input',
    about(0.5, 0.05, 2),
    meanOf(({ shareWithin }) => shareWithin(1)),
  );
  yield within(
    of,
    'share with six or fewer',
    about(0.9, 0.05, 2),
    meanOf(({ shareWithin }) => shareWithin(6)),
  );
}

function* unreproduced(): Generator<Check> {
  yield open(
    subject('branch and bound of the thesis, real payments'),
    'mean UTXOs; inputs; exact matches',
    '109; 2.7; 30 %',
    'its search includes the fee, ours does not; its search limit is not stated',
  );
  yield open(
    subject('coin-age priority of the thesis, real payments'),
    'UTXOs against the knapsack of Bitcoin Core',
    '15 times',
    'coinlab implements neither of the two programs',
  );
}

function subject(text: string): Subject {
  return { part: 'published results', subject: text };
}
