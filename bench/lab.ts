import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { POLICY_NAMES, type PolicyName } from '@coinlab/sim';
import type { Figure } from './figure.js';
import { crowd, crowdOf, generatedStream, growth, network, secondsOfRun, watching, type Crowd } from './lab-worlds.js';
import { replayCosts, STREAM_FILE } from './replay.js';
import { sweeping } from './sweep.js';
import { range } from './measure.js';
import { inProcess, partOf } from './part.js';
import { partiesPlots } from './plot.js';
import { table } from './table.js';

const USAGE = `npm run bench:lab                        a tenth of each goal, some minutes
npm run bench:lab -- --full              the goals as they are: four million events, 10,000 parties for 30 days, a million parties
npm run bench:lab -- --full --only M7    growth to ten million parties, only if asked for: 16 GiB of memory, half an hour
npm run bench:lab -- --full --only M3    one of M1 to M7; several with commas. The table also has the earlier results
npm run bench:lab -- --only M4 --parties 200000   M3, M4 and M7 with this number of parties
npm run bench:lab -- --only M2 --policy random    M2 of one policy; the table has those that were measured last
npm run bench:lab -- --full --only M3 --runs 5    the median of five runs, each in its own process, with the range
npm run bench:lab -- --table             nothing is measured: the table of what was
npm run bench:lab -- --table --plot DIR  draws the growth of M7 with the number of parties: parties-time.svg, parties-memory.svg
`;

const args = process.argv.slice(2);
const isFull = args.includes('--full');
const parties = Number(valueOf('--parties') ?? NaN);
const runs = Number(valueOf('--runs') ?? 1);
const policies = (valueOf('--policy')?.split(',') as readonly PolicyName[] | undefined) ?? POLICY_NAMES;

/**
 * The parts of the benchmark. Each runs in a separate process, so that the memory of one does not affect
 * another.
 */
const PARTS: Readonly<Record<string, () => readonly Figure[] | Promise<readonly Figure[]>>> = {
  M1: () => replayCosts(STREAM_FILE),
  M2: () => generatedStream(isFull ? 4_000_000 : 400_000, policies),
  M3: () => [network(parties || (isFull ? 10_000 : 1_000), 30)],
  M4: () => [crowd(parties || (isFull ? 1_000_000 : 100_000))],
  // Long enough that compilation, which each worker repeats, takes a small share.
  M5: () => (isFull ? sweeping(400, 5) : sweeping(10, 5)),
  M6: () => [watching((what) => inProcess<number>(what, ORDINARY))],
  M7: () => growth(parties ? [parties] : isFull ? SIZES : SIZES.slice(0, 2), crowdInProcess),
};

/** Numbers of parties of M7. */
const SIZES = [100_000, 300_000, 1_000_000, 3_000_000, 10_000_000];
/**
 * Limits in MiB of the heap and of its young generation: of the networks of M4 and M7, which `coinlab run` gives such limits too, and of all
 * other processes. Each collection of the young generation visits every page of the old one, 40 ms for 10 GiB.
 */
const LARGE = ['--max-old-space-size=15000', '--max-semi-space-size=128'];
const ORDINARY = ['--max-old-space-size=4000'];

/** The two runs that M6 compares. They are long, so that compilation takes a small share of each. */
const RUNS: Readonly<Record<string, () => number>> = {
  alone: () => secondsOfRun(3_000, 30, 'alone'),
  watched: () => secondsOfRun(3_000, 30, 'watched'),
};

const part = partOf(args);
if (args.includes('--help')) process.stdout.write(USAGE);
else if (part !== undefined) process.stdout.write(JSON.stringify(await played(part)));
else {
  const only = valueOf('--only')?.split(',');
  const names = Object.keys(PARTS);
  if (!args.includes('--table'))
    for (const name of only ?? names.filter((each) => each !== 'M7')) keep(name, measured(name));
  process.stdout.write(
    `${table(names.flatMap(kept))}The ratio of M2 to M4 and of M7 is microseconds of processor time per update; s is time on the clock.\n`,
  );
  const folder = valueOf('--plot');
  if (folder !== undefined) {
    const growths = kept('M7').flatMap(({ values }) => (values === undefined ? [] : [values]));
    if (growths.length < 2) throw new Error('--plot: M7 was not measured; npm run bench:lab -- --full --only M7');
    const { time, memory } = await partiesPlots(growths);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'parties-time.svg'), time);
    writeFileSync(join(folder, 'parties-memory.svg'), memory);
  }
}

function valueOf(flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
}

async function played(name: string): Promise<unknown> {
  const ofCrowd = /^of (\d+)$/.exec(name);
  if (ofCrowd) return crowdOf(Number(ofCrowd[1]), 2);
  return (await (PARTS[name] ?? RUNS[name])?.()) ?? [];
}

function measured(name: string): readonly Figure[] {
  const taken = Array.from({ length: runs }, (_, run) => {
    process.stderr.write(`${name}${runs > 1 ? `, run ${run + 1} of ${runs}` : ''} …\n`);
    return inProcess<readonly Figure[]>(name, name === 'M4' ? LARGE : ORDINARY);
  });
  return (taken[0] ?? []).map((_, row) => middle(taken.flatMap((figures) => figures[row] ?? [])));
}

/** Returns the figure with the median ratio, and the ranges of all. */
function middle(figures: readonly Figure[]): Figure {
  const ratios = figures.map(({ ratio }) => ratio);
  const one = figures.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(figures.length / 2)] as Figure;
  if (figures.length === 1) return one;
  const times = figures.flatMap(({ elapsed }) => elapsed ?? []);
  const ofTimes = times.length > 0 ? `, ${range(times, 1)} s` : '';
  return { ...one, ours: `${one.ours}; ${figures.length} runs${ofTimes}, ratio ${range(ratios)}` };
}

function crowdInProcess(size: number): Crowd | null {
  try {
    return inProcess<Crowd>(`of ${size}`, LARGE);
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    return null;
  }
}

/**
 * Returns a path relative to the root of the repository, where npm starts programs. The bundled program is in
 * another folder.
 */
function fileOf(name: string): string {
  return `bench/out/lab/${name}.json`;
}

function keep(name: string, figures: readonly Figure[]): void {
  mkdirSync('bench/out/lab', { recursive: true });
  writeFileSync(fileOf(name), `${JSON.stringify({ node: process.version, figures }, null, 2)}\n`);
}

/** Returns the results of the last measurement; none if it has not run. */
function kept(name: string): readonly Figure[] {
  if (!existsSync(fileOf(name))) return [];
  return (JSON.parse(readFileSync(fileOf(name), 'utf8')) as { readonly figures: readonly Figure[] }).figures;
}
