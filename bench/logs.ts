import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codec, Engine, GENESIS_TIME, openCompactLog, openEngine, updateOf } from '@coinlab/core';
import { pay, walletOf } from '@coinlab/core/simulation';
import { counted, perSecond, type Figure } from './figure.js';
import { median, nanosOf } from './measure.js';
import { accept, paymentAt, sha256, World } from './world.js';

const TRANSFERS = 300_000;
const JSON_TRANSFERS = 50_000;
const DURABLE_TRANSFERS = 300_000;
/** The first replay is a warm-up. */
const REPLAYS = 4;
const GROUP = 1_000;

/** S5, the log size of S6, and S8: reading a log into a state, its size, and appending to a file with a sync per group. */
export function logFigures(size: number): readonly Figure[] {
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-bench-'));
  try {
    return [...replayFigures(size, folder), ...durableFigures(size, folder)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function replayFigures(size: number, folder: string): readonly Figure[] {
  return [...compactFigures(size, folder), ...jsonFigures(size, folder)];
}

/**
 * Figures of the compact log. The replay of the set-up is measured separately and subtracted, because the
 * bound's log has no set-up. Only transfers remain on both sides.
 */
function compactFigures(size: number, folder: string): readonly Figure[] {
  const world = new World(size);
  const bound = world.bound();
  const log = openCompactLog(1, sha256);
  const engine = openEngine({ ...world.options, log });
  for (const { command, context } of world.opening()) accept(engine.submit(command, context));
  const opening = log.whole();
  const opened = engine.state.offset;
  const preapprovals = world.preapprovals(engine.state);
  for (let i = 0; i < TRANSFERS; i++) {
    const payment = world.payment();
    const { command, context } = world.command(payment, engine.state, preapprovals);
    engine.submit(command, context);
    bound.transfer(payment.sender, payment.receiver, Math.floor(payment.units / 1e10), payment.units % 1e10);
  }
  const transfers = engine.state.offset - opened;
  const bytes = log.whole();
  const files = {
    ours: join(folder, 'log.compact'),
    opening: join(folder, 'opening.compact'),
    bound: join(folder, 'log.bin'),
  };
  writeFileSync(files.ours, bytes);
  writeFileSync(files.opening, opening);
  writeFileSync(files.bound, Buffer.concat(bound.log()));
  const rounds = Array.from({ length: REPLAYS }, () => {
    const replayed = new Engine();
    const whole = nanosOf(() => void replayed.replay(readFileSync(files.ours), sha256));
    if (replayed.hash() !== engine.hash()) throw new Error('a replay led to another state');
    const opens = nanosOf(() => void new Engine().replay(readFileSync(files.opening), sha256));
    const fresh = world.bound();
    let records = 0;
    const reference = nanosOf(() => {
      records = fresh.replay([readFileSync(files.bound)]);
    });
    return {
      whole: whole / engine.state.offset,
      opens: opens / opened,
      ours: (whole - opens) / transfers,
      bound: reference / records,
    };
  }).slice(1);
  const middle = (of: (round: (typeof rounds)[number]) => number): number => median(rounds.map(of));
  const reference = `bound ${perSecond(middle(({ bound: nanos }) => nanos))}/s`;
  const replayed = (what: string, of: (round: (typeof rounds)[number]) => number, target: string): Figure => ({
    goal: 'S5',
    what: `replay from disk at ${counted(size)} coins, compact: ${what}`,
    ours: `${perSecond(middle(of))} updates/s`,
    reference,
    ratio: middle((round) => of(round) / round.bound),
    target,
  });
  return [
    replayed('transfers', ({ ours }) => ours, '1,000,000/s where the bound does 4.5 million (4.5x)'),
    replayed('taps and preapprovals that open the world', ({ opens }) => opens, 'no goal'),
    bytesFigure('compact, hashed', (bytes.length - opening.length) / transfers, '24 B'),
  ];
}

function jsonFigures(size: number, folder: string): readonly Figure[] {
  const world = new World(size);
  const lines: string[] = [];
  const engine = openEngine({ ...world.options, onEntry: (entry) => lines.push(codec.encode(updateOf(entry))) });
  for (const { command, context } of world.opening()) accept(engine.submit(command, context));
  const opened = lines.length;
  const preapprovals = world.preapprovals(engine.state);
  for (let i = 0; i < JSON_TRANSFERS; i++) {
    const { command, context } = world.command(world.payment(), engine.state, preapprovals);
    engine.submit(command, context);
  }
  const file = join(folder, 'log.ndjson');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const replayed = new Engine();
  const nanos = nanosOf(() => {
    const bytes = readFileSync(file);
    const reader = codec.reader();
    for (let i = 0, start = 0; start < bytes.length; i++) {
      const end = bytes.indexOf('\n', start);
      replayed.apply(accept(reader.read(bytes, start, end, i + 1)));
      start = end + 1;
    }
  });
  if (replayed.hash() !== engine.hash()) throw new Error('a replay led to another state');
  const ofTransfers = lines.slice(opened);
  const bytes = ofTransfers.reduce((sum, line) => sum + line.length + 1, 0) / ofTransfers.length;
  return [
    {
      goal: 'S5',
      what: `replay from disk at ${counted(size)} coins, JSON lines: all updates`,
      ours: `${perSecond(nanos / lines.length)} updates/s`,
      reference: 'a million a second',
      ratio: nanos / lines.length / 1000,
      target: 'for people: no goal',
    },
    bytesFigure('JSON lines', bytes, 'for people: no goal'),
  ];
}

function bytesFigure(form: string, bytes: number, target: string): Figure {
  const what = `log on disk, per transfer (${form})`;
  return { goal: 'S6', what, ours: `${bytes.toFixed(1)} B`, reference: 'bound 32 B', ratio: bytes / 32, target };
}

/**
 * S8: transfers with a log that is appended to a file and synced once per thousand, relative to a bare append of the
 * same bytes.
 */
function durableFigures(size: number, folder: string): readonly Figure[] {
  const world = new World(size);
  const log = openCompactLog(1, sha256);
  const engine = openEngine({ ...world.options, log });
  for (const { command, context } of world.opening()) accept(engine.submit(command, context));
  log.drain();
  const wallets = world.parties.map((party) => walletOf(engine.state, party));
  const payments = world.payments(DURABLE_TRANSFERS);
  const groups: Uint8Array[] = [];
  let syncing = 0;
  let done = 0;
  const file = openSync(join(folder, 'durable.compact'), 'a');
  const ours = nanosOf(() => {
    while (done < DURABLE_TRANSFERS) {
      for (let i = 0; i < GROUP; i++) {
        const { sender, receiver, units } = paymentAt(payments, done);
        const [from, to] = [wallets[sender] as number, wallets[receiver] as number];
        pay(engine, { from, to, units, now: GENESIS_TIME });
        done += 1;
      }
      const group = Buffer.concat(log.drain());
      groups.push(group);
      writeSync(file, group);
      syncing += nanosOf(() => fdatasyncSync(file));
    }
  });
  closeSync(file);
  const bare = openSync(join(folder, 'bare.compact'), 'a');
  const reference = nanosOf(() => {
    for (const group of groups) {
      writeSync(bare, group);
      fdatasyncSync(bare);
    }
  });
  closeSync(bare);
  const perSync = `${(syncing / groups.length / 1e6).toFixed(2)} ms a sync of ${counted(done / groups.length)}`;
  return [
    {
      goal: 'S8',
      what: `durable transfers at ${counted(size)} coins, a sync per ${counted(GROUP)} commands (${perSync})`,
      ours: `${perSecond(ours / done)}/s`,
      reference: `bare append ${perSecond(reference / done)}/s`,
      ratio: ours / reference,
      target: '500,000/s where the bare append makes 4 million (8x)',
    },
  ];
}
