import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundled } from './bundled.mjs';
import { median, range } from './measure.js';

/** Outside the folders that the tests of the repository read. */
const FOLDER = 'node_modules/.cache/coinlab-against';

const USAGE = `npm run bench:against -- COMMIT   the costs of the benchmark now, as multiples of those at an earlier commit; a quarter of an hour

Each part of the benchmark runs in a process of its own, the two versions in turns, so that a change of the machine's speed affects both.
Payments are compared by processor time. The other rows are compared by what \`npm run bench\` prints: multiples of a reference of the same
version, or processor time. The table has the medians of all pairs of runs with their range. The earlier version is unpacked and installed in
${FOLDER}.

  --parts numbers,commands,ledger,steps,logs,memory,replay   parts of the benchmark (default: all)
  --sizes 1000,10000,100000                                  numbers of coins for payments (default: these)
  --runs 5                                                   number of runs of each version (default: 5)
`;

/** Rows collect garbage before they measure, and V8 drops code that was not used between several collections. */
const FLAGS = ['--expose-gc', '--no-flush-bytecode', '--max-old-space-size=8000'];

const BY_DEFAULT = {
  '--parts': 'numbers,commands,ledger,steps,logs,memory,replay',
  '--sizes': '1000,10000,100000',
  '--runs': '5',
};

const KNOWN_PARTS = BY_DEFAULT['--parts'].split(',');
const WITH_SIZES = ['numbers', 'commands', 'ledger'];
/** Number of coins of the benchmark's logs and of its measurement of memory. */
const COINS = 100_000;

const [first] = process.argv.slice(2);
if (first === undefined || first === '--help') process.stdout.write(USAGE);
else await compare(first);

async function compare(name: string): Promise<void> {
  const parts = valueOf('--parts').split(',');
  const unknown = parts.find((part) => !KNOWN_PARTS.includes(part));
  if (unknown !== undefined) throw new Error(`--parts: got ${unknown}, expected some of ${KNOWN_PARTS.join(', ')}`);
  const [sizes, [runs]] = [numbersOf('--sizes'), numbersOf('--runs')];
  const commit = git('rev-parse', '--short=8', `${name}^{commit}`);
  const before = join(FOLDER, commit);
  if (!existsSync(before)) unpack(commit, before);
  if (!existsSync(join(before, 'node_modules'))) run('npm', ['ci', '--no-audit', '--no-fund'], before);
  // Each version has its own dependencies; the compiler is the same.
  const measured = ['speed', 'steps', 'logs', 'memory', 'replay'];
  const programs: Programs = {
    before: await bundled(measured, resolve(FOLDER, `${commit}.mjs`), resolve(before)),
    now: await bundled(measured, resolve(FOLDER, 'now.mjs')),
  };
  process.stdout.write(`| what | now / at ${commit} |\n| --- | --- |\n`);
  for (const part of parts)
    for (const size of WITH_SIZES.includes(part) ? sizes : [COINS]) {
      const pairs = Array.from({ length: runs ?? 0 }, (_, i) => pairOf(part, size, programs, i % 2 === 1));
      for (const row of Object.keys(pairs[0]?.now ?? {})) {
        const ratios = pairs.map(({ before, now }) => (now[row] ?? Number.NaN) / (before[row] ?? Number.NaN));
        // The earlier version may lack a row.
        if (ratios.every(Number.isFinite))
          process.stdout.write(`| ${row} | ${median(ratios).toFixed(2)} ${range(ratios)} |\n`);
      }
    }
}

type Version = 'before' | 'now';
type Programs = Readonly<Record<Version, string>>;

interface Rows {
  readonly [row: string]: number;
}

/** Runs both versions one after the other; the order changes from pair to pair. */
function pairOf(part: string, size: number, programs: Programs, nowFirst: boolean): Readonly<Record<Version, Rows>> {
  const costs: Partial<Record<Version, Rows>> = {};
  for (const version of nowFirst ? (['now', 'before'] as const) : (['before', 'now'] as const))
    costs[version] = rowsOf(
      run(process.execPath, [...FLAGS, 'bench/against-run.mjs', part, String(size), programs[version]], '.'),
    );
  // Both were set.
  return costs as Record<Version, Rows>;
}

function rowsOf(json: string): Rows {
  // Printed by our own program.
  return JSON.parse(json) as Rows;
}

function numbersOf(flag: Exclude<keyof typeof BY_DEFAULT, '--parts'>): readonly number[] {
  return valueOf(flag)
    .split(',')
    .map((text) => {
      const number = Number(text);
      if (Number.isInteger(number) && number > 0) return number;
      throw new Error(`${flag}: got ${text}, expected a whole number above 0`);
    });
}

function valueOf(flag: keyof typeof BY_DEFAULT): string {
  const at = process.argv.indexOf(flag);
  return (at < 0 ? undefined : process.argv[at + 1]) ?? BY_DEFAULT[flag];
}

function unpack(commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  git('archive', '--output', archive, commit);
  run('tar', ['-xf', resolve(archive)], folder);
  rmSync(archive);
}

function git(...args: string[]): string {
  return run('git', args, '.');
}

function run(program: string, args: readonly string[], folder: string): string {
  const { stdout, status } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`);
  return stdout.trim();
}
