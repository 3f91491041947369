import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { MessageStream, OpenChannel, OpenSocket } from './apis/ledger/open-socket.js';
import type { Configured } from './config.js';
import { InjectedFault } from './gates/faults.js';
import { cantonErrorOf } from './gates/ledger/errors.js';
import { Problem } from './problem.js';

const PROTOCOL = 'daml.ws.auth';
const TOKEN_PREFIX = 'jwt.token.';
const MOST_BUFFERED = 256 * 1024;
const PING_SECONDS = 30;
const CHECK_SECONDS = 1;
const CODES = { normal: 1000, goingAway: 1001, refused: 1008, broken: 1011, tooSlow: 1013 } as const;

type Settings = Configured<'limits'>['config'];

export class Websockets {
  readonly #sockets: WebSocketServer;
  readonly #limits: Settings['limits'];
  readonly #answering: Set<WebSocket> = new Set();
  readonly #channels: Map<WebSocket, OpenChannel> = new Map();
  readonly #timers: readonly NodeJS.Timeout[];
  #open: OpenSocket | null = null;

  constructor(node: Server, { limits }: Settings) {
    this.#limits = limits;
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: true,
      maxPayload: limits.bodyBytes,
      // Compression costs about 300 KB for each socket.
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : ([...offered][0] ?? false)),
    });
    node.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // The parser of requests has let go of the connection.
      socket.removeAllListeners('data');
      socket.on('error', () => socket.destroy());
      void this.#upgrade(request, socket, head);
    });
    this.#timers = [
      setInterval(() => this.#pingAll(), PING_SECONDS * 1000).unref(),
      setInterval(() => this.#checkAll(), CHECK_SECONDS * 1000).unref(),
    ];
  }

  serve(open: OpenSocket, ending: AbortSignal): void {
    this.#open = open;
    ending.addEventListener('abort', () => {
      for (const timer of this.#timers) clearInterval(timer);
      for (const socket of this.#sockets.clients) socket.close(CODES.goingAway, 'the server is shutting down');
    });
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    try {
      if (!this.#open) throw new Problem(503, 'the server is starting');
      const { headers, url = '' } = request;
      const [path = ''] = url.split('?');
      const authorization = headers.authorization ?? tokenIn(headers['sec-websocket-protocol']);
      const channel = await this.#open({ path, origin: headers.origin, authorization });
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#serve(opened, channel, joined(socket)));
    } catch (error) {
      if (error instanceof InjectedFault) return refuse(socket, error.status, error.cantonError);
      const problem = error instanceof Problem ? error : new Problem(500, 'internal error');
      refuse(socket, problem.status, cantonErrorOf(problem));
    }
  }

  #serve(socket: WebSocket, channel: OpenChannel, joinWrites: () => void): void {
    socket.on('error', () => socket.terminate());
    socket.on('pong', () => this.#answering.add(socket));
    socket.on('close', () => {
      this.#answering.delete(socket);
      this.#channels.delete(socket);
    });
    this.#answering.add(socket);
    this.#channels.set(socket, channel);
    const late = setTimeout(
      () => socket.close(CODES.refused, 'expected the request as first message'),
      this.#limits.requestSeconds * 1000,
    );
    socket.once('close', () => clearTimeout(late));
    socket.once('message', (data) => {
      clearTimeout(late);
      // Clients send one message; the rest of the connection is not read into memory.
      socket.on('message', () => socket.close(CODES.refused, 'expected one message'));
      void this.#stream(socket, data, channel, joinWrites);
    });
  }

  async #stream(socket: WebSocket, data: RawData, channel: OpenChannel, joinWrites: () => void): Promise<void> {
    try {
      const stream = channel.answer(jsonOf(data));
      socket.once('close', () => stream.reader?.close());
      if (channel.isCut) return socket.close(CODES.broken, 'injected fault, after the request took effect');
      for await (const message of stream.messages) {
        if (socket.readyState !== socket.OPEN) return;
        joinWrites();
        socket.send(message);
        if (socket.bufferedAmount > MOST_BUFFERED && !(await this.#drained(socket, stream))) return;
      }
      if (socket.readyState === socket.OPEN) socket.close(CODES.normal);
    } catch (error) {
      if (socket.readyState !== socket.OPEN) return;
      socket.send(channel.errorMessage(error));
      socket.close(CODES.normal);
    }
  }

  async #drained(socket: WebSocket, { reader }: MessageStream): Promise<boolean> {
    if (reader) reader.isBlocked = true;
    const isDrained = await new Promise<boolean>((resolve) => {
      const stalled = setTimeout(() => resolve(false), this.#limits.stalledSeconds * 1000);
      const gone = (): void => end(false);
      const end = (isDone: boolean): void => {
        clearTimeout(stalled);
        socket.off('close', gone);
        resolve(isDone);
      };
      socket.once('close', gone);
      // Called once everything before it was written.
      socket.ping(undefined, undefined, (error) => end(!error));
    });
    if (reader) reader.isBlocked = false;
    if (!isDrained) {
      socket.close(CODES.tooSlow, 'the client does not read');
      socket.terminate();
    }
    return isDrained;
  }

  #checkAll(): void {
    for (const [socket, channel] of this.#channels)
      void channel.refusal().then((problem) => {
        if (!problem || socket.readyState !== socket.OPEN) return;
        socket.send(channel.errorMessage(problem));
        socket.close(CODES.refused, problem.message);
      });
  }

  #pingAll(): void {
    for (const socket of this.#sockets.clients) {
      if (!this.#answering.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }
}

/** A system call for each message takes as long as its formatting. */
function joined(connection: Duplex): () => void {
  return () => {
    if (connection.writableCorked > 0) return;
    connection.cork();
    process.nextTick(() => connection.uncork());
  };
}

/** Browsers cannot set headers of a handshake, so the token is in the list of protocols. */
function tokenIn(protocols: string | undefined): string | undefined {
  const token = protocols
    ?.split(',')
    .map((one) => one.trim())
    .find((one) => one.startsWith(TOKEN_PREFIX));
  return token && `Bearer ${token.slice(TOKEN_PREFIX.length)}`;
}

function jsonOf(data: RawData): unknown {
  try {
    // Cast: the types of `ws` have no common base; `toString` of each is its text.
    return JSON.parse((data as Buffer).toString());
  } catch {
    throw new Problem(400, 'message: expected JSON');
  }
}

function refuse(socket: Duplex, status: number, error: object): void {
  const body = JSON.stringify(error);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
