import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection with more requests than this before an answer is closed. */
const MOST_WAITING = 100;

/**
 * Handles the requests of a connection one after the other, as they are answered, and the next one after other connections had
 * their turn. Requests that wait are dropped when their connection closes: Node parses all that a client pipelined, and would
 * have each of them handled for nobody.
 */
export function inOrder(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();
  const start = (request: IncomingMessage, answer: ServerResponse): void => {
    answer.once('close', () => next(request.socket));
    listener(request, answer);
  };
  const next = (socket: Socket): void => {
    const first = waiting.get(socket)?.shift();
    if (socket.destroyed || first === undefined) waiting.delete(socket);
    else setImmediate(() => (socket.destroyed ? waiting.delete(socket) : start(...first)));
  };
  return (request, answer) => {
    const { socket } = request;
    const others = waiting.get(socket);
    if (socket.destroyed) return;
    if (others === undefined) {
      waiting.set(socket, []);
      start(request, answer);
    } else if (others.length >= MOST_WAITING) socket.destroy();
    else others.push([request, answer]);
  };
}
