import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerOnDisk, type Checkpoint } from './reliability/ledger-on-disk.js';
import { nothingTold, Wallets, type Told } from './serving/offers.js';
import { bundle, end, start, type Serving } from './serving/program.js';

const USAGE = `npm run reliability                   1,000 rounds: a server under write load is killed at a random moment
npm run reliability -- --rounds N    number of rounds
npm run reliability -- --seed N      the same moments again
npm run reliability -- --load N      most milliseconds of load per round (1,000)
npm run reliability -- --store postgres   the log and the queue in PostgreSQL instead
`;

const CLIENTS = 64;
/** Number of rounds per log. A new log keeps the rounds short. */
const ROUNDS_PER_LOG = 20;
/** In one round out of this many, the server is killed while it starts and recovers. */
const KILLED_AT_START = 10;
const OUT = join(import.meta.dirname, 'out');

interface Count {
  rounds: number;
  killedWhileStarting: number;
  acknowledged: number;
  /** Number of writes without an answer before the kill. They are repeated after the restart. */
  unanswered: number;
  tailsCut: number;
  recordsKept: number;
  hashesCompared: number;
  slowestStartMillis: number;
}

const args = process.argv.slice(2);
const longestLoadMillis = numberAfter('--load') ?? 1000;
if (args.includes('--help')) process.stdout.write(USAGE);
else await run(numberAfter('--rounds') ?? 1000, numberAfter('--seed') ?? Date.now() % 2 ** 31);

function numberAfter(flag: string): number | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : Number(args[at + 1]);
}

async function run(rounds: number, seed: number): Promise<void> {
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  say(`${rounds} rounds, seed ${seed}`);
  const chance = chanceFrom(seed);
  const program = await bundle('packages/cli/src/main.ts', 'reliability');
  const count: Count = {
    rounds: 0,
    killedWhileStarting: 0,
    acknowledged: 0,
    unanswered: 0,
    tailsCut: 0,
    recordsKept: 0,
    hashesCompared: 0,
    slowestStartMillis: 0,
  };
  const began = performance.now();
  while (count.rounds < rounds) {
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-kill-'));
    const faults = await useLog({
      folder,
      program,
      chance,
      count,
      rounds: Math.min(rounds, count.rounds + ROUNDS_PER_LOG),
    });
    if (faults.length > 0) {
      say(
        `FAILED in round ${count.rounds}, seed ${seed}; the log is kept in ${folder}\n${faults.slice(0, 20).join('\n')}`,
      );
      process.exitCode = 1;
      return;
    }
    rmSync(folder, { recursive: true });
    const perRound = (performance.now() - began) / count.rounds;
    say(`${count.rounds} rounds, ${count.acknowledged} acknowledged writes, ${Math.round(perRound)} ms a round`);
  }
  const summary = { seed, node: process.version, ...count, lost: 0, doubled: 0 };
  process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
  mkdirSync(OUT, { recursive: true });
  writeFileSync(join(OUT, 'reliability.json'), `${JSON.stringify(summary, null, 2)}\n`);
}

interface LogUse {
  readonly folder: string;
  readonly program: string;
  readonly chance: () => number;
  readonly count: Count;
  /** The number of rounds after which this log is replaced. */
  readonly rounds: number;
}

/** Serves one log and kills the server in every round. Returns the faults; an empty list if there are none. */
async function useLog({ folder, program, chance, count, rounds }: LogUse): Promise<readonly string[]> {
  const told = nothingTold();
  const checkpoints: Checkpoint[] = [];
  const flags = ['serve', '--dev', '--port', '0', '--data', folder];
  for (let round = 1; count.rounds < rounds; round++) {
    const before = told.offered.size + told.accepted.size;
    if (round > 1 && chance() * KILLED_AT_START < 1) {
      await killWhileStarting(program, flags, chance() * 400);
      count.killedWhileStarting += 1;
    } else {
      const server = await start(program, flags);
      count.slowestStartMillis = Math.max(count.slowestStartMillis, Math.round(server.startMillis));
      await loadAndKill(server, `r${count.rounds}`, chance() * longestLoadMillis, told, checkpoints);
    }
    const found = await ledgerOnDisk(folder, told, checkpoints);
    if (found.faults.length + told.surprises.length > 0) return [...found.faults, ...told.surprises];
    count.rounds += 1;
    count.acknowledged += told.offered.size + told.accepted.size - before;
    count.unanswered += told.unanswered.size;
    count.tailsCut += found.notes.filter((note) => note.startsWith('cut')).length;
    count.recordsKept += found.notes.filter((note) => note.startsWith('kept')).length;
  }
  count.hashesCompared += checkpoints.length;
  return [];
}

/** Repeats the unanswered writes, then lets every client pay until the server is killed. */
async function loadAndKill(
  server: Serving,
  name: string,
  millis: number,
  told: Told,
  checkpoints: Checkpoint[],
): Promise<void> {
  const wallets = await Wallets.of(server, CLIENTS + 1);
  const atStart = [...told.unanswered];
  // A repeated write is accepted, or refused because the first attempt took effect. The log shows that it
  // took effect once.
  await Promise.all(atStart.map(async ([id, user]) => void (await wallets.offer(user, id, told))));
  for (const [id] of atStart) told.unanswered.delete(id);
  checkpoints.push((await wallets.get(0, '/dev/state')).body as unknown as Checkpoint);

  let isKilled = false;
  const client = async (index: number): Promise<void> => {
    for (let i = 0; !isKilled; i++) {
      try {
        const offer = await wallets.offer(index, `${name}-${index}-${i}`, told);
        if (offer) await wallets.accept(index, offer, told);
      } catch (error) {
        // Requests may fail after the kill, but not before it.
        if (!isKilled) told.surprises.push(`client ${index}: ${String(error)}`);
        return;
      }
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, index) => client(index));
  const watch = (async () => {
    await new Promise((resolve) => setTimeout(resolve, millis / 2));
    if (!isKilled) checkpoints.push((await wallets.get(0, '/dev/state')).body as unknown as Checkpoint);
  })().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, millis));
  isKilled = true;
  await end(server, 'SIGKILL');
  await Promise.all([...clients, watch]);
  await wallets.close();
}

async function killWhileStarting(program: string, flags: readonly string[], millis: number): Promise<void> {
  const started = start(program, flags, (process) => void setTimeout(() => process.kill('SIGKILL'), millis));
  // The startup may have failed before the kill.
  await started.then((server) => end(server, 'SIGKILL')).catch(() => undefined);
}

/** Seeded random numbers from 0 to 1. */
function chanceFrom(seed: number): () => number {
  let word = seed >>> 0;
  return () => {
    word = (word + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(word ^ (word >>> 15), word | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
