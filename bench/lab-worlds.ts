import {
  DEFAULT_SETTINGS,
  parseScenario,
  replayStream,
  Run,
  runScenario,
  Streams,
  World,
  type PaymentStream,
  type PolicyName,
  type Scenario,
} from '@coinlab/sim';
import { grouped, type Figure } from './figure.js';
import { median } from './measure.js';

interface Cost {
  /** Seconds of processor time, including the threads of the garbage collector. */
  readonly seconds: number;
  /** Seconds of wall-clock time. */
  readonly elapsed: number;
  readonly updates: number;
  /** Largest resident set of the process so far, in MiB. */
  readonly mebibytes: number;
}

const UNIT = 10_000_000_000n;

/** M2: a generated stream through one wallet, two receipts per payment, amounts 1 : 2; no log, no hashes. */
export function generatedStream(events: number, policies: readonly PolicyName[]): readonly Figure[] {
  const stream = streamOf(events);
  return policies.map((policy) => {
    let updates = 0;
    const cost = costOf(() => {
      const report = replayStream(stream, { ...DEFAULT_SETTINGS, policy, mergeThreshold: 10 }, null);
      updates = report.rows;
      return updates;
    });
    return figure(
      'M2',
      `${grouped(events)} generated events, ${policy}, merging above 10`,
      cost,
      `below 15 s for 4,000,000`,
    );
  });
}

function streamOf(events: number): PaymentStream {
  const draws = new Streams(1).named('events');
  const rows: bigint[] = [];
  let balance = 0n;
  for (let i = 0; i < events; i++) {
    const amount = BigInt(1 + draws.below(1_000_000)) * (UNIT / 1000n);
    const isPayment = i % 3 === 2 && balance > 2n * amount;
    balance += isPayment ? -2n * amount : amount;
    rows.push(isPayment ? -2n * amount : amount);
  }
  return { kind: 'stream', file: 'generated', unit: 1n as PaymentStream['unit'], rows };
}

/**
 * M3: parties of every kind with rewards, merges and dust: about 200 transfers per party in 30 days; with metrics and a
 * hashed log.
 */
export function network(parties: number, days: number): Figure {
  const scenario = networkScenario(parties, days);
  let [transfers, bytes] = [0, 0];
  const cost = costOf(() => {
    const { summary, log } = runScenario(scenario);
    transfers = Number(summary.get('transfers'));
    bytes = log.bytes;
    return log.updates;
  });
  return figure(
    'M3',
    `${grouped(parties)} parties, ${days} days, ${grouped(transfers)} transfers, rewards, merges, dust; ${Math.round(bytes / 1e6)} MB of log`,
    cost,
    'below 10 s, 4.5 µs and 1 GiB for 10,000 parties and 30 days; below 110 s and 2 GiB for 100,000',
  );
}

function networkScenario(parties: number, days: number): Scenario {
  return scenarioOf(`
name: network
duration: { days: ${days} }
network: { preset: 2026-04 }
parties:
  - name: payers
    count: ${Math.round(parties * 0.94)}
    payments: { arrivals: { poisson: { perDay: 7 } }, amount: { round: { median: "5", sigma: 1.2, digits: 2 } }, to: { choice: { uniform: true } } }
  - { name: shops, temperament: merchant, count: ${Math.round(parties * 0.05)} }
  - { name: dusty, temperament: faucet-user, count: ${Math.round(parties * 0.009)}, income: { every: 36, amount: { constant: "0.01", step: "0.01" } }, wallet: { merge: { never: true } } }
  - { name: nodes, temperament: validator, count: ${Math.max(1, Math.round(parties * 0.0008))} }
  - { name: apps, temperament: app-provider, count: ${Math.max(1, Math.round(parties * 0.0002))} }
metrics: { every: 36 }
`);
}

/** M4: many parties with ten UTXOs each, and as many transfers as UTXOs; with metrics, without log and hashes. */
export function crowd(parties: number): Figure {
  return figureOfCrowd('M4', crowdOf(parties, 10), 'below 45 s and 4 GiB for 1,000,000 parties, founding below 10 s');
}

/**
 * M7: the growth of time and memory with the number of parties, two transfers per party.
 * @param measured runs a number of parties in a separate process; null if it stopped, for lack of memory
 */
