import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './figure.js';
import { ledgerFigures } from './ledger-api.js';
import { median, range } from './measure.js';
import { bundle, cpuSeconds, end, start, ask, type Serving } from './serving/program.js';
import { ChangingWallet } from './serving/changing-wallet.js';
import { hammer, openIdle, type Between } from './serving/hammer.js';
import { nothingTold, Wallets } from './serving/offers.js';
import { atFullLoad, soak } from './serving/soak.js';
import { table } from './table.js';

const USAGE = `npm run bench:server                       H2 and H3: requests relative to a bare route, durable writes relative to the store; L: requests of the ledger API
npm run bench:server -- --minutes 10       and H4: a soak at 80 % of the full load, measured every 30 s
npm run bench:server -- --idle 10000       and R9: the same with this number of idle connections
npm run bench:server -- --rounds N         repeats of each pair (7)
npm run bench:server -- --only H2|H3|L     one of them
npm run bench:server -- --out FILE         writes the figures as JSON (bench/out/server.json by default)
`;

const CONNECTIONS = 64;
const COINS = 10;
/**
 * The setting that the guide recommends for busy servers. A larger young generation avoids repeated copies of
 * active requests.
 */
const UNDER_LOAD: readonly string[] = ['--max-semi-space-size=64'];
const PARTS: readonly string[] = ['H2', 'H3', 'L'];
/** Number of reads between two changes of a changing wallet. */
const READS_PER_CHANGE = 128;
/** Number of changes before the clock starts: the first take three times as long, because their code is not compiled. */
const FIRST_CHANGES = 3_000;
const OUT = join(import.meta.dirname, 'out');

const args = process.argv.slice(2);
const valueOf = (flag: string): string | undefined => {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
};
const say = (text: string): void => void process.stderr.write(`${text}\n`);

if (args.includes('--help')) process.stdout.write(USAGE);
else await run();

async function run(): Promise<void> {
  const rounds = Number(valueOf('--rounds') ?? 7);
  const minutes = Number(valueOf('--minutes') ?? 0);
  const only = valueOf('--only');
  if (only !== undefined && !PARTS.includes(only))
    throw new Error(`--only: got ${only}, expected one of ${PARTS.join(', ')}`);
  const figures: Figure[] = [];
  const isWanted = (goal: string): boolean => only === undefined || only === goal;
  if (isWanted('L')) figures.push(...(await ledgerFigures(rounds)));
  if (isWanted('H2')) figures.push(...(await readFigures(rounds)));
  if (isWanted('H3')) {
    figures.push(await writeFigure(rounds));
    if (minutes > 0) figures.push(...(await soakFigures(minutes)));
  }
  const idle = Number(valueOf('--idle') ?? 0);
  if (idle > 0) figures.push(await idleFigure(idle));
  process.stdout.write(table(figures));
  mkdirSync(OUT, { recursive: true });
  const out = valueOf('--out') ?? join(OUT, 'server.json');
  writeFileSync(out, `${JSON.stringify({ node: process.version, figures }, null, 2)}\n`);
  say(`written to ${out}`);
}

/**
 * H2: the most frequent read of a wallet, relative to a bare route that returns the same bytes; both are
 * measured alternately. One wallet never changes, so its response is cached; in another, a coin is replaced
 * after every few responses.
 */
async function readFigures(rounds: number): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-bench-'));
  const program = await bundle('packages/cli/src/main.ts', 'coinlab');
  const bare = await bundle('bench/serving/bare.ts', 'bare');
  const server = await start(program, ['serve', '--dev', '--port', '0']);
  const authorization = `Bearer ${server.tokens.get('alice') ?? ''}`;
  for (let i = 1; i < COINS; i++)
    await fetch(`${server.url}/v0/wallet/tap`, { method: 'POST', headers: { authorization }, body: '{"amount":"1"}' });
  const wallet = await ChangingWallet.of(server.url, authorization);
  for (let i = 0; i < FIRST_CHANGES; i++) await wallet.change();
  const between = { answers: READS_PER_CHANGE, change: () => wallet.change() };
  const figures: Figure[] = [];
  for (const path of ['/v0/wallet/balance', '/v0/wallet/amulets']) {
    say(`GET ${path} …`);
    const body = await (await fetch(server.url + path, { headers: { authorization } })).text();
    const file = join(folder, 'body.json');
    writeFileSync(file, body);
    const reference = await start(bare, [file]);
    const [theirs, same, changing]: [Rate[], Rate[], Rate[]] = [[], [], []];
    for (let round = 0; round <= rounds; round++) {
      // The first round is a warm-up.
      const millis = round === 0 ? 3_000 : 1_500;
      const taken = [
        await rate(reference, '/', { authorization }, millis),
        await rate(server, path, { authorization }, millis),
        await rate(server, path, { authorization }, millis, between),
      ];
      if (round > 0) for (const [i, rates] of [theirs, same, changing].entries()) rates.push(taken[i] as Rate);
    }
    await end(reference, 'SIGKILL');
    const what = `GET ${path} (${body.length} B), ${CONNECTIONS} connections`;
    const perChange = Math.round(median(changing.map(({ perChange }) => perChange)));
    figures.push(readFigure(`${what}, the wallet as it was`, same, theirs));
    figures.push(readFigure(`${what}, a coin replaced every ${perChange} reads`, changing, theirs));
  }
  wallet.close();
  await end(server, 'SIGKILL');
  rmSync(folder, { recursive: true });
  return figures;
}

