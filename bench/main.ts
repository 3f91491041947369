import { mkdirSync, writeFileSync } from 'node:fs';
import { commit, regressions } from './compare.js';
import type { Figure } from './figure.js';
import { logFigures } from './logs.js';
import { memoryFigures } from './memory.js';
import { inProcess, partOf } from './part.js';
import { replayCosts, STREAM_FILE } from './replay.js';
import { range } from './measure.js';
import { measurePeers, peerTable } from './peers.js';
import { growthPlot } from './plot.js';
import { costsOf, speedFigures, WAYS, type Pair } from './speed.js';
import { stepFigures } from './steps.js';
import { table } from './table.js';

const USAGE = `npm run bench                  S1 to S8 and M1, 1k to 100k coins, about a minute
npm run bench -- --full        up to 1,000,000 coins
npm run bench -- --runs 5      repeats it: of each figure the run with the median ratio, and the range of the ratios
npm run bench -- --compare     and names what is over a quarter worse than the committed ratios; exit code 3
npm run bench -- --commit      keeps the ratios as those to compare with (bench/committed.json)
npm run bench -- --peers       and compares three peers, installed into bench/out/peers
npm run bench -- --plot FILE   draws the growth curves as SVG
npm run bench -- --stream FILE the payment stream of M1
npm run bench -- --out FILE    writes the figures as JSON (bench/out/latest.json by default)
`;

const args = process.argv.slice(2);
const full = args.includes('--full');
const runs = Number(valueOf('--runs') ?? 1);
const stream = valueOf('--stream') ?? STREAM_FILE;
const sizes = full ? [1_000, 10_000, 100_000, 1_000_000] : [1_000, 10_000, 100_000];
const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Rows collect garbage before they measure, and V8 drops code that was not used between several collections. */
const FLAGS = ['--no-flush-bytecode'];

/** The parts with figures of their own, besides the ways to pay. */
const PARTS: Readonly<Record<string, () => readonly Figure[]>> = {
  'offers, merges, rewards, dust': stepFigures,
  logs: () => logFigures(100_000),
  memory: () => memoryFigures(sizes.at(-1) as number),
  'replay of payments': () => replayCosts(stream),
};

const part = partOf(args);
if (args.includes('--help')) process.stdout.write(USAGE);
else if (part !== undefined) process.stdout.write(JSON.stringify(played(part)));
else await run(valueOf('--out') ?? 'bench/out/latest.json');

function valueOf(flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
}

function played(name: string): readonly Pair[] | readonly Figure[] {
  const way = WAYS.find((each) => each.way === name);
  return way ? costsOf(way, sizes, say) : (PARTS[name]?.() ?? []);
}

async function run(out: string): Promise<void> {
  if (!(Number.isInteger(runs) && runs > 0))
    throw new Error(`--runs: got ${valueOf('--runs')}, expected a whole number from 1`);
  const taken = Array.from({ length: runs }, (_, i) => {
    if (runs > 1) say(`run ${i + 1} of ${runs}`);
    return figuresOnce();
  });
  const figures = middles(taken.map(({ figures }) => figures)).map(({ middle, all }) =>
    runs > 1 ? { ...middle, target: `${middle.target}; ratios ${range(all.map(({ ratio }) => ratio))}` } : middle,
  );
  process.stdout.write(table(figures));
  const peers = args.includes('--peers') ? await measurePeers(say) : [];
  if (peers.length > 0) process.stdout.write(peerTable(peers));
  mkdirSync('bench/out', { recursive: true });
  writeFileSync(out, `${JSON.stringify({ node: process.version, figures, peers }, null, 2)}\n`);
  say(`written to ${out}`);
  const plot = valueOf('--plot');
  if (plot !== undefined) {
    const pairsOf = (i: number): readonly Pair[] =>
      middles(taken.map(({ pairs }) => pairs[i] as readonly Pair[])).map(({ middle }) => middle);
    writeFileSync(plot, await growthPlot(WAYS.map((way, i) => ({ ...way, pairs: pairsOf(i) }))));
  }
  if (args.includes('--commit')) commit(figures);
  if (!args.includes('--compare')) return;
  const worse = regressions(figures);
  for (const line of worse) process.stdout.write(`worse: ${line}\n`);
  if (worse.length === 0) process.stdout.write('nothing is over a quarter worse than the committed ratios\n');
  else process.exitCode = 3;
}

function figuresOnce(): { readonly pairs: readonly (readonly Pair[])[]; readonly figures: readonly Figure[] } {
  const pairs = WAYS.map(({ way }) => inProcess<readonly Pair[]>(way, FLAGS));
  const speeds = WAYS.flatMap((way, i) => speedFigures({ ...way, pairs: pairs[i] as readonly Pair[] }));
  const others = Object.keys(PARTS).flatMap((name) => {
    say(`${name} …`);
    return inProcess<readonly Figure[]>(name, FLAGS);
  });
  return { pairs, figures: [...speeds, ...others] };
}

/** Returns for each place in the lists the item with the median ratio, and all. Each run gives the same list. */
function middles<Item extends { readonly ratio: number }>(
  taken: readonly (readonly Item[])[],
): readonly { readonly middle: Item; readonly all: readonly Item[] }[] {
  return (taken[0] ?? []).map((_, i) => {
    const all = taken.map((items) => items[i] as Item).toSorted((a, b) => a.ratio - b.ratio);
    return { middle: all[Math.floor(all.length / 2)] as Item, all };
  });
}
