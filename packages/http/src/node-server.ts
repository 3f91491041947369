import { STATUS_CODES, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createNodeServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { BadSettings } from './config.js';
import type { CoinlabServer } from './create-server.js';
import type { ServerConfig } from './config.js';
import { isLoopback } from './gates/allowed-hosts.js';
import { handleInOrder } from './gates/in-order.js';
import { answerWhileStarting } from './gates/starting.js';
import { Connections } from './observe/connections.js';

/** A listening server. */
export interface ListeningServer {
  /** Base URL, for example `http://127.0.0.1:5003`. */
  readonly url: string;
  readonly port: number;
  /** Refuses new connections, answers accepted requests and closes the log. */
  close(): Promise<void>;
}

/** A port that answers before its server exists. */
export interface ListeningPort {
  /** Base URL, for example `http://127.0.0.1:5003`. */
  readonly url: string;
  /** Answers all further requests with the server. */
  serve(server: CoinlabServer): ListeningServer;
  /** Closes the port. For a start that failed. */
  close(): Promise<void>;
}

/** Options of {@link listen}. */
export interface ListenOptions {
  /** The process runs nothing else, so the global `Request` and `Response` may be replaced by faster ones. Default: false. */
  readonly ownsProcess?: boolean;
}

type FetchCallback = Parameters<typeof getRequestListener>[0];

const GRACE_MILLIS = 200;
const QUIET_CHECK_MILLIS = 20;

const CLIENT_FAULTS: Readonly<Record<string, readonly [status: number, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long'],
};

/**
 * Starts listening. Requests beyond the limits of headers, time and connections get JSON errors. Throws {@link BadSettings} when the
 * server would listen beyond loopback with the default secret or with `dev`, or would allow all web pages with the default secret.
 */
export async function listen(server: CoinlabServer, options: ListenOptions = {}): Promise<ListeningServer> {
  return (await openPort(server.config, options)).serve(server);
}

/**
 * Starts listening before the server exists, for a start that reads a long log. Until `serve` is called, `GET /status` answers
 * `not_initialized`, `/livez` 200 and every other path 503. Throws like {@link listen}.
 */
export async function openPort(
  config: ServerConfig,
  { ownsProcess = false }: ListenOptions = {},
): Promise<ListeningPort> {
  refuseToExpose(config);
  const { headerBytes, requestSeconds, connections } = config.limits;
  const node = createNodeServer({
    maxHeaderSize: headerBytes,
    requestTimeout: requestSeconds * 1000,
    headersTimeout: requestSeconds * 1000,
    connectionsCheckingInterval: 1000,
  });
  let answer: FetchCallback = answerWhileStarting;
  handleInOrder(
    node,
    getRequestListener((request, env) => answer(request, env), { overrideGlobalObjects: ownsProcess }),
  );
  node.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const [status, message] = CLIENT_FAULTS[error.code ?? ''] ?? [400, 'the request is malformed'];
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, status, message);
  });
  const open = new Connections(node);
  node.on('connection', (socket: Socket) => {
    if (open.count > connections) refuse(socket, 503, 'too many connections');
  });
  await new Promise<void>((resolve, reject) => {
    node.once('error', reject);
    node.listen(config.port, config.host, resolve);
  });
  // Cast: a server that listens on a port has this form of address.
  const { address, port, family } = node.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  return {
    url,
    serve(server) {
      answer = server.app.fetch;
      server.ending.addEventListener('abort', () => open.end());
      let closing: Promise<void> | null = null;
      return { url, port, close: () => (closing ??= shutDown(node, open, server)) };
    },
    close: () =>
      new Promise((resolve) => {
        node.close(() => resolve());
        node.closeAllConnections();
      }),
  };
}

async function shutDown(node: Server, open: Connections, server: CoinlabServer): Promise<void> {
  server.end();
  // Node's own `close` drops connections that look idle, including requests in flight.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(node, resolve));
  const timers = [
    setTimeout(() => timers.push(setInterval(() => open.closeQuiet(), QUIET_CHECK_MILLIS)), GRACE_MILLIS),
    setTimeout(() => node.closeAllConnections(), server.config.limits.shutdownSeconds * 1000),
  ];
  await closed;
  for (const timer of timers) clearTimeout(timer);
  // Stops Node's timer for checking connections.
  node.close();
  await server.close();
}

function refuse(socket: Socket, status: number, error: string): void {
  if (!socket.writable) return;
  const body = JSON.stringify({ error });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** RFC 7518 §3.2: at least as many bytes as the hash. */
const SECRET_BYTES = 32;

function refuseToExpose(config: ServerConfig): void {
  const { host, auth, dev, corsOrigins, allowUnsafeSecretBeyondLoopback: isAllowed } = config;
  if (corsOrigins.includes('*') && auth.algorithm === 'hs-256-unsafe' && auth.secret === 'unsafe')
    throw new BadSettings([
      'corsOrigins: * lets every web page sign tokens with the public secret; list the origins, or set auth.secret',
    ]);
  if (isAllowed || isLoopback(host)) return;
  const faults: string[] = [];
  if (auth.algorithm === 'hs-256-unsafe' && auth.secret === 'unsafe')
    faults.push('auth.secret has its public default value');
  else if (auth.algorithm === 'hs-256-unsafe' && Buffer.byteLength(auth.secret) < SECRET_BYTES)
    faults.push(`auth.secret has fewer than ${SECRET_BYTES} bytes`);
  if (dev) faults.push('dev serves routes that accept commands of any party');
  if (faults.length > 0)
    throw new BadSettings(faults.map((fault) => `host: ${host} is not a loopback address, and ${fault}`));
}
