import type { Update } from '@coinlab/core';
import { mean, variance } from 'simple-statistics';
import { runScenario } from '../run/run.js';
import type { Scenario } from '../scenario/scenario.js';
import { World } from '../world/world.js';
import { about, exactly, within, type Check, type Range } from './check.js';
import { bytesOf, figureOf, scenarioOf, subject, updatesOf } from './lab-scenario.js';

export function* runChecks(): Generator<Check> {
  yield* pairing();
  yield* traffic();
  yield* merges();
  yield* arrivals();
  yield* answers();
}

function spread(value: number, error: number, digits: number): Range {
  return about(value, Number(error.toFixed(3)), digits);
}

const RICH = `opening: { coins: 30, amount: { constant: '1000' } }`;

function payers(select: string, rate: number = 30): Scenario {
  return scenarioOf(`
name: paired
duration: { rounds: 144 }
network: { rewards: false, expiresDust: false }
parties:
  - { name: payers, count: 10, ${RICH}, wallet: { select: ${select}, merge: { never: true } }, payments: { arrivals: { poisson: { perDay: ${rate} } }, amount: { uniform: { least: '1', most: '9' } }, to: { groups: [payers] } } }
`);
}

function paymentsOf(scenario: Scenario, replicate: number = 0): ReadonlySet<string> {
  return new Set(
    updatesOf(scenario, 'TransferCompleted', replicate).flatMap((update) =>
      update.kind === 'TransferCompleted'
        ? [`${update.detail.sender} ${update.recordTime} ${update.detail.receiver} ${update.detail.amount}`]
        : [],
    ),
  );
}

function* pairing(): Generator<Check> {
  const of = subject('pairing: payments that two runs share, by counting');
  const [first, other, lucky, next] = [
    paymentsOf(payers('smallest-first')),
    paymentsOf(payers('largest-first')),
    paymentsOf(payers('random')),
    paymentsOf(payers('smallest-first'), 1),
  ];
  const shared = (there: ReadonlySet<string>): number => [...first].filter((payment) => there.has(payment)).length;
  yield exactly(of, 'another policy: all', first.size, shared(other));
  yield exactly(of, 'a random policy: all', first.size, shared(lucky));
  yield exactly(of, 'another replicate: none', 0, shared(next));
}

function* traffic(): Generator<Check> {
  const of = subject('traffic: hand-counted bytes of one payment');
  for (const coins of [1, 4, 9]) {
    const result = runScenario(
      scenarioOf(`
name: traffic
duration: { rounds: 1 }
network: { rewards: false, expiresDust: false }
parties:
  - { name: payer, count: 1, opening: { coins: ${coins}, amount: { constant: '10' } }, wallet: { merge: { never: true } }, payments: { arrivals: { every: { rounds: 1 } }, amount: { constant: '${coins * 10 - 5}' }, to: { groups: [payee] } } }
  - { name: payee, count: 1, payments: null, opening: { coins: 0, amount: { constant: '1' } } }
`),
    );
    const before = figureOf(result, 'payer/traffic.bytes');
    yield exactly(of, `${coins} inputs, 2 outputs`, bytesOf(coins, 2), before);
  }
}

interface Saver {
  readonly merge: string;
  readonly rounds: number;
  readonly coins: (receipts: number) => number;
  readonly merges: number;
}

/**
 * Compares merge policies with closed forms for one receipt per round. A trigger above T merges T + 1 coins. If k coins
 * remain, a cycle has T + 1 − k receipts.
 */
function* merges(): Generator<Check> {
  const savers: readonly (readonly [string, Saver])[] = [
    ['above 9, all into one', { merge: '{ threshold: 9 }', rounds: 90, coins: (n) => ((n - 1) % 9) + 1, merges: 9 }],
    [
      'above 9, keeping the 3 largest',
      {
        merge: '{ keepLargest: { keep: 3, above: 9 } }',
        rounds: 93,
        coins: (n) => (n <= 9 ? n : ((n - 10) % 6) + 4),
        merges: 14,
      },
    ],
    [
      'every hour above 2: six receipts and the merged coin',
      {
        merge: '{ period: { every: 1h, above: 2 } }',
        rounds: 60,
        coins: (n) => (n % 6 === 0 ? 1 : (n % 6) + (n < 6 ? 0 : 1)),
        merges: 10,
      },
    ],
    [
      'by delegation every hour above 3',
      {
        merge: '{ delegated: { operator: provider, above: 3, every: 1h } }',
        rounds: 60,
        coins: (n) => (n % 6 === 0 ? 1 : (n % 6) + (n < 6 ? 0 : 1)),
        merges: 10,
      },
    ],
  ];
  for (const [told, { merge, rounds, coins, merges: expected }] of savers) {
    const of = subject(`merges: ${told}, closed form`);
    const result = runScenario(
      scenarioOf(`
name: saver
duration: { rounds: ${rounds} }
network: { rewards: false, expiresDust: false }
parties:
  - { name: saver, count: 1, payments: null, opening: { coins: 0, amount: { constant: '1' } }, income: { every: 1, amount: { constant: '5' } }, wallet: { merge: ${merge} } }
  - { name: provider, count: 1, payments: null, opening: { coins: 1, amount: { constant: '1' } } }
`),
    );
    const expectedMean = mean(Array.from({ length: rounds }, (_, i) => coins(i + 1)));
    yield exactly(of, 'mean UTXOs', expectedMean.toFixed(6), figureOf(result, 'saver/utxosPerParty.mean').toFixed(6));
    yield exactly(of, 'UTXOs at the end', coins(rounds), figureOf(result, 'saver/utxos.final'));
    yield exactly(of, 'merges', expected, figureOf(result, 'merges'));
  }
}

