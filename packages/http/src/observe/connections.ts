import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class Connections {
  /** The newest response of each connection; earlier responses are sent first. */
  readonly #open: Map<Socket, ServerResponse | null> = new Map();
  #isEnding = false;

  constructor(node: Server) {
    node.prependListener('connection', (socket: Socket) => {
      this.#open.set(socket, null);
      socket.once('close', () => this.#open.delete(socket));
    });
    node.prependListener('request', ({ socket }, answer: ServerResponse) => {
      if (this.#isEnding) closeAfter(answer);
      if (this.#open.has(socket)) this.#open.set(socket, answer);
    });
  }

  get count(): number {
    return this.#open.size;
  }

  end(): void {
    this.#isEnding = true;
    for (const answer of this.#open.values()) if (answer) closeAfter(answer);
  }

  /** Node's `closeIdleConnections` keeps connections open that never sent a request. */
  closeQuiet(): void {
    for (const [socket, answer] of this.#open) if (!answer || answer.writableFinished) socket.destroySoon();
  }
}

function closeAfter(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('Connection', 'close');
}
