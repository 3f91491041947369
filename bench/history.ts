import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Amount, PartyId } from '@coinlab/core';
import { createServer, listen, type CoinlabServer } from '@coinlab/http';
import { WebSocket } from 'ws';
import { median } from './measure.js';

/*
 * node scripts/run.mjs bench/history.ts
 *
 * The first page of a long history, a stream of updates to one listener, and the memory of idle listeners. Clients run in a process of their own.
 */

const UPDATES = 100_000;
const STREAMED = 50_000;
const IDLE = 1_000;
const PAGE = 200;
const WARM_UP = 40;
const ALICE = PartyId.of('alice');

const HOLDING = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';
const cumulative = [
  { identifierFilter: { InterfaceFilter: { value: { interfaceId: HOLDING, includeInterfaceView: true } } } },
  { identifierFilter: { WildcardFilter: { value: {} } } },
];
const eventFormat = { filtersByParty: { [ALICE]: { cumulative } } };
const updateFormat = {
  includeTransactions: { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' },
};

const [, , role, url = '', token = '', count = '0', begin = '0'] = process.argv;
if (role === 'clients') await clients(Number(count), Number(begin));
else await measure();

async function measure(): Promise<void> {
  const automation = { dso: false, rewards: false };
  const server = await createServer({ dev: true, clock: 'manual', port: 0, automation, traffic: 'free' });
  const port = await listen(server);
  const bearer = await server.token('alice');
  await taps(server, UPDATES);
  // The first request builds the indexes, and the next ones are compiled: neither is measured.
  for (let i = 0; i < WARM_UP; i++) await page(server, bearer);
  const times: number[] = [];
  const busy: number[] = [];
  for (let i = 0; i < 40; i++) {
    const from = performance.now();
    const cpu = process.cpuUsage();
    await page(server, bearer);
    const { user, system } = process.cpuUsage(cpu);
    times.push(performance.now() - from);
    busy.push((user + system) / 1000);
  }
  print('first page of 200 updates with exercises, of 100,000: time', `${median(times).toFixed(1)} ms`);
  print('                                             processor time', `${median(busy).toFixed(1)} ms`);

  const start = Number(server.state.offset);
  const listener = fork(import.meta.filename, ['clients', port.url, bearer, '1', String(start)]);
  await once(listener, 'message');
  const from = performance.now();
  const cpu = process.cpuUsage();
  const received = (async () => {
    while (String((await once(listener, 'message'))[0]) !== 'received');
  })();
  await taps(server, STREAMED);
  const submitted = performance.now() - from;
  await received;
  const seconds = (performance.now() - from) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  print('updates submitted and streamed to one listener', `${Math.round(STREAMED / seconds).toLocaleString('en')}/s`);
  print('  submitted in', `${Math.round(submitted)} ms; streamed after ${Math.round(seconds * 1000)} ms`);
  print('  processor time of an update, submission included', `${((user + system) / STREAMED).toFixed(0)} µs`);
  listener.kill();
  const late = fork(import.meta.filename, ['clients', port.url, bearer, '1', String(start)]);
  // Without the start of the client's process.
  while (String((await once(late, 'message'))[0]) !== 'begun');
  const again = process.cpuUsage();
  const since = performance.now();
  while (String((await once(late, 'message'))[0]) !== 'received');
  const read = process.cpuUsage(again);
  print(
    '  the same updates read from the log by a new listener',
    `${Math.round((STREAMED / (performance.now() - since)) * 1000).toLocaleString('en')}/s`,
  );
  print('  processor time of an update', `${((read.user + read.system) / STREAMED).toFixed(0)} µs`);
  late.kill();

  global.gc?.();
  const before = process.memoryUsage();
  const idle = fork(import.meta.filename, ['clients', port.url, bearer, String(IDLE), String(server.state.offset)]);
  await once(idle, 'message');
  global.gc?.();
  const after = process.memoryUsage();
  const kilobytes = (name: 'rss' | 'heapUsed' | 'external'): string =>
    ((after[name] - before[name]) / IDLE / 1024).toFixed(1);
  print(
    'memory of an idle listener',
    `${kilobytes('rss')} KB resident, ${kilobytes('heapUsed')} KB of heap, ${kilobytes('external')} KB outside`,
  );
  const one = await timeOf(() => taps(server, 1_000));
  print('1,000 updates with 1,000 listeners that get each', `${Math.round(one)} ms`);
  idle.kill();
  await port.close();
}

async function taps(server: CoinlabServer, most: number): Promise<void> {
  const amount = Amount.of('1');
  for (let i = 0; i < most; i += 1_000) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(1_000, most - i) }, () =>
        server.submit({ type: 'Tap', receiver: ALICE, amount }, ALICE),
      ),
    );
    const refused = answers.find(({ ok }) => !ok);
    if (refused) throw new Error(JSON.stringify(refused));
  }
}

async function page(server: CoinlabServer, bearer: string): Promise<void> {
  const answer = await server.fetch(`/v2/updates/flats?limit=${PAGE}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    body: JSON.stringify({ beginExclusive: 100, updateFormat }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/**
 * Opens websockets. Sends a message when all are open, and others when the first has received the first and all updates of the
 * stream.
 */
async function clients(most: number, beginExclusive: number): Promise<void> {
  const sockets = Array.from({ length: most }, () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v2/updates`, [`jwt.token.${token}`, 'daml.ws.auth']);
    socket.on('open', () => socket.send(JSON.stringify({ beginExclusive, updateFormat })));
    return socket;
  });
  let received = 0;
  sockets[0]?.on('message', () => {
    if (++received === 1) process.send?.('begun');
    if (received === STREAMED) process.send?.('received');
  });
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  process.send?.('open');
}

function print(what: string, value: string): void {
  process.stdout.write(`${what.padEnd(62)} ${value}\n`);
}
