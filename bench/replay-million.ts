import { spawnSync } from 'node:child_process';
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { codec, Engine, openEngine, updateOf } from '@coinlab/core';
import { World } from './world.js';

const USAGE = `npm run replay:million                      a million updates, replayed from disk by another process
npm run replay:million -- --node PATH       by another Node, as one of version 22
npm run replay:million -- --updates N       fewer, or more
`;
const COINS = 50_000;
const BLOCK = 1 << 20;

const args = process.argv.slice(2);
const log = valueOf('--log');
if (args.includes('--help')) process.stdout.write(USAGE);
else if (log) await replayFrom(log);
else compare(Number(valueOf('--updates') ?? 1_000_000), valueOf('--node') ?? process.execPath);

function valueOf(flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
}

/** Writes the log of a generated network, replays it in another process, and compares the hashes of both states. */
function compare(updates: number, node: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-million-'));
  try {
    const file = join(folder, 'log.ndjson');
    const hash = write(updates, file);
    say(`written by Node ${process.version}: ${updates.toLocaleString('en')} updates, ${sizeOf(file)}, state ${hash}`);
    // Absolute paths, because the other Node is started in another folder.
    const loaders = ['--conditions=source', `--import=${import.meta.resolve('tsx')}`];
    const program = fileURLToPath(import.meta.url);
    const child = spawnSync(node, [...loaders, program, '--log', file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.error || child.status !== 0)
      throw new Error(`the other process failed: ${child.error?.message ?? `exit code ${child.status}`}`);
    const other = JSON.parse(child.stdout) as { node: string; updates: number; hash: string; seconds: number };
    const rate = Math.round(other.updates / other.seconds).toLocaleString('en');
    say(`replayed by Node ${other.node}: ${other.seconds.toFixed(1)} s, ${rate} updates/s, state ${other.hash}`);
    if (other.updates !== updates || other.hash !== hash) throw new Error('the states differ');
    say('the states are equal');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(updates: number, path: string): string {
  const file = openSync(path, 'w');
  let block = '';
  const flush = (): void => {
    // A write may be partial.
    for (let rest = Buffer.from(block); rest.length > 0;) rest = rest.subarray(writeSync(file, rest));
    block = '';
  };
  const world = new World(Math.min(COINS, Math.floor(updates / 4)));
  const engine = openEngine({
    ...world.options,
    onEntry(entry) {
      block += `${codec.encode(updateOf(entry))}\n`;
      if (block.length > BLOCK) flush();
    },
  });
  for (const { command, context } of world.opening()) engine.submit(command, context);
  const preapprovals = world.preapprovals(engine.state);
  while (engine.state.offset < updates) {
    const { command, context } = world.command(world.payment(), engine.state, preapprovals);
    engine.submit(command, context);
  }
  flush();
  closeSync(file);
  return engine.hash();
}

async function replayFrom(path: string): Promise<void> {
  const engine = new Engine();
  const start = process.hrtime.bigint();
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    line += 1;
    const decoded = codec.decode(text, line);
    if (!decoded.ok) throw new Error(`line ${line}: ${decoded.error.reason}`);
    engine.apply(decoded.value);
  }
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  process.stdout.write(JSON.stringify({ node: process.version, updates: line, hash: engine.hash(), seconds }));
}

function sizeOf(path: string): string {
  return `${Math.round(statSync(path).size / 1e6)} MB`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