function readFigure(what: string, ours: readonly Rate[], theirs: readonly Rate[]): Figure {
  const shown = (rates: readonly Rate[]): string =>
    `${thousands(median(rates.map(({ perSecond }) => perSecond)))}/s, ${Math.round(median(rates.map(({ cpuMicros }) => cpuMicros)))} µs of processor`;
  const shares = ours.map(({ perSecond }, i) => perSecond / (theirs[i] as Rate).perSecond);
  const cpuShare = median(ours.map(({ cpuMicros }, i) => (theirs[i] as Rate).cpuMicros / cpuMicros));
  return {
    goal: 'H2',
    what,
    ours: shown(ours),
    reference: `bare Hono ${shown(theirs)}`,
    ratio: median(shares),
    target: `0.60 or more; measured ${range(shares)} (by processor time ${cpuShare.toFixed(2)})`,
  };
}

interface Rate {
  readonly perSecond: number;
  /** Processor time of the server per request, in microseconds. */
  readonly cpuMicros: number;
  readonly perChange: number;
}

async function rate(
  server: Serving,
  path: string,
  headers: Readonly<Record<string, string>>,
  millis: number,
  between?: Between,
): Promise<Rate> {
  const before = cpuSeconds(server);
  const options = { connections: CONNECTIONS, millis, ...(between ? { between } : {}) };
  const { answers, seconds, changes } = await hammer(server.url, path, headers, options);
  const after = cpuSeconds(server);
  const cpu = before === null || after === null ? Number.NaN : after - before;
  return { perSecond: answers / seconds, cpuMicros: (cpu * 1e6) / answers, perChange: answers / changes };
}

/** R9: the cost of requests while other clients keep idle connections open. */
async function idleFigure(asked: number): Promise<Figure> {
  say(`${asked} idle connections …`);
  const program = await bundle('packages/cli/src/main.ts', 'coinlab');
  const server = await start(program, ['serve', '--dev', '--port', '0']);
  const authorization = `Bearer ${server.tokens.get('alice') ?? ''}`;
  const measure = (): Promise<Rate> => rate(server, '/v0/wallet/balance', { authorization }, 3_000);
  await measure();
  const alone = await measure();
  const idle = await openIdle(server.url, asked);
  const withIdle = await measure();
  const isHeld = idle.filter((socket) => socket.readyState === 'open').length;
  for (const socket of idle) socket.destroy();
  await end(server, 'SIGKILL');
  return {
    goal: 'R9',
    what: `GET balance with ${thousands(isHeld)} idle connections of ${thousands(asked)}`,
    ours: `${thousands(withIdle.perSecond)}/s`,
    reference: `without them ${thousands(alone.perSecond)}/s`,
    ratio: withIdle.perSecond / alone.perSecond,
    target: 'all held, others served',
  };
}

/**
 * H3: offers and acceptances of 64 clients on a durable log, relative to a store that appends the same groups
 * without a server.
 */