function* arrivals(): Generator<Check> {
  const parties = 400;
  const world = (arrival: string, rhythm: string = '{}'): Scenario =>
    scenarioOf(`
name: arrivals
duration: { rounds: 288 }
network: { rewards: false, expiresDust: false }
parties:
  - { name: payers, count: ${parties}, opening: { coins: 1, amount: { constant: '100000' } }, payments: { arrivals: ${arrival}, rhythm: ${rhythm}, amount: { constant: '1' }, to: { groups: [payers], choice: { zipf: 1 } } } }
`);
  const sent = (scenario: Scenario): readonly Update[] => updatesOf(scenario, 'TransferCompleted');
  const bySender = (updates: readonly Update[]): readonly number[] => {
    const counts = new Map<string, number>();
    for (const { actAs } of updates) counts.set(String(actAs[0]), (counts.get(String(actAs[0])) ?? 0) + 1);
    return Array.from({ length: parties }, (_, i) => [...counts.values()][i] ?? 0);
  };
  const poisson = sent(world('{ poisson: { perDay: 6 } }'));
  const random = subject('arrivals: 400 parties, two days, within 4 s.e.');
  const counts = bySender(poisson);
  yield within(random, 'Poisson, mean per party, 2 · 6', spread(12, 4 * Math.sqrt(12 / parties), 2), mean([...counts]));
  yield within(
    random,
    'Poisson, variance per party',
    spread(12, 4 * 12 * Math.sqrt(2 / parties), 2),
    variance([...counts]),
  );
  const bursts = bySender(sent(world('{ bursts: { perDay: 2, size: 4 } }')));
  // The variance of a compound Poisson sum of geometric sizes with mean m: rate · (2m² − m).
  yield within(
    random,
    'bursts, mean per party, 2 · 2 · 4',
    spread(16, 4 * Math.sqrt((4 * 28) / parties), 2),
    mean([...bursts]),
  );
  yield exactly(
    random,
    'every 12 rounds, 3 each, payments',
    24 * 3 * parties,
    sent(world('{ every: { rounds: 12, count: 3 } }')).length,
  );
  const most = Array.from({ length: parties }, (_, i) => 1 / (i + 1)).reduce((sum, weight) => sum + weight, 0);
  const toFirst = poisson.filter(
    (update) => update.kind === 'TransferCompleted' && update.detail.receiver.startsWith('payers-0::'),
  );
  const share = 1 / most;
  const error = 4 * Math.sqrt((share * (1 - share)) / poisson.length);
  yield within(
    random,
    'Zipf, share of the first receiver, 1 / H(400)',
    spread(share, error, 3),
    toFirst.length / poisson.length,
  );
  const rhythm = subject('rhythm: only hour 13 and half of it in hour 20');
  const weights = Array.from({ length: 24 }, (_, hour) => (hour === 13 ? 2 : hour === 20 ? 1 : 0));
  const hours = sent(world('{ poisson: { perDay: 6 } }', `{ hours: [${weights.join(', ')}] }`)).map(hourOf);
  yield exactly(rhythm, 'payments outside', 0, hours.filter((hour) => hour !== 13 && hour !== 20).length);
  const twoThirds = 4 * Math.sqrt(2 / 9 / hours.length);
  yield within(
    rhythm,
    'share in hour 13',
    spread(2 / 3, twoThirds, 3),
    hours.filter((hour) => hour === 13).length / hours.length,
  );
  const weekday = sent(world('{ poisson: { perDay: 6 } }', '{ days: [0, 0, 0, 0, 1, 0, 0] }'));
  yield exactly(
    rhythm,
    'only Fridays: payments on Thursday, 1 January 2026',
    0,
    weekday.filter(({ recordTime }) => dayOf(recordTime) === 0).length,
  );
}

/** The first round begins ten minutes after the genesis. */
function hourOf({ recordTime }: Update): number {
  return Math.floor(Number(recordTime - GENESIS - TEN_MINUTES) / 3.6e9) % 24;
}

function dayOf(recordTime: bigint): number {
  return Math.floor(Number(recordTime - GENESIS - TEN_MINUTES) / 8.64e10);
}

const GENESIS = BigInt(Date.UTC(2026, 0, 1)) * 1000n;
const TEN_MINUTES = 600_000_000n;

function* answers(): Generator<Check> {
  const of = subject('offers: shares of the answers, within 4 s.e.');
  const counts = new Map<string, number>();
  const world = new World(
    scenarioOf(`
name: offers
duration: { rounds: 300 }
network: { rewards: false, expiresDust: false }
parties:
  - { name: payers, count: 40, ${RICH}, receives: { offers: { accepts: 0.5, rejects: 0.3, withdraws: 0.1, after: { constant: 10m }, expiresAfter: 1h } }, payments: { arrivals: { every: { rounds: 6 } }, amount: { constant: '1' }, to: { groups: [payers] } } }
`),
    { onEntry: ({ kind }) => void counts.set(kind, (counts.get(kind) ?? 0) + 1) },
  );
  while (!world.isOver) world.playRound();
  const offers = counts.get('TransferOffered') ?? 0;
  // Offers of the last hour have no answer yet.
  for (const [kind, figure, share] of [
    ['TransferAccepted', 'accepted', 0.5],
    ['TransferRejected', 'rejected', 0.3],
    ['TransferWithdrawn', 'withdrawn by the sender', 0.1],
  ] as const) {
    const error = 4 * Math.sqrt((share * (1 - share)) / offers) + 0.01;
    yield within(of, figure, spread(share, Number(error.toFixed(4)), 2), (counts.get(kind) ?? 0) / offers);
  }
}
