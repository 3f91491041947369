import { GENESIS_TIME, openCompactLog, openEngine, openLedger, type Ledger } from '@coinlab/core';
import { pay, walletOf } from '@coinlab/core/simulation';
import { counted, perSecond, type Figure } from './figure.js';
import { exponent, median } from './measure.js';
import { accept, sha256, World } from './world.js';

const ROUNDS = 9;
/** Number of warm-up rounds; compilation takes about a second. */
const WARMING = 4;
const CALLS = 50_000;

/** Makes payments in a world. Both contestants of a pair use equal worlds. */
interface Contestant {
  readonly world: World;
  pay(sender: number, receiver: number, units: number): void;
}

/** The ways to make a payment. Each is measured in a process of its own, because no program mixes them. */
export const WAYS = [
  {
    way: 'numbers',
    goal: 'S1/S2',
    label: 'Engine, payments in numbers',
    target: '3x at 100k, 4x anywhere',
    open: byNumbers,
  },
  { way: 'commands', goal: 'S1/S2', label: 'Engine, commands', target: '3x at 100k, 4x anywhere', open: byCommands },
  {
    way: 'ledger',
    goal: 'S3',
    label: 'Ledger, a version per command',
    target: '12x (stretch), 20,000/s',
    open: byVersions,
  },
] as const;

/** The cost of one way and of the bound in a world of one size, in nanoseconds per payment. */
export interface Pair {
  readonly size: number;
  readonly bound: number;
  readonly ours: number;
  /** Median of the ratios of all rounds. Noise of a shared machine affects both sides of a round alike. */
  readonly ratio: number;
}

/** The names of a way, and its cost in worlds of several sizes. */
export type Speed = Pick<(typeof WAYS)[number], 'goal' | 'label' | 'target'> & { readonly pairs: readonly Pair[] };

export function costsOf(
  { label, open }: (typeof WAYS)[number],
  sizes: readonly number[],
  say: (text: string) => void,
): readonly Pair[] {
  settleMemory(sizes[0] ?? 1_000, open);
  return sizes.map((size) => {
    say(`${label}: ${counted(size)} coins …`);
    return besideBound(size, open(size));
  });
}

/**
 * Makes payments that are not measured, and frees their memory. On a virtual machine the first use of memory can take longer than the work
 * of the bound, so the first pairs of a process would have small ratios.
 */
function settleMemory(size: number, open: (size: number) => Contestant): void {
  for (let i = 0; i < 2; i++) {
    besideBound(size, open(size));
    globalThis.gc?.();
  }
}

/** S1 to S3: cost per transfer relative to the bound, and its growth. */
export function speedFigures({ goal, label, target, pairs }: Speed): readonly Figure[] {
  const growth = exponent(pairs.map(({ size, ours }) => ({ size, nanos: ours })));
  const growthOfBound = exponent(pairs.map(({ size, bound }) => ({ size, nanos: bound })));
  return [
    ...pairs.map((pair) => ({
      goal,
      what: `${label}, transfer at ${counted(pair.size)} coins`,
      ours: `${counted(pair.ours)} ns (${perSecond(pair.ours)}/s)`,
      reference: `bound ${counted(pair.bound)} ns`,
      ratio: pair.ratio,
      target,
    })),
    {
      goal: goal === 'S3' ? 'S3' : 'S2',
      what: `${label}, cost exponent ${counted(pairs[0]?.size ?? 0)} to ${counted(pairs.at(-1)?.size ?? 0)}`,
      ours: growth.toFixed(3),
      reference: `bound ${growthOfBound.toFixed(3)}`,
      ratio: growth,
      target: 'at most 0.35',
    },
  ];
}

function besideBound(size: number, ours: Contestant): Pair {
  const bound = theBound(size);
  const rounds = Array.from({ length: WARMING + ROUNDS }, () => ({
    bound: nanosPerPayment(bound),
    ours: nanosPerPayment(ours),
  })).slice(WARMING);
  return {
    size,
    bound: median(rounds.map((round) => round.bound)),
    ours: median(rounds.map((round) => round.ours)),
    ratio: median(rounds.map((round) => round.ours / round.bound)),
  };
}

function nanosPerPayment(contestant: Contestant): number {
  const { sender, receiver, units } = contestant.world.payments(CALLS);
  const start = process.hrtime.bigint();
  for (let i = 0; i < CALLS; i++) contestant.pay(sender[i] as number, receiver[i] as number, units[i] as number);
  return Number(process.hrtime.bigint() - start) / CALLS;
}

function theBound(size: number): Contestant {
  const world = new World(size);
  const bound = world.bound();
  return {
    world,
    pay(sender, receiver, units) {
      bound.transfer(sender, receiver, Math.floor(units / 1e10), units % 1e10);
    },
  };
}

/**
 * Pays through the number interface: decision, compact log and evolution, with coins chosen from the state.
 * Parties and amounts are numbers, as in a simulation.
 */
function byNumbers(size: number): Contestant {
  const world = new World(size);
  const engine = openEngine({ ...world.options, log: openCompactLog(1, sha256) });
  for (const { command, context } of world.opening()) accept(engine.submit(command, context));
  const wallets = world.parties.map((party) => walletOf(engine.state, party));
  return {
    world,
    pay(sender, receiver, units) {
      const [from, to] = [wallets[sender] as number, wallets[receiver] as number];
      pay(engine, { from, to, units, now: GENESIS_TIME });
    },
  };
}

/** Pays by commands: a new command per payment, with party names and coins chosen by the caller. */
function byCommands(size: number): Contestant {
  const world = new World(size);
  const engine = openEngine({ ...world.options, log: openCompactLog(1, sha256) });
  for (const { command, context } of world.opening()) accept(engine.submit(command, context));
  const preapprovals = world.preapprovals(engine.state);
  return {
    world,
    pay(sender, receiver, units) {
      const { command, context } = world.command({ sender, receiver, units }, engine.state, preapprovals);
      engine.submit(command, context);
    },
  };
}

function byVersions(size: number): Contestant {
  const world = new World(size);
  let ledger: Ledger = openLedger(world.options);
  for (const { command, context } of world.opening()) ledger = accept(ledger.submit(command, context)).ledger;
  const preapprovals = world.preapprovals(ledger.state);
  return {
    world,
    pay(sender, receiver, units) {
      const { command, context } = world.command({ sender, receiver, units }, ledger.state, preapprovals);
      const next = ledger.submit(command, context);
      if (next.ok) ledger = next.value.ledger;
    },
  };
}