async function writeFigure(rounds: number): Promise<Figure> {
  const program = await bundle('bench/serving/durable.ts', 'durable');
  const alone = await bundle('bench/serving/append-alone.ts', 'append-alone');
  const shares: number[] = [];
  const ours: number[] = [];
  const theirs: number[] = [];
  let groupSize = 0;
  for (let round = 0; round < rounds; round++) {
    say(`durable writes, ${round + 1} of ${rounds} …`);
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-bench-'));
    const server = await start(program, [join(folder, 'log')], undefined, UNDER_LOAD);
    const wallets = await Wallets.of(server, CONNECTIONS);
    await writes(wallets, 'warm', 4_000);
    const before = await ask<number[]>(server, 'groups');
    const began = performance.now();
    await writes(wallets, 'measured', 8_000);
    const seconds = (performance.now() - began) / 1000;
    const groups = await ask<number[]>(server, 'groups');
    await wallets.close();
    await end(server, 'SIGTERM');
    const measured = groups.slice(before.length);
    const updates = measured.reduce((sum, size) => sum + size, 0);
    const reference = JSON.parse(
      execFileSync(process.execPath, [
        alone,
        join(folder, 'log'),
        join(folder, 'again'),
        JSON.stringify(groups),
        String(before.length),
      ]).toString(),
    ) as { updates: number; seconds: number };
    rmSync(folder, { recursive: true });
    ours.push(updates / seconds);
    theirs.push(reference.updates / reference.seconds);
    shares.push(updates / seconds / (reference.updates / reference.seconds));
    groupSize = updates / measured.length;
  }
  return {
    goal: 'H3',
    what: `durable offers and acceptances, ${CONNECTIONS} clients, ${groupSize.toFixed(0)} a group`,
    ours: `${thousands(median(ours))} writes/s`,
    reference: `store alone ${thousands(median(theirs))}/s`,
    ratio: median(shares),
    target: `0.60 or more; measured ${range(shares)}`,
  };
}

/** Makes every client offer and accept until the time is over. Throws if a command is refused. */
async function writes(wallets: Wallets, name: string, millis: number): Promise<void> {
  const told = nothingTold();
  await atFullLoad(wallets, CONNECTIONS, name, millis, told);
  if (told.surprises.length > 0) throw new Error(told.surprises[0]);
}

/** H4: writes at 80 % of the full load for some minutes. Latencies count from each write's scheduled time; memory is recorded over time. */
async function soakFigures(minutes: number): Promise<readonly Figure[]> {
  const program = await bundle('bench/serving/durable.ts', 'durable');
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-bench-'));
  const server = await start(program, [join(folder, 'log')], undefined, UNDER_LOAD);
  const wallets = await Wallets.of(server, CONNECTIONS * 4);
  await writes(wallets, 'warm', 4_000);
  const { sections, latencies, memory, delays, surprises, ...soaked } = await soak(
    server,
    wallets,
    CONNECTIONS,
    minutes,
    say,
  );
  await wallets.close();
  await end(server, 'SIGTERM');
  rmSync(folder, { recursive: true });
  const [first, last] = [memory[0], memory.at(-1)];
  const grown = first && last ? ((last.heapMiB - first.heapMiB) * 2 ** 20) / (last.writes - first.writes) : Number.NaN;
  const [p50, p99] = [latencies.quantile(0.5), latencies.quantile(0.99)];
  const shares = sections.map((section) => section.p99 / section.p50);
  const slowed = sections.flatMap((section) => section.slowed ?? []);
  writeFileSync(
    join(OUT, 'soak.json'),
    `${JSON.stringify({ minutes, p50, p99, delays, errors: surprises, sections, memory }, null, 2)}\n`,
  );
  return [
    {
      goal: 'H4',
      what: `${minutes} min, ${thousands(soaked.writes)} writes, ${sections.length} sections at 80 % of ${range(
        sections.map(({ most }) => most),
        0,
      )} writes/s, ${surprises.length} errors`,
      ours: `p99 ${p99.toFixed(1)} ms`,
      reference: `median ${p50.toFixed(1)} ms`,
      ratio: p99 / p50,
      target: `below 20, no error; per section ${median(shares).toFixed(1)} ${range(shares, 1)}, ${shares.filter((share) => share < 20).length} below 20; processor time per write ${median(slowed).toFixed(2)} ${range(slowed)} of that at full load`,
    },
    {
      goal: 'H4',
      what: `delays of the event loop above 50, 100 and 200 ms, of ${delays.all} measured`,
      ours: `${delays.above50}, ${delays.above100}, ${delays.above200}`,
      reference: '–',
      ratio: delays.above50 / delays.all,
      target: 'none',
    },
    {
      goal: 'H4',
      what: `heap ${first?.heapMiB.toFixed(0)} to ${last?.heapMiB.toFixed(0)} MiB, resident ${first?.rssMiB.toFixed(0)} to ${last?.rssMiB.toFixed(0)} MiB`,
      ours: `${grown.toFixed(0)} B a write`,
      reference: 'after collection',
      ratio: first && last ? last.heapMiB / first.heapMiB : Number.NaN,
      target: 'flat',
    },
  ];
}

function thousands(value: number): string {
  return Math.round(value).toLocaleString('en');
}
