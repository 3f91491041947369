import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Figure } from './figure.js';
import { median } from './measure.js';

interface Played {
  readonly file: string;
  readonly folder: string;
  readonly workers: number;
}

/** Duration of a sweep in seconds: from the end of its trial run, and from the end of half of its runs. */
interface Taken {
  readonly whole: number;
  readonly secondHalf: number;
}

/** The goal of M5: the speedup of a sweep as a share of the speedup of bare loops. */
const GOAL = 0.95;

/**
 * M5: the speedup of a sweep by a second worker, relative to the speedup of two bare calculation loops on the
 * same two cores. Each round runs the sweep and the loops alternately, alone and in pairs, because other
 * programs share the cores.
 */
export async function sweeping(replicates: number, rounds: number): Promise<readonly Figure[]> {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-bench-sweep-'));
  try {
    const file = join(folder, 'sweep.json');
    writeSweep(file, replicates);
    // The loops take as long as the sweep with one worker, so that other programs affect both alike.
    const { whole: alone } = sweepSeconds({ file, folder: join(folder, 'first'), workers: 1 });
    const turns = Math.round((await turnsPerSecond()) * alone);
    const gains: { readonly sweep: Taken; readonly loops: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const [one, two] = [join(folder, `${round}-1`), join(folder, `${round}-2`)];
      const loops = 2 * (await loopSeconds(turns, 1));
      const bySingle = sweepSeconds({ file, folder: one, workers: 1 });
      const byTwo = sweepSeconds({ file, folder: two, workers: 2 });
      const sweep = { whole: bySingle.whole / byTwo.whole, secondHalf: bySingle.secondHalf / byTwo.secondHalf };
      gains.push({ sweep, loops: loops / (await loopSeconds(turns, 2)) });
      if (bytesOf(one) !== bytesOf(two)) throw new Error('two workers gave other bytes than one');
    }
    const bare = median(gains.map((gain) => gain.loops));
    const figure = (part: keyof Taken, what: string): Figure => ({
      goal: 'M5',
      what: `${what}, two workers relative to one, same bytes`,
      ours: `${median(gains.map(({ sweep }) => sweep[part])).toFixed(2)}×, ${alone.toFixed(1)} s with one`,
      reference: `${bare.toFixed(2)}× of bare loops`,
      ratio: median(gains.map(({ sweep, loops }) => sweep[part] / loops)),
      target: `at least ${GOAL}`,
    });
    return [
      figure('whole', `sweep of ${4 * replicates} runs`),
      // The loops are already compiled. Each worker compiles the code again; in a sweep of hours this time is
      // negligible.
      figure('secondHalf', `its second half`),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeSweep(file: string, replicates: number): void {
  const definition = {
    name: 'bench',
    scenario: {
      name: 'town',
      duration: { rounds: 144 },
      parties: [{ name: 'payers', count: 100, payments: { arrivals: { poisson: { perDay: 10 } } } }],
    },
    parameters: [{ name: 'threshold', path: 'parties.payers.wallet.merge.threshold', values: [2, 5, 10, 20] }],
    design: { grid: true },
    replicates,
  };
  writeFileSync(file, JSON.stringify(definition));
}

/**
 * Returns the duration of a sweep with the built lab, without a loader. It is measured from the end of the
 * trial run, because thread start and compilation are negligible in a sweep of hours. Each sweep has a
 * separate process; otherwise a single worker, which is the main thread, would reuse compiled code.
 */
function sweepSeconds(played: Played): Taken {
  const { stdout, status } = spawnSync(process.execPath, ['bench/sweep-play.mjs', JSON.stringify(played)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`the sweep ended with ${status}`);
  return JSON.parse(stdout) as Taken;
}

function build(): void {
  for (const command of ['npx tsc -b packages/lab', 'node scripts/bundle-core.mjs']) {
    const { status } = spawnSync(command, { stdio: 'inherit', shell: true });
    if (status !== 0) throw new Error(`${command} ended with ${status}`);
  }
}

/** Integer multiplications only: no memory access, no messages. */
const LOOP = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', (turns) => {
  let word = 1;
  for (let i = 0; i < turns; i++) word = (Math.imul(word, 0x5bd1e995) ^ (word >>> 15)) | 1;
  parentPort.postMessage(word);
});`;

/** Returns the seconds of a number of concurrent threads that make `turns` turns each. */
async function loopSeconds(turns: number, threads: number): Promise<number> {
  const workers = Array.from({ length: threads }, () => new Worker(LOOP, { eval: true }));
  const ask = (count: number): Promise<unknown> =>
    Promise.all(
      workers.map(
        (worker) =>
          new Promise((resolve, reject) => {
            worker.once('message', resolve).once('error', reject);
            worker.postMessage(count);
          }),
      ),
    );
  try {
    // Wait until they have started and compiled.
    await ask(1_000_000);
    const began = performance.now();
    await ask(turns);
    return (performance.now() - began) / 1000;
  } finally {
    for (const worker of workers) await worker.terminate();
  }
}

async function turnsPerSecond(): Promise<number> {
  const turns = 50_000_000;
  return turns / (await loopSeconds(turns, 1));
}

function bytesOf(folder: string): string {
  return readdirSync(folder)
    .sort()
    .map((name) => `${name}\n${readFileSync(join(folder, name), 'utf8')}`)
    .join('');
}
