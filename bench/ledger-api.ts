import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './figure.js';
import { median, range } from './measure.js';
import { cpuMicros, holdingsRequest, request, SignedOffers } from './serving/signed-offers.js';
import { ask, bundle, end, start, type Serving } from './serving/program.js';

const OFFERS = 100;
/** Node compiles a function after some hundred calls, in other threads, whose time counts: 1,500 offers of each kind take it to an end. */
const WARM_UP_ROUNDS = 15;
const READS = 300;
/** Updates between the reads of a changing ledger. Asking for the processor time costs the server time, too. */
const [UPDATES, READS_PER_UPDATE] = [30, 10];
/** Both servers get faster for 4,000 reads, the one with more code more: before that, their costs differ less. */
const WARM_UP_OF_READS = 15;
const MANY = 1_500;

/**
 * Compares requests of the JSON Ledger API by processor time of the server. A prepared, signed and executed
 * offer is compared with an offer of a wallet; a read of a party's coins with a bare route that returns the
 * same bytes.
 */
export async function ledgerFigures(rounds: number): Promise<readonly Figure[]> {
  const server = await start(await bundle('bench/serving/manual.ts', 'manual'), []);
  const figures = [await signedFigure(server, rounds), ...(await coinFigures(server, rounds))];
  await end(server, 'SIGKILL');
  return figures;
}

async function signedFigure(server: Serving, rounds: number): Promise<Figure> {
  const offers = await SignedOffers.on(server);
  for (let i = 0; i < WARM_UP_ROUNDS; i++) await offers.measure(OFFERS);
  const costs = [];
  for (let i = 0; i < rounds; i++) costs.push(await offers.measure(OFFERS));
  const ratios = costs.map(({ signed, wallet }) => signed / wallet);
  return {
    goal: 'L1',
    what: 'an offer prepared, signed and executed, relative to one of a wallet',
    ours: `${Math.round(median(costs.map(({ signed }) => signed)))} µs of processor`,
    reference: `${Math.round(median(costs.map(({ wallet }) => wallet)))} µs`,
    ratio: median(ratios),
    target: `3 or less; measured ${range(ratios)}`,
  };
}

async function coinFigures(server: Serving, rounds: number): Promise<readonly Figure[]> {
  const { party_id: party } = await request(server, 'carol', 'GET', '/v0/wallet/user-status');
  const tap = (): Promise<unknown> => request(server, 'carol', 'POST', '/v0/wallet/tap', { amount: '1' });
  const { amulets } = await request(server, 'carol', 'GET', '/v0/wallet/amulets');
  for (let coins = (amulets as unknown[]).length; coins < 10; coins++) await tap();
  const few = await fewFigures(server, String(party), rounds);
  for (let coins = 10; coins < MANY; coins++) await tap();
  return [...few, await manyFigure(server, String(party))];
}

interface ReadCosts {
  readonly bare: number;
  readonly unchanged: number;
  readonly changed: number;
}

/** The response to a repeated request is kept until the next update: one figure without updates, and one with. */
async function fewFigures(server: Serving, party: string, rounds: number): Promise<readonly Figure[]> {
  const body = await (await holdingsRequest(server, 'carol', party))();
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-bench-'));
  writeFileSync(join(folder, 'body.json'), body);
  const bare = await start(await bundle('bench/serving/bare.ts', 'bare'), [join(folder, 'body.json')]);
  const same = await holdingsRequest(server, 'carol', party, `${bare.url}/`);
  const costs: ReadCosts[] = [];
  for (let i = 0; i < WARM_UP_OF_READS + rounds; i++) {
    const reference = await costOf(bare, same, READS);
    const unchanged = await costOf(server, await holdingsRequest(server, 'carol', party), READS);
    let changed = 0;
    for (let update = 0; update < UPDATES; update++) {
      await request(server, 'alice', 'POST', '/v0/wallet/tap', { amount: '1' });
      changed += await costOf(server, await holdingsRequest(server, 'carol', party), READS_PER_UPDATE);
    }
    if (i >= WARM_UP_OF_READS) costs.push({ bare: reference, unchanged, changed: changed / UPDATES });
  }
  await end(bare, 'SIGKILL');
  rmSync(folder, { recursive: true });
  const what = `active contracts of a party with 10 coins (${body.length} B)`;
  return [
    readFigure(`${what}, no updates`, costs, 'unchanged', '0.5 or more'),
    readFigure(`${what}, an update every ${READS_PER_UPDATE} reads`, costs, 'changed', 'no goal'),
  ];
}

function readFigure(
  what: string,
  costs: readonly ReadCosts[],
  ours: Exclude<keyof ReadCosts, 'bare'>,
  goal: string,
): Figure {
  const ratios = costs.map((cost) => cost.bare / cost[ours]);
  return {
    goal: 'L2',
    what,
    ours: `${Math.round(median(costs.map((cost) => cost[ours])))} µs of processor`,
    reference: `bare Hono ${Math.round(median(costs.map(({ bare }) => bare)))} µs`,
    ratio: median(ratios),
    target: `${goal}; measured ${range(ratios)}`,
  };
}

async function manyFigure(server: Serving, party: string): Promise<Figure> {
  const coins = await holdingsRequest(server, 'carol', party);
  let bytes = (await coins()).length;
  const before = await ask<NodeJS.MemoryUsage>(server, 'heap');
  const cpu = await cpuMicros(server);
  const times = 20;
  for (let i = 0; i < times; i++) bytes = (await coins()).length;
  const micros = ((await cpuMicros(server)) - cpu) / times;
  const after = await ask<NodeJS.MemoryUsage>(server, 'memory');
  const grown = Math.max(0, after.rss - before.rss) / 2 ** 20;
  return {
    goal: 'L3',
    what: `active contracts of a party with ${MANY.toLocaleString('en')} coins, streamed ${times} times`,
    ours: `${(micros / 1000).toFixed(1)} ms of processor, ${grown.toFixed(0)} MiB more resident`,
    reference: `${((bytes * times) / 2 ** 20).toFixed(0)} MiB sent`,
    ratio: (grown * 2 ** 20) / (bytes * times),
    target: 'below 1: not all in memory',
  };
}

async function costOf(server: Serving, read: () => Promise<unknown>, times: number): Promise<number> {
  const before = await cpuMicros(server);
  for (let i = 0; i < times; i++) await read();
  return ((await cpuMicros(server)) - before) / times;
}
