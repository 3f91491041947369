import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Figure } from './ledger.js';
import { crowd, generatedStream, network, watching } from './lab-worlds.js';
import { sweeping } from './sweep.js';
import { table } from './table.js';

const USAGE = `npm run bench:lab              a tenth of each goal, some minutes
npm run bench:lab -- --full    the goals as they are: four million events, 10,000 parties for 30 days, a million parties
npm run bench:lab -- --only M3 one of M2, M3, M4, M5, M6
`;

const args = process.argv.slice(2);
const isFull = args.includes('--full');

/** Each measured in a process of its own, so that the memory of one does not count for the next. */
const PARTS: Readonly<Record<string, () => readonly Figure[] | Promise<readonly Figure[]>>> = {
  M2: () => generatedStream(isFull ? 4_000_000 : 400_000, ['smallest-first', 'largest-first']),
  M3: () => [network(isFull ? 10_000 : 1_000, 30)],
  M4: () => [crowd(isFull ? 1_000_000 : 100_000)],
  M5: () => (isFull ? sweeping(100, 5) : sweeping(20, 3)),
  M6: () => [watching(1_000, 3)],
};

const part = args[args.indexOf('--part') + 1];
if (args.includes('--help')) process.stdout.write(USAGE);
else if (args.includes('--part')) process.stdout.write(JSON.stringify((await PARTS[part ?? '']?.()) ?? []));
else runAll(args.includes('--only') ? [args[args.indexOf('--only') + 1] ?? ''] : Object.keys(PARTS));

function runAll(names: readonly string[]): void {
  const figures = names.flatMap((name): readonly Figure[] => {
    process.stderr.write(`${name} …\n`);
    const program = [...process.execArgv, '--max-old-space-size=12000', fileURLToPath(import.meta.url)];
    const { stdout, status } = spawnSync(
      process.execPath,
      [...program, '--part', name, ...(isFull ? ['--full'] : [])],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    if (status !== 0) throw new Error(`${name} ended with ${status}`);
    return JSON.parse(stdout) as readonly Figure[];
  });
  process.stdout.write(`${table(figures)}The ratio of M2 to M4 is microseconds of processor time per update.\n`);
  mkdirSync(new URL('out/', import.meta.url), { recursive: true });
  writeFileSync(
    new URL('out/lab.json', import.meta.url),
    `${JSON.stringify({ node: process.version, figures }, null, 2)}\n`,
  );
}
