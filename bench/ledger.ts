import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codec, openEngine, openLedger, Engine, type Ledger, type Result } from '@coinlab/core';
import { exponent, liveHeapBytes, nanosOf, nanosPerCall } from './measure.js';
import { World } from './world.js';

/** One line of the table: a figure beside its reference and its goal. */
export interface Figure {
  readonly goal: string;
  readonly what: string;
  readonly ours: string;
  readonly reference: string;
  /** The machine-independent number that is compared between runs; smaller is better. */
  readonly ratio: number;
  readonly target: string;
}

interface Point {
  readonly size: number;
  readonly nanos: number;
}

const ROUNDS = 5;
const CALLS = 10_000;

/** Time per transfer of the bound in a world of each size. */
export function measureBound(sizes: readonly number[]): readonly Point[] {
  return sizes.map((size) => {
    const world = new World(size);
    const bound = world.bound();
    const nanos = nanosPerCall(CALLS * 10, ROUNDS, () => {
      const { sender, receiver, units } = world.payment();
      bound.transfer(sender, receiver, Math.floor(units / 1e10), units % 1e10);
    });
    return { size, nanos };
  });
}

/** Time per transfer command of the engine: decide, update, log line, evolve. */
export function measureEngine(sizes: readonly number[]): readonly Point[] {
  return sizes.map((size) => {
    let logBytes = 0;
    const world = new World(size);
    const engine = openEngine({
      ...world.options,
      onUpdate: (update) => void (logBytes += codec.encode(update).length),
    });
    for (const { command, context } of world.opening()) accept(engine.submit(command, context));
    const preapprovals = world.preapprovals(engine.state);
    const nanos = nanosPerCall(CALLS, ROUNDS, () => {
      const { command, context } = world.command(world.payment(), engine.state, preapprovals);
      engine.submit(command, context);
    });
    return { size, nanos };
  });
}

/** Time per transfer command of the immutable ledger: a version per command. */
export function measureLedger(sizes: readonly number[]): readonly Point[] {
  return sizes.map((size) => {
    const world = new World(size);
    let ledger: Ledger = openLedger(world.options);
    for (const { command, context } of world.opening()) ledger = accept(ledger.submit(command, context)).ledger;
    const preapprovals = world.preapprovals(ledger.state);
    const nanos = nanosPerCall(CALLS, ROUNDS, () => {
      const { command, context } = world.command(world.payment(), ledger.state, preapprovals);
      const next = ledger.submit(command, context);
      if (next.ok) ledger = next.value.ledger;
    });
    return { size, nanos };
  });
}

/** S1 to S3: cost per command beside the bound's, and how both grow. */
export function speedFigures(
  bound: readonly Point[],
  engine: readonly Point[],
  ledger: readonly Point[],
): readonly Figure[] {
  const figures: Figure[] = [];
  const growth = exponent(bound);
  for (const [name, goal, points, target] of [
    ['Engine', 'S1/S2', engine, '3x at 100k, 4x anywhere'],
    ['Ledger', 'S3', ledger, '12x (stretch), 20,000/s'],
  ] as const) {
    points.forEach((point, i) => {
      const reference = bound[i] as Point;
      figures.push({
        goal,
        what: `${name}, transfer at ${point.size.toLocaleString('en')} coins`,
        ours: `${Math.round(point.nanos).toLocaleString('en')} ns (${perSecond(point.nanos)}/s)`,
        reference: `bound ${Math.round(reference.nanos)} ns`,
        ratio: point.nanos / reference.nanos,
        target,
      });
    });
    figures.push({
      goal: name === 'Engine' ? 'S2' : 'S3',
      what: `${name}, cost exponent ${points[0]?.size} to ${points.at(-1)?.size}`,
      ours: exponent(points).toFixed(3),
      reference: `bound ${growth.toFixed(3)}`,
      ratio: exponent(points),
      target: 'at most 0.35',
    });
  }
  return figures;
}

/** S5: reading a log from disk into a state, ours and the bound's. */
export function replayFigures(size: number): readonly Figure[] {
  const transfers = 50_000;
  const world = new World(size);
  const bound = world.bound();
  const lines: string[] = [];
  const engine = openEngine({ ...world.options, onUpdate: (update) => lines.push(codec.encode(update)) });
  for (const { command, context } of world.opening()) accept(engine.submit(command, context));
  const opening = lines.length;
  const preapprovals = world.preapprovals(engine.state);
  for (let i = 0; i < transfers; i++) {
    const payment = world.payment();
    const { command, context } = world.command(payment, engine.state, preapprovals);
    engine.submit(command, context);
    bound.transfer(payment.sender, payment.receiver, Math.floor(payment.units / 1e10), payment.units % 1e10);
  }
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-bench-'));
  try {
    const file = join(folder, 'log.ndjson');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const boundFile = join(folder, 'log.bin');
    writeFileSync(boundFile, Buffer.concat(bound.log()));
    const again = new Engine();
    const ours = nanosOf(() => {
      const text = readFileSync(file, 'utf8').split('\n');
      for (let i = 0; i < lines.length; i++) again.apply(accept(codec.decode(text[i] as string, i + 1)));
    });
    const fresh = world.bound();
    let records = 0;
    const reference = nanosOf(() => {
      records = fresh.replay([readFileSync(boundFile)]);
    });
    const perUpdate = ours / lines.length;
    const perRecord = reference / records;
    const bytes = lines.slice(opening).reduce((sum, line) => sum + line.length + 1, 0) / (lines.length - opening);
    return [
      {
        goal: 'S5',
        what: `replay of the log from disk at ${size.toLocaleString('en')} coins (JSON lines)`,
        ours: `${perSecond(perUpdate)} updates/s`,
        reference: `bound ${perSecond(perRecord)}/s`,
        ratio: perUpdate / perRecord,
        target: '1,000,000/s where the bound does 4.5 million (4.5x)',
      },
      {
        goal: 'S6',
        what: 'log on disk, per transfer (JSON lines)',
        ours: `${Math.round(bytes)} B`,
        reference: 'bound 32 B',
        ratio: bytes / 32,
        target: '24 B in the compact codec',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** S6 and S7: memory per live coin, and the cost of a fork. */
export function memoryFigures(size: number): readonly Figure[] {
  const world = new World(size);
  const before = liveHeapBytes();
  const engine = openEngine(world.options);
  for (const { command, context } of world.opening()) accept(engine.submit(command, context));
  const perCoin = (liveHeapBytes() - before) / size;
  let forks = 0;
  const nanos = nanosPerCall(CALLS, ROUNDS, () => {
    forks += engine.snapshot().offset;
  });
  if (forks === 0) throw new Error('no fork was made');
  return [
    {
      goal: 'S6',
      what: `Engine, memory per live coin at ${size.toLocaleString('en')} (preapprovals and parties included)`,
      ours: `${Math.round(perCoin)} B`,
      reference: 'bound 16 B',
      ratio: perCoin / 16,
      target: '80 B at 1M',
    },
    {
      goal: 'S7',
      what: `fork at ${size.toLocaleString('en')} coins`,
      ours: `${(nanos / 1000).toFixed(2)} µs`,
      reference: '10 µs',
      ratio: nanos / 10_000,
      target: 'below 10 µs at 1M',
    },
  ];
}

function accept<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(`the bench was refused: ${Object.entries(result.error as object).join(' ')}`);
  return result.value;
}

function perSecond(nanos: number): string {
  return Math.round(1e9 / nanos).toLocaleString('en');
}
