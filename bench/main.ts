import { mkdirSync, writeFileSync } from 'node:fs';
import { measureBound, measureEngine, measureLedger, memoryFigures, replayFigures, speedFigures } from './ledger.js';
import { table } from './table.js';
import { replayCosts, STREAM_FILE } from './replay.js';

const USAGE = `npm run bench                 1k to 100k coins, about a minute
npm run bench -- --full       up to 1,000,000 coins
npm run bench -- --stream FILE  the payment stream of M1
npm run bench -- --out FILE   writes the figures as JSON (bench/out/latest.json by default)
`;

const args = process.argv.slice(2);
if (args.includes('--help')) process.stdout.write(USAGE);
else run(args.includes('--full'), valueOf('--out') ?? 'bench/out/latest.json', valueOf('--stream') ?? STREAM_FILE);

function valueOf(flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
}

function run(full: boolean, out: string, stream: string): void {
  const sizes = full ? [1_000, 10_000, 100_000, 1_000_000] : [1_000, 10_000, 100_000];
  const largest = sizes.at(-1) as number;
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  say('bound …');
  const bound = measureBound(sizes);
  say('engine …');
  const engine = measureEngine(sizes);
  say('ledger …');
  const ledger = measureLedger(sizes);
  say('replay, memory, fork …');
  const measured = [...speedFigures(bound, engine, ledger), ...replayFigures(100_000), ...memoryFigures(largest)];
  say('replay of payments …');
  const figures = [...measured, ...replayCosts(stream)];
  process.stdout.write(table(figures));
  mkdirSync(new URL('out/', import.meta.url), { recursive: true });
  writeFileSync(out, `${JSON.stringify({ node: process.version, figures }, null, 2)}\n`);
  say(`written to ${out}`);
}
