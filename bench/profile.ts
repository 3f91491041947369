import { readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { crowdOf, network } from './lab-worlds.js';
import { WAYS } from './speed.js';
import { mintings, offers } from './steps.js';

const USAGE = `npm run bench:profile -- WHAT   the share of each part of the program in a benchmark's time, by samples every 0.2 ms

  numbers, commands, ledger   payments by wallet number, by command, and with a version of a ledger for each (--coins 10000)
  offers, minting             offers with their acceptances; minting of 100 reward coupons
  M3                          a network with rewards, merges and dust for 30 days (--parties 3000)
  M4                          parties with ten UTXOs, founding and ten rounds of payments (--parties 100000)
  founding                    only the founding of M4, with one round (--parties 100000)

  --lines 30                  and the lines of the bundle with the most samples
  --out FILE                  keeps the profile for the developer tools of Chromium (.cpuprofile)
`;

const PAYMENTS = 50_000;
const TURNS = 40;
const WARMING = 4;

/** A workload that can be repeated. Its first calls compile the code and are not measured, except where one call takes seconds. */
interface Workload {
  readonly warming: number;
  readonly turns: number;
  run(): unknown;
}

function payments(way: (typeof WAYS)[number]): () => Workload {
  return () => {
    const { world, pay } = way.open(numberOf('--coins', 10_000));
    return {
      warming: WARMING,
      turns: TURNS,
      run() {
        const { sender, receiver, units } = world.payments(PAYMENTS);
        // Indices are below the length.
        for (let i = 0; i < PAYMENTS; i++) pay(sender[i] as number, receiver[i] as number, units[i] as number);
      },
    };
  };
}

const WORKLOADS: Readonly<Record<string, () => Workload>> = {
  ...Object.fromEntries(WAYS.map((way) => [way.way, payments(way)])),
  offers: () => ({ warming: 1, turns: 5, run: offers }),
  minting: () => ({ warming: 1, turns: 5, run: mintings }),
  M3: () => ({ warming: 0, turns: 1, run: () => network(numberOf('--parties', 3_000), 30) }),
  M4: () => ({ warming: 0, turns: 1, run: () => crowdOf(numberOf('--parties', 100_000), 10) }),
  founding: () => ({ warming: 0, turns: 1, run: () => crowdOf(numberOf('--parties', 100_000), 1) }),
};

const [what = '--help'] = process.argv.slice(2);
if (what === '--help') process.stdout.write(USAGE);
else await profile(what);

async function profile(name: string): Promise<void> {
  const prepare = WORKLOADS[name];
  if (!prepare) throw new Error(`got ${name}, expected one of ${Object.keys(WORKLOADS).join(', ')}`);
  const lines = numberOf('--lines', 0);
  const { warming, turns, run } = prepare();
  for (let turn = 0; turn < warming; turn++) run();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  for (let turn = 0; turn < turns; turn++) run();
  const { profile: taken } = await session.post('Profiler.stop');
  const out = valueOf('--out');
  if (out !== undefined) writeFileSync(out, JSON.stringify(taken));
  const source = readFileSync(import.meta.filename, 'utf8').split('\n');
  const parts = new Map<string, number>();
  const ticks = new Map<string, number>();
  for (const { callFrame, hitCount = 0, positionTicks = [] } of taken.nodes) {
    if (!callFrame.url.endsWith('.mjs')) count(parts, outside(callFrame.functionName), hitCount);
    else
      for (const { line, ticks: samples } of positionTicks) {
        count(parts, partOf(source, line), samples);
        count(ticks, `${line}: ${source[line - 1]?.trim().slice(0, 120)}`, samples);
      }
  }
  // One write: the reader of a pipe may end after some lines.
  process.stdout.write(lines > 0 ? `${listed(parts, parts.size)}\n${listed(ticks, lines)}` : listed(parts, parts.size));
}

function outside(name: string): string {
  return name.startsWith('(') ? name : 'Node';
}

/** Bundles name the file of each module in a comment before it. */
function partOf(source: readonly string[], line: number): string {
  for (let at = line - 1; at >= 0; at--) {
    const file = /^\/\/ (?:.*node_modules\/)?(\S+\.(?:ts|js|mjs|json))$/.exec(source[at] ?? '')?.[1];
    if (file === undefined) continue;
    const folders = file.split('/');
    return file.startsWith('packages/') ? folders.slice(1, -1).join('/').replace('/src', '') : (folders[0] ?? file);
  }
  return 'bundle';
}

function count(shares: Map<string, number>, name: string, samples: number): void {
  shares.set(name, (shares.get(name) ?? 0) + samples);
}

function listed(shares: ReadonlyMap<string, number>, most: number): string {
  const all = [...shares.values()].reduce((sum, samples) => sum + samples, 0);
  const sorted = [...shares].sort(([, one], [, other]) => other - one).slice(0, most);
  const shown = sorted.filter(([, samples]) => samples / all >= 0.005);
  return shown.map(([name, samples]) => `${((100 * samples) / all).toFixed(1).padStart(5)} %  ${name}\n`).join('');
}

function valueOf(flag: string): string | undefined {
  const at = process.argv.indexOf(flag);
  return at < 0 ? undefined : process.argv[at + 1];
}

function numberOf(flag: string, byDefault: number): number {
  const text = valueOf(flag);
  const number = text === undefined ? byDefault : Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  if (number === 0 && byDefault === 0) return 0;
  throw new Error(`${flag}: got ${text}, expected a whole number above 0`);
}
