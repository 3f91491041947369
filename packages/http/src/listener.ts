import { createServer as createNodeServer, STATUS_CODES, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { BadSettings, type ServerConfig } from './config.js';
import type { CoinlabServer } from './create-server.js';
import { handleInOrder } from './gates/in-order.js';
import { OrdinaryUpgrades } from './gates/ordinary-upgrades.js';
import { answerWhileStarting } from './gates/starting.js';
import { Turns } from './gates/turns.js';
import type { Address } from './host/addresses.js';
import { Connections } from './observe/connections.js';
import { ResponseWithLateHeaders } from './observe/late-headers.js';
import { Websockets } from './websockets.js';

type FetchCallback = Parameters<typeof getRequestListener>[0];

/** A request may be on its way over an idle connection. */
const GRACE_MILLIS = 200;
const QUIET_CHECK_MILLIS = 20;

const CLIENT_FAULTS: Readonly<Record<string, readonly [status: number, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long'],
};

export class Listener {
  readonly #node: Server;
  readonly #connections: Connections;
  readonly #websockets: Websockets;
  readonly #address: Address;
  readonly #turns: Turns = new Turns();
  #answer: FetchCallback = answerWhileStarting;

  private constructor(address: Address, { limits }: Pick<ServerConfig, 'limits'>, ownsProcess: boolean) {
    const { headerBytes, requestSeconds, connections } = limits;
    this.#address = address;
    this.#node = createNodeServer({
      IncomingMessage: OrdinaryUpgrades,
      ServerResponse: ResponseWithLateHeaders,
      maxHeaderSize: headerBytes,
      requestTimeout: requestSeconds * 1000,
      headersTimeout: requestSeconds * 1000,
      connectionsCheckingInterval: 1000,
    });
    handleInOrder(
      this.#node,
      this.#turns,
      getRequestListener((request, env) => this.#answer(request, env), { overrideGlobalObjects: ownsProcess }),
    );
    this.#node.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const [status, message] = CLIENT_FAULTS[error.code ?? ''] ?? [400, 'the request is malformed'];
      if (error.code === 'ECONNRESET') socket.destroy();
      else refuse(socket, status, message);
    });
    this.#websockets = new Websockets(this.#node, { limits });
    this.#connections = new Connections(this.#node);
    this.#node.on('connection', (socket: Socket) => {
      if (this.#connections.count > connections) refuse(socket, 503, 'too many connections');
    });
  }

  get serves(): Address['serves'] {
    return this.#address.serves;
  }

  static async open(
    address: Address,
    host: string,
    config: Pick<ServerConfig, 'limits'>,
    ownsProcess: boolean,
  ): Promise<Listener> {
    const listener = new Listener(address, config, ownsProcess);
    const node = listener.#node;
    await new Promise<void>((resolve, reject) => {
      node.once('error', reject);
      node.listen(address.port, host, resolve);
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new BadSettings([
        `${address.setting}: another program uses ${host}:${address.port} (EADDRINUSE); stop it or choose another port`,
      ]);
    });
    return listener;
  }

  get port(): number {
    return this.#bound.port;
  }

  get url(): string {
    const { address, port, family } = this.#bound;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  get #bound(): AddressInfo {
    // Cast: a server that listens on a port has this form of address.
    return this.#node.address() as AddressInfo;
  }

  serve(server: CoinlabServer): void {
    this.#answer = server.answerAt(this.#address);
    this.#turns.follow(server.host);
    this.#websockets.serve(server.openSocketAt(this.#address), server.ending);
    server.ending.addEventListener('abort', () => this.#connections.end());
  }

  abort(): Promise<void> {
    return new Promise((resolve) => {
      this.#node.close(() => resolve());
      this.#node.closeAllConnections();
    });
  }

  async drain(millis: number): Promise<void> {
    // Node's own `close` drops connections that look idle, including requests in flight.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(this.#node, resolve));
    const timers = [
      setTimeout(
        () => timers.push(setInterval(() => this.#connections.closeQuiet(), QUIET_CHECK_MILLIS)),
        GRACE_MILLIS,
      ),
      setTimeout(() => this.#node.closeAllConnections(), millis),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
    // Stops Node's timer for checking connections.
    this.#node.close();
  }
}

function refuse(socket: Socket, status: number, error: string): void {
  if (!socket.writable) return;
  const body = JSON.stringify({ error });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
