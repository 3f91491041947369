import { connect, type Socket } from 'node:net';

export interface Hammered {
  readonly answers: number;
  readonly seconds: number;
  /** Number of changes between the requests. */
  readonly changes: number;
}

/** A task that runs after every `answers` responses, one at a time. */
export interface Between {
  readonly answers: number;
  readonly change: () => Promise<void>;
}

/**
 * Sends the same GET on persistent connections for some time. It parses only the status and the length of a
 * response, so that the server takes most of the time. Throws if a status is not 200.
 */
export async function hammer(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  {
    connections,
    millis,
    between,
  }: { readonly connections: number; readonly millis: number; readonly between?: Between },
): Promise<Hammered> {
  const { hostname, port, host } = new URL(url);
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, ...Object.entries(headers).map(([k, v]) => `${k}: ${v}`)];
  const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(Number(port), hostname)));
  const began = performance.now();
  let answers = 0;
  let changes = 0;
  let changing: Promise<void> | null = null;
  let fault: unknown = null;
  let isOver = false;
  // Never let the client sleep: waking it up costs the server time, more often the slower the server is.
  const stayAwake = (): void => void (isOver || setImmediate(stayAwake));
  stayAwake();
  const changeNow = ({ change }: Between): Promise<void> =>
    change()
      .then(() => void (changes += 1))
      .catch((error: unknown) => void (fault = error))
      .finally(() => (changing = null));
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          let text = '';
          socket.on('data', (chunk: Buffer) => {
            text += chunk.toString('latin1');
            const bodyAt = text.indexOf('\r\n\r\n') + 4;
            if (bodyAt < 4) return;
            const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
            if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(text));
            if (!(text.length >= bodyAt + length)) return;
            text = '';
            answers += 1;
            if (between && answers % between.answers === 0) changing ??= changeNow(between);
            if (performance.now() - began < millis) socket.write(request);
            else resolve();
          });
          socket.on('error', reject);
          socket.on('close', () => reject(new Error('the server closed a connection')));
          socket.write(request);
        }),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  isOver = true;
  for (const socket of sockets) socket.removeAllListeners('close').destroy();
  await changing;
  if (fault) throw fault;
  return { answers, seconds, changes };
}

/** Opens idle connections up to the limit of the system. Returns the connections that could be opened. */
export async function openIdle(url: string, count: number): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const more = Array.from({ length: Math.min(200, count - sockets.length) }, () => opened(Number(port), hostname));
    const settled = await Promise.allSettled(more);
    for (const one of settled) {
      if (one.status === 'rejected') continue;
      one.value.on('error', () => undefined);
      sockets.push(one.value);
    }
    if (settled.some(({ status }) => status === 'rejected')) break;
  }
  return sockets;
}

function opened(port: number, hostname: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: hostname, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}
