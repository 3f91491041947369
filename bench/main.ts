import { mkdirSync, writeFileSync } from 'node:fs';
import { commit, regressions } from './compare.js';
import { logFigures } from './logs.js';
import { memoryFigures } from './memory.js';
import { replayCosts, STREAM_FILE } from './replay.js';
import { measurePeers, peerTable } from './peers.js';
import { growthPlot } from './plot.js';
import { measureSpeed, speedFigures } from './speed.js';
import { stepFigures } from './steps.js';
import { table } from './table.js';

const USAGE = `npm run bench                  S1 to S8 and M1, 1k to 100k coins, about two minutes
npm run bench -- --full        up to 1,000,000 coins
npm run bench -- --compare     and names what is over a quarter worse than the committed ratios; exit code 3
npm run bench -- --commit      keeps the ratios as those to compare with (bench/committed.json)
npm run bench -- --peers       and compares three peers, installed into bench/out/peers
npm run bench -- --plot FILE   draws the growth curves as SVG
npm run bench -- --stream FILE the payment stream of M1
npm run bench -- --out FILE    writes the figures as JSON (bench/out/latest.json by default)
`;

const args = process.argv.slice(2);
if (args.includes('--help')) process.stdout.write(USAGE);
else
  await run(args.includes('--full'), valueOf('--out') ?? 'bench/out/latest.json', valueOf('--stream') ?? STREAM_FILE);

function valueOf(flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
}

async function run(full: boolean, out: string, stream: string): Promise<void> {
  const sizes = full ? [1_000, 10_000, 100_000, 1_000_000] : [1_000, 10_000, 100_000];
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const points = measureSpeed(sizes, say);
  say('offers, merges, rewards, dust …');
  const steps = stepFigures();
  say('logs …');
  const logs = logFigures(100_000);
  say('memory …');
  const memory = memoryFigures(sizes.at(-1) as number);
  say('replay of payments …');
  const figures = [...speedFigures(points), ...steps, ...logs, ...memory, ...replayCosts(stream)];
  process.stdout.write(table(figures));
  const peers = args.includes('--peers') ? await measurePeers(say) : [];
  if (peers.length > 0) process.stdout.write(peerTable(peers));
  mkdirSync('bench/out', { recursive: true });
  writeFileSync(out, `${JSON.stringify({ node: process.version, figures, peers }, null, 2)}\n`);
  say(`written to ${out}`);
  const plot = valueOf('--plot');
  if (plot !== undefined) writeFileSync(plot, await growthPlot(points));
  if (args.includes('--commit')) commit(figures);
  if (!args.includes('--compare')) return;
  const worse = regressions(figures);
  for (const line of worse) process.stdout.write(`worse: ${line}\n`);
  if (worse.length === 0) process.stdout.write('nothing is over a quarter worse than the committed ratios\n');
  else process.exitCode = 3;
}
