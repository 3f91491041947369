import { openCompactLog, openEngine, openLedger, type Ledger } from '@coinlab/core';
import { counted, perSecond, type Figure } from './figure.js';
import { exponent, median } from './measure.js';
import { accept, sha256, World, type Payment } from './world.js';

const ROUNDS = 7;
/** Calls of each contestant in a round: as many for all, so that all find the memory as warm. */
const callsFor = (size: number): number => Math.min(50_000, Math.max(10_000, size / 2));

/** Who makes the payments of one and the same world, so many at a time. */
interface Contestant {
  readonly world: World;
  pay(payment: Payment): void;
}

/** Time per transfer of the engine and of the immutable ledger in a world of one size, and of the bound beside each. */
export interface Point {
  readonly size: number;
  readonly bound: number;
  readonly engine: number;
  readonly ledgersBound: number;
  readonly ledger: number;
  /** Medians over the rounds of what each round gave: noise of a shared machine hits both sides of a round alike. */
  readonly engineRatio: number;
  readonly ledgerRatio: number;
}

/** The points of one size after the other: first the engine at all sizes, then the ledger, as nobody uses both in turn. */
export function measureSpeed(sizes: readonly number[], say: (text: string) => void): readonly Point[] {
  const engines = sizes.map((size) => {
    say(`transfers of the engine at ${counted(size)} coins …`);
    return besideBound(size, engineOf(size));
  });
  return sizes.map((size, i) => {
    say(`transfers of the ledger at ${counted(size)} coins …`);
    const engine = engines[i] as Pair;
    const ledger = besideBound(size, ledgerOf(size));
    return {
      size,
      bound: engine.bound,
      engine: engine.ours,
      engineRatio: engine.ratio,
      ledgersBound: ledger.bound,
      ledger: ledger.ours,
      ledgerRatio: ledger.ratio,
    };
  });
}

/** S1 to S3: cost per transfer beside the bound's, round by round, and how all of them grow. */
export function speedFigures(points: readonly Point[]): readonly Figure[] {
  const sizes = points.map(({ size }) => size);
  const growthOfBound = exponent(points.map(({ size, bound }) => ({ size, nanos: bound })));
  const figures: Figure[] = [];
  for (const [name, goal, target] of [
    ['engine', 'S1/S2', '3x at 100k, 4x anywhere'],
    ['ledger', 'S3', '12x (stretch), 20,000/s'],
  ] as const) {
    const label = name === 'engine' ? 'Engine, compact log' : 'Ledger, a version per command';
    for (const point of points)
      figures.push({
        goal,
        what: `${label}, transfer at ${counted(point.size)} coins`,
        ours: `${counted(point[name])} ns (${perSecond(point[name])}/s)`,
        reference: `bound ${counted(name === 'engine' ? point.bound : point.ledgersBound)} ns`,
        ratio: name === 'engine' ? point.engineRatio : point.ledgerRatio,
        target,
      });
    const growth = exponent(points.map((point) => ({ size: point.size, nanos: point[name] })));
    figures.push({
      goal: name === 'engine' ? 'S2' : 'S3',
      what: `${label}, cost exponent ${counted(sizes[0] ?? 0)} to ${counted(sizes.at(-1) ?? 0)}`,
      ours: growth.toFixed(3),
      reference: `bound ${growthOfBound.toFixed(3)}`,
      ratio: growth,
      target: 'at most 0.35',
    });
  }
  return figures;
}

/** One of ours beside the bound, in nanoseconds. */
interface Pair {
  readonly bound: number;
  readonly ours: number;
  readonly ratio: number;
}

function besideBound(size: number, ours: Contestant): Pair {
  const bound = boundOf(size);
  const calls = callsFor(size);
  const rounds = Array.from({ length: ROUNDS + 1 }, () => ({
    bound: nanosPerPayment(bound, calls),
    ours: nanosPerPayment(ours, calls),
  })).slice(1);
  return {
    bound: median(rounds.map((round) => round.bound)),
    ours: median(rounds.map((round) => round.ours)),
    ratio: median(rounds.map((round) => round.ours / round.bound)),
  };
}

function nanosPerPayment(contestant: Contestant, calls: number): number {
  const payments = contestant.world.payments(calls);
  const start = process.hrtime.bigint();
  for (const payment of payments) contestant.pay(payment);
  return Number(process.hrtime.bigint() - start) / calls;
}

function boundOf(size: number): Contestant {
  const world = new World(size);
  const bound = world.bound();
  return {
    world,
    pay({ sender, receiver, units }) {
      bound.transfer(sender, receiver, Math.floor(units / 1e10), units % 1e10);
    },
  };
}

/** Command, decision, update, compact log, evolution; inputs chosen from the state. */
function engineOf(size: number): Contestant {
  const world = new World(size);
  const log = openCompactLog(1, sha256);
  const engine = openEngine({ ...world.options, log });
  for (const { command, context } of world.opening()) accept(engine.submit(command, context));
  const preapprovals = world.preapprovals(engine.state);
  return {
    world,
    pay(payment) {
      const { command, context } = world.command(payment, engine.state, preapprovals);
      engine.execute(command, context);
    },
  };
}

function ledgerOf(size: number): Contestant {
  const world = new World(size);
  let ledger: Ledger = openLedger(world.options);
  for (const { command, context } of world.opening()) ledger = accept(ledger.submit(command, context)).ledger;
  const preapprovals = world.preapprovals(ledger.state);
  return {
    world,
    pay(payment) {
      const { command, context } = world.command(payment, ledger.state, preapprovals);
      const next = ledger.submit(command, context);
      if (next.ok) ledger = next.value.ledger;
    },
  };
}