export function growth(sizes: readonly number[], measured: (parties: number) => Crowd | null): readonly Figure[] {
  const target = 'below 900 s and 16 GiB for 10,000,000 parties';
  return sizes.map((parties) => {
    const crowd = measured(parties);
    if (crowd) return figureOfCrowd('M7', crowd, target);
    return { goal: 'M7', what: `${grouped(parties)} parties`, ours: 'stopped', reference: '–', ratio: 0, target };
  });
}

/** The cost of a network of equal parties. */
export interface Crowd {
  readonly parties: number;
  readonly cost: Cost;
  /** Seconds of wall-clock time until the first round. */
  readonly founding: number;
  readonly utxos: number;
  readonly transfers: number;
}

/** Runs parties with ten UTXOs each that make a transfer per round; with metrics, without log and hashes. */
export function crowdOf(parties: number, rounds: number): Crowd {
  const scenario = scenarioOf(`
name: crowd
duration: { rounds: ${rounds} }
network: { rewards: false, expiresDust: false }
parties:
  - name: people
    count: ${parties}
    opening: { coins: 10, amount: { uniform: { least: "10", most: "1000" } } }
    payments: { arrivals: { every: { rounds: 1, count: 1 } }, amount: { uniform: { least: "1", most: "100" } } }
metrics: { every: ${rounds} }
`);
  let [founding, utxos, transfers] = [0, 0, 0];
  const cost = costOf(() => {
    const began = performance.now();
    const run = new Run(scenario, { isLogged: false, isHashed: false });
    founding = (performance.now() - began) / 1000;
    while (!run.isOver) run.playRound();
    const { summary } = run.result();
    utxos = Number(summary.get('utxos.final'));
    transfers = Number(summary.get('transfers'));
    // The metrics exclude the set-up, which allocates and preapproves each party and gives it ten coins.
    return 12 * parties + Number(summary.get('updates'));
  });
  return { parties, cost, founding, utxos, transfers };
}

function figureOfCrowd(goal: string, { parties, cost, founding, utxos, transfers }: Crowd, target: string): Figure {
  const what = `${grouped(parties)} parties, ${grouped(utxos)} UTXOs at the end, ${grouped(transfers)} transfers; founding ${founding.toFixed(1)} s`;
  const { elapsed, mebibytes } = cost;
  return { ...figure(goal, what, cost, target), values: { parties, founding, elapsed, mebibytes } };
}

/**
 * M6: the cost of metrics and progress reports, relative to the same world without listeners. Without
 * listeners, plain transfers create no updates.
 * @param secondsOf returns the processor time of a run in a separate process, so that the runs share no
 * compiled code
 */
export function watching(secondsOf: (what: 'alone' | 'watched') => number): Figure {
  const rounds = Array.from({ length: 3 }, () => ({ alone: secondsOf('alone'), watched: secondsOf('watched') }));
  const [alone, watched] = [median(rounds.map((round) => round.alone)), median(rounds.map((round) => round.watched))];
  return {
    goal: 'M6',
    what: 'a run with metrics and progress, relative to the world alone',
    ours: `${watched.toFixed(2)} s CPU`,
    reference: `${alone.toFixed(2)} s CPU`,
    ratio: watched / alone,
    target: 'below 1.1',
  };
}

/** Returns the processor time of a network run in seconds: with metrics, or without listeners. */
export function secondsOfRun(parties: number, days: number, what: 'alone' | 'watched'): number {
  const scenario = networkScenario(parties, days);
  let told = 0;
  return costOf(() => {
    if (what === 'watched')
      return runScenario(scenario, { isLogged: false, isHashed: false, onProgress: () => (told += 1) }).rounds;
    const world = new World(scenario, { onEntry: () => undefined });
    while (!world.isOver) world.playRound();
    return world.updates;
  }).seconds;
}

function figure(goal: string, what: string, cost: Cost, target: string): Figure {
  const { seconds, elapsed, updates, mebibytes } = cost;
  return {
    goal,
    what,
    ours: `${elapsed.toFixed(1)} s, ${seconds.toFixed(1)} s CPU, ${grouped(Math.round(mebibytes))} MiB`,
    reference: '–',
    ratio: (seconds * 1e6) / Math.max(1, updates),
    target,
    elapsed,
  };
}

function costOf(work: () => number): Cost {
  globalThis.gc?.();
  const before = process.cpuUsage();
  const began = performance.now();
  const updates = work();
  const elapsed = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, elapsed, updates, mebibytes: process.resourceUsage().maxRSS / 1024 };
}

function scenarioOf(text: string): Scenario {
  const parsed = parseScenario(text, 'bench');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}
