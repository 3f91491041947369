import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is open at a server that listens, and what is being answered on it. */
export class Connections {
  readonly #open: Set<Socket> = new Set();
  readonly #answering: Set<ServerResponse> = new Set();
  #isEnding = false;

  constructor(node: Server) {
    node.prependListener('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
    node.prependListener('request', (_, answer: ServerResponse) => {
      if (this.#isEnding) closeAfter(answer);
      this.#answering.add(answer);
      answer.once('close', () => this.#answering.delete(answer));
    });
  }

  get count(): number {
    return this.#open.size;
  }

  /** From now on every answer closes its connection: those of requests that came before, too. */
  end(): void {
    this.#isEnding = true;
    for (const answer of this.#answering) closeAfter(answer);
  }

  /** Closes those on which nothing is being answered; Node's own way leaves those open that never sent a request. */
  closeQuiet(): void {
    const busy = new Set([...this.#answering].map(({ req }) => req.socket));
    for (const socket of this.#open) if (!busy.has(socket)) socket.destroySoon();
  }
}

function closeAfter(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('Connection', 'close');
}
