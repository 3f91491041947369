import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is open at a server that listens, and what is being answered on it. */
export class Connections {
  /** The newest answer of each connection: those before it are given before it. */
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

  /** From now on every answer closes its connection: those of requests that came before, too. */
  end(): void {
    this.#isEnding = true;
    for (const answer of this.#open.values()) if (answer) closeAfter(answer);
  }

  /** Closes those on which nothing is being answered; Node's own way leaves those open that never sent a request. */
  closeQuiet(): void {
    for (const [socket, answer] of this.#open) if (!answer || answer.writableFinished) socket.destroySoon();
  }
}

function closeAfter(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('Connection', 'close');
}
