import { connect, type Socket } from 'node:net';
import { getHeapSpaceStatistics } from 'node:v8';
import { createServer, listen } from '@coinlab/http';

// A program: prints how many bytes a write adds to the old generation, of five series of writes. Needs --expose-gc.
const CLIENTS = 40;
const ROUNDS = 100;
const collectYoung = (): void => void globalThis.gc?.({ type: 'minor' });
const nothing = (): void => undefined;

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.on('error', reject);
  });
}

function bytesOfOldGeneration(): number {
  const old = getHeapSpaceStatistics().filter(({ space_name }) => space_name.startsWith('old'));
  return old.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

const logger = { info: nothing, warn: nothing, error: nothing };
const server = await createServer({ dev: true, clock: 'manual', port: 0 }, { logger });
const { port, close } = await listen(server, { ownsProcess: true });
const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => connected(port)));
// It waits its turn like all writes, but changes nothing.
const body = '{"seconds":0}';
const head = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;

async function round(meanwhile: () => void): Promise<void> {
  const answers = sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve)));
  for (const socket of sockets) socket.write(`POST /dev/advance HTTP/1.1\r\n${head}\r\n\r\n${body[0]}`);
  await new Promise((resolve) => setTimeout(resolve, 1));
  meanwhile();
  for (const socket of sockets) socket.write(body.slice(1));
  for (const answer of await Promise.all(answers))
    if (!String(answer).startsWith('HTTP/1.1 200 ')) throw new Error(String(answer));
}

for (let i = 0; i < ROUNDS; i++) await round(nothing);
const perWrite: number[] = [];
for (let series = 0; series < 5; series++) {
  // What survives two collections of the young generation leaves it.
  for (let i = 0; i < 4; i++)
    await round(() => {
      collectYoung();
      collectYoung();
    });
  const before = bytesOfOldGeneration();
  for (let i = 0; i < ROUNDS; i++) await round(nothing);
  perWrite.push((bytesOfOldGeneration() - before) / (CLIENTS * ROUNDS));
}
for (const socket of sockets) socket.destroy();
await close();
process.stdout.write(JSON.stringify(perWrite));
