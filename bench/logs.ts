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
import { codec, Engine, openCompactLog, openEngine, readCompactLog } from '@coinlab/core';
import { counted, perSecond, type Figure } from './figure.js';
import { nanosOf } from './measure.js';
import { accept, World } from './world.js';

const TRANSFERS = 50_000;
const GROUP = 1_000;

/** S5, the log's part of S6, and S8: reading a log into a state, its size, and appending to a file with a sync per group. */
export function logFigures(size: number): readonly Figure[] {
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-bench-'));
  try {
    return [...replayFigures(size, folder), ...durableFigures(size, folder)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function replayFigures(size: number, folder: string): readonly Figure[] {
  const world = new World(size);
  const bound = world.bound();
  const compact = openCompactLog(1);
  const lines: string[] = [];
  const engine = openEngine({
    ...world.options,
    onUpdate(update) {
      compact.append(update);
      lines.push(codec.encode(update));
    },
  });
  for (const { command, context } of world.opening()) accept(engine.submit(command, context));
  compact.take();
  const opening = { updates: lines.length, bytes: compact.bytes };
  const preapprovals = world.preapprovals(engine.state);
  for (let i = 0; i < TRANSFERS; i++) {
    const payment = world.payment();
    const { command, context } = world.command(payment, engine.state, preapprovals);
    engine.submit(command, context);
    bound.transfer(payment.sender, payment.receiver, Math.floor(payment.units / 1e10), payment.units % 1e10);
  }
  const files = {
    json: join(folder, 'log.ndjson'),
    compact: join(folder, 'log.compact'),
    bound: join(folder, 'log.bin'),
  };
  writeFileSync(files.json, `${lines.join('\n')}\n`);
  writeFileSync(files.compact, compact.whole());
  writeFileSync(files.bound, Buffer.concat(bound.log()));

  const fromJson = new Engine();
  const json = nanosOf(() => {
    const text = readFileSync(files.json, 'utf8').split('\n');
    for (let i = 0; i < lines.length; i++) fromJson.apply(accept(codec.decode(text[i] as string, i + 1)));
  });
  const fromCompact = new Engine();
  const packed = nanosOf(() => {
    for (const update of readCompactLog(readFileSync(files.compact))) fromCompact.apply(accept(update));
  });
  const hash = engine.hash();
  if (fromJson.hash() !== hash || fromCompact.hash() !== hash) throw new Error('a replay led to another state');
  const fresh = world.bound();
  let records = 0;
  const reference = nanosOf(() => {
    records = fresh.replay([readFileSync(files.bound)]);
  });
  const transfers = lines.length - opening.updates;
  const jsonBytes = lines.slice(opening.updates).reduce((sum, line) => sum + line.length + 1, 0) / transfers;
  const compactBytes = (compact.bytes - opening.bytes) / transfers;
  const replayed = (form: string, nanos: number): Figure => ({
    goal: 'S5',
    what: `replay from disk at ${counted(size)} coins (${form})`,
    ours: `${perSecond(nanos / lines.length)} updates/s`,
    reference: `bound ${perSecond(reference / records)}/s`,
    ratio: nanos / lines.length / (reference / records),
    target: '1,000,000/s where the bound does 4.5 million (4.5x)',
  });
  return [
    replayed('compact', packed),
    replayed('JSON lines', json),
    bytesFigure('compact, hashed', compactBytes, '24 B'),
    bytesFigure('JSON lines', jsonBytes, 'for people: no goal'),
  ];
}

function bytesFigure(form: string, bytes: number, target: string): Figure {
  const what = `log on disk, per transfer (${form})`;
  return { goal: 'S6', what, ours: `${bytes.toFixed(1)} B`, reference: 'bound 32 B', ratio: bytes / 32, target };
}

/** S8: transfers whose log is appended to a file and synced a thousand at a time, beside a bare append of the same bytes. */
function durableFigures(size: number, folder: string): readonly Figure[] {
  const world = new World(size);
  const log = openCompactLog(1);
  const engine = openEngine({ ...world.options, log });
  for (const { command, context } of world.opening()) accept(engine.submit(command, context));
  const preapprovals = world.preapprovals(engine.state);
  log.drain();
  const groups: Uint8Array[] = [];
  let syncing = 0;
  let done = 0;
  const file = openSync(join(folder, 'durable.compact'), 'a');
  const ours = nanosOf(() => {
    while (done < TRANSFERS) {
      for (let i = 0; i < GROUP; i++) {
        const { command, context } = world.command(world.payment(), engine.state, preapprovals);
        if (engine.execute(command, context) === null) done += 1;
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
