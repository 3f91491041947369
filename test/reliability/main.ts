import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasNoPostgres, startCluster } from '../postgres.ts';
import { LEASE_SECONDS, Pair, SERVER_FAULTS, type Round } from './servers.ts';
import { Crew, WORKER_FAULTS } from './workers.ts';

const SERIES = [...WORKER_FAULTS.map((fault) => `worker-${fault}`), ...SERVER_FAULTS.map((fault) => `server-${fault}`)];

const USAGE = `npm run reliability -- --store postgres                  50 rounds of each fault of two servers and of two workers
npm run reliability -- --store postgres --rounds N       number of rounds of each fault
npm run reliability -- --store postgres --only a,b       some faults: ${SERIES.join(', ')}
`;

/** Number of rounds per log. A new log keeps the rounds short. */
const ROUNDS_PER_LOG = 10;
const OUT = join(import.meta.dirname, '../../bench/out');

interface Series {
  rounds: number;
  acknowledged: number;
  refused: number;
  /** In lease lengths. */
  outages: number[];
}

const args = process.argv.slice(2);
const valueOf = (flag: string): string | undefined => args[args.indexOf(flag) + 1 || args.length];

if (args.includes('--help')) process.stdout.write(USAGE);
else if (hasNoPostgres) process.exitCode = 1;
else await run(Number(valueOf('--rounds') ?? 50), valueOf('--only')?.split(',') ?? SERIES);

async function run(rounds: number, only: readonly string[]): Promise<void> {
  const unknown = only.find((name) => !SERIES.some((series) => series === name));
  if (unknown !== undefined) throw new Error(`--only: got '${unknown}', expected ${SERIES.join(', ')}`);
  const began = performance.now();
  const found = new Map<string, Series>();
  // Short rotations: a run that is cut off has had all faults.
  for (let done = 0; done < rounds; done += ROUNDS_PER_LOG)
    for (const name of only) await series(name, Math.min(ROUNDS_PER_LOG, rounds - done), found, began);
  report(found, rounds, began);
}

async function series(name: string, rounds: number, found: Map<string, Series>, began: number): Promise<void> {
  const cluster = await startCluster();
  const told = found.get(name) ?? { rounds: 0, acknowledged: 0, refused: 0, outages: [] };
  found.set(name, told);
  let closed: { close(): Promise<void> } | null = null;
  try {
    const fault = SERVER_FAULTS.find((one) => name === `server-${one}`);
    const ofWorkers = WORKER_FAULTS.find((one) => name === `worker-${one}`);
    let play: () => Promise<Round>;
    if (fault) {
      const pair = (closed = await Pair.start(cluster));
      play = () => pair.round(fault);
    } else {
      const crew = (closed = await Crew.start(cluster));
      play = () => crew.round(ofWorkers ?? 'kill');
    }
    for (let i = 0; i < rounds; i++) {
      const { acknowledged, refused, outageMillis, faults } = await play();
      if (faults.length > 0) throw new Error(`${name}, round ${told.rounds + 1}:\n${faults.slice(0, 20).join('\n')}`);
      told.rounds += 1;
      told.acknowledged += acknowledged;
      told.refused += refused;
      told.outages.push(outageMillis / 1_000 / LEASE_SECONDS);
    }
    const minutes = (performance.now() - began) / 60_000;
    process.stderr.write(`${name}: ${told.rounds} rounds, ${minutes.toFixed(1)} min in all\n`);
  } finally {
    await closed?.close();
    await cluster.remove();
  }
}

function report(found: ReadonlyMap<string, Series>, rounds: number, began: number): void {
  const summary = {
    node: process.version,
    rounds,
    leaseSeconds: LEASE_SECONDS,
    minutes: Number(((performance.now() - began) / 60_000).toFixed(1)),
    series: Object.fromEntries(
      [...found].map(([name, { outages, ...counts }]) => {
        const sorted = outages.toSorted((a, b) => a - b);
        const leases = (share: number): number =>
          Number((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(2));
        return [name, { ...counts, medianLeases: leases(0.5), longestLeases: leases(1) }];
      }),
    ),
    lost: 0,
    doubled: 0,
  };
  const text = `${JSON.stringify(summary, null, 2)}\n`;
  process.stdout.write(text);
  mkdirSync(OUT, { recursive: true });
  writeFileSync(join(OUT, 'reliability-postgres.json'), text);
}
