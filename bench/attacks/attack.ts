import { connect, type Socket } from 'node:net';

export interface Attack {
  readonly name: string;
  /** Sent once, when the connection opens. */
  readonly first: string;
  /** Sent every 100 ms while the server reads. */
  readonly repeated: string;
  readonly reads: boolean;
}

const HOST = 'Host: localhost\r\n';
const UPLOAD = 'POST /registry/transfer-instruction/v1/transfer-factory HTTP/1.1\r\nContent-Length: 1000000\r\n';
const REQUEST = `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`;

export const ATTACKS: readonly Attack[] = [
  { name: 'slow uploads', first: `${UPLOAD}${HOST}\r\n${'x'.repeat(200_000)}`, repeated: 'x', reads: true },
  { name: 'half-open connections', first: '', repeated: '', reads: true },
  { name: 'pipelining', first: REQUEST.repeat(1_300), repeated: REQUEST.repeat(100), reads: false },
  {
    name: 'header floods',
    first: `GET /livez HTTP/1.1\r\n${HOST}`,
    repeated: `X-Flood: ${'x'.repeat(1_000)}\r\n`,
    reads: true,
  },
  {
    name: 'event streams that are never read',
    first: `GET /dev/events?from=0 HTTP/1.1\r\n${HOST}\r\n`,
    repeated: '',
    reads: false,
  },
];

const INTERVAL_MILLIS = 100;
/** Number of unsent bytes in a connection above which the server counts as not reading. */
const MOST_UNSENT = 65_536;

/**
 * Opens connections that attack a server, and reopens each one that the server closes. Returns a function that ends the
 * attack.
 */
export function attack({ first, repeated, reads }: Attack, port: number, connections: number): () => void {
  const opened = (): Socket => {
    const socket = connect(port, '127.0.0.1');
    // A server under attack may close a connection at any time.
    socket.on('error', () => undefined);
    if (reads) socket.resume();
    else socket.pause();
    socket.write(first);
    return socket;
  };
  const sockets = Array.from({ length: connections }, opened);
  const timer = setInterval(() => {
    for (const [i, socket] of sockets.entries())
      if (socket.destroyed) sockets[i] = opened();
      else if (socket.writable && socket.writableLength < MOST_UNSENT) socket.write(repeated);
  }, INTERVAL_MILLIS);
  return () => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  };
}
