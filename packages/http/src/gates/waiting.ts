import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const MOST_WAITING = 10_000;

type Exchange = readonly [request: IncomingMessage, answer: ServerResponse];

/**
 * Closes the connection that has waited longest when more than the maximum wait. A client that reads its responses is
 * never the oldest for long.
 */
export class Waiting {
  readonly #queues: Map<Socket, Exchange[]> = new Map();
  #count = 0;

  has(socket: Socket): boolean {
    return this.#queues.has(socket);
  }

  add(socket: Socket, exchange: Exchange): void {
    const queue = this.#queues.get(socket);
    if (queue === undefined) {
      this.#queues.set(socket, [exchange]);
      socket.once('close', () => this.drop(socket));
    } else queue.push(exchange);
    this.#count += 1;
    const [oldest] = this.#queues.keys();
    if (this.#count <= MOST_WAITING || !oldest) return;
    this.drop(oldest);
    oldest.destroy();
  }

  take(socket: Socket): Exchange | null {
    const queue = this.#queues.get(socket);
    const exchange = queue?.shift();
    if (!exchange) return null;
    this.#count -= 1;
    if (queue?.length === 0) this.#queues.delete(socket);
    return exchange;
  }

  drop(socket: Socket): void {
    this.#count -= this.#queues.get(socket)?.length ?? 0;
    this.#queues.delete(socket);
  }
}
