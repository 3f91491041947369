import { connect, type Socket } from 'node:net';
import { createServer, listen, type ListeningServer } from '@coinlab/http';
import { afterEach, describe, expect, it } from 'vitest';

const IDLE = 500;
const SLOW = 50;
const open: Socket[] = [];
let listening: ListeningServer | null = null;

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await listening?.close();
});

function connected({ port }: ListeningServer, said: string = ''): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
    open.push(socket);
    socket.write(said);
  });
}

function heard(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString())).on('close', () => resolve(text));
  });
}

describe('a server with slow clients', () => {
  it('serves other clients despite hundreds of idle and slow connections, and ends slow requests with 408', async () => {
    const server = await createServer({ dev: true, clock: 'manual', port: 0, limits: { requestSeconds: 2 } });
    const here = (listening = await listen(server));
    const token = await server.token('alice');
    await Promise.all(Array.from({ length: IDLE }, () => connected(here)));
    const post = `POST /v0/wallet/tap HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 900\r\n\r\n{`;
    const slow = await Promise.all([
      ...Array.from({ length: SLOW }, () => connected(here, 'GET /livez HTTP/1.1\r\nX-')),
      ...Array.from({ length: SLOW }, () => connected(here, post)),
    ]);
    const drip = setInterval(() => slow.forEach((socket) => socket.writable && socket.write('a')), 100);
    const ends = slow.map(heard);
    for (let i = 0; i < 20; i++) {
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${here.url}/v0/wallet/balance`, { headers })).status).toBe(200);
      const tapped = await fetch(`${here.url}/v0/wallet/tap`, { method: 'POST', headers, body: '{"amount":"1"}' });
      expect(tapped.status).toBe(200);
    }
    const answers = await Promise.all(ends);
    clearInterval(drip);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*\r\n\r\n\{"error":".+"\}$/);
  });

  it('refuses a long path with a JSON error', async () => {
    const server = await createServer({ clock: 'manual', port: 0 });
    const here = (listening = await listen(server));
    const socket = await connected(here, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await heard(socket)).toMatch(/^HTTP\/1\.1 431 [^]*\{"error":".+"\}$/);
  });
});
