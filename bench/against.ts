import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundled } from './bundled.mjs';
import { median, range } from './measure.js';

/** Outside the folders that the tests of the repository read. */
const FOLDER = 'node_modules/.cache/coinlab-against';

const USAGE = `npm run bench:against -- COMMIT   the time of a payment now, as a multiple of the time at an earlier commit; a quarter of an hour

Both versions make the same payments in one process, in turns of 50,000 in random order, so that the speed of the machine cancels out.
The table has the medians of several processes. The earlier version is unpacked and installed in ${FOLDER}.

  --ways numbers,commands,ledger   the ways to pay (default: all)
  --sizes 1000,10000,100000        numbers of coins (default: these)
  --processes 5                    number of processes (default: 5)
  --rounds 9                       number of turns of each version in a process (default: 9)
`;

const BY_DEFAULT = {
  '--ways': 'numbers,commands,ledger',
  '--sizes': '1000,10000,100000',
  '--processes': '5',
  '--rounds': '9',
};

const KNOWN_WAYS = BY_DEFAULT['--ways'].split(',');

const [first] = process.argv.slice(2);
if (first === undefined || first === '--help') process.stdout.write(USAGE);
else await compare(first);

async function compare(name: string): Promise<void> {
  const ways = valueOf('--ways').split(',');
  const unknown = ways.find((way) => !KNOWN_WAYS.includes(way));
  if (unknown !== undefined) throw new Error(`--ways: got ${unknown}, expected some of ${KNOWN_WAYS.join(', ')}`);
  const [sizes, [processes], [rounds]] = [numbersOf('--sizes'), numbersOf('--processes'), numbersOf('--rounds')];
  const commit = git('rev-parse', '--short=8', `${name}^{commit}`);
  const before = join(FOLDER, commit);
  if (!existsSync(before)) unpack(commit, before);
  if (!existsSync(join(before, 'node_modules'))) run('npm', ['ci', '--no-audit', '--no-fund'], before);
  // Each version has its own dependencies; the compiler is the same.
  const programs = [
    await bundled('speed', resolve(FOLDER, `${commit}.mjs`), resolve(before)),
    await bundled('speed', resolve(FOLDER, 'now.mjs')),
  ];
  process.stdout.write(`| payments | coins | time now / time at ${commit} |\n| --- | --- | --- |\n`);
  for (const way of ways)
    for (const size of sizes) {
      const turns = ['bench/against-turns.mjs', way, String(size), String(rounds), ...programs];
      const ratios = Array.from({ length: processes ?? 0 }, () =>
        Number(run(process.execPath, ['--expose-gc', '--max-old-space-size=8000', ...turns], '.')),
      );
      process.stdout.write(`| ${way} | ${size} | ${median(ratios).toFixed(2)} ${range(ratios)} |\n`);
    }
}

function numbersOf(flag: Exclude<keyof typeof BY_DEFAULT, '--ways'>): readonly number[] {
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
