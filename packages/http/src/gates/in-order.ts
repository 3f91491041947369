import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SlicedInput } from './sliced-input.js';
import { Turns } from './turns.js';

/**
 * Answers the requests of a connection one after another. Node alone would parse all requests that a client sends and keep them in
 * memory; here at most one waits.
 */
export function handleInOrder(node: Server, listener: RequestListener): void {
  const answering = new WeakSet<Socket>();
  const waiting = new WeakMap<Socket, readonly [request: IncomingMessage, answer: ServerResponse]>();
  const inputs = new WeakMap<Socket, SlicedInput>();
  const turns = new Turns();

  const start = (request: IncomingMessage, answer: ServerResponse): void => {
    const { socket } = request;
    answering.add(socket);
    answer.once('close', () => {
      answering.delete(socket);
      if (waiting.has(socket)) turns.add(() => next(socket));
    });
    listener(request, answer);
  };
  const next = (socket: Socket): void => {
    if (socket.destroyed) return;
    const exchange = waiting.get(socket);
    waiting.delete(socket);
    if (exchange) start(...exchange);
    inputs.get(socket)?.resume();
  };
  node.on('connection', (socket: Socket) =>
    inputs.set(socket, new SlicedInput(socket, { turns, isHeld: () => waiting.has(socket) })),
  );
  node.on('request', (request, answer) => {
    const { socket } = request;
    if (socket.destroyed) return;
    inputs.get(socket)?.expectBody(Number(request.headers['content-length'] ?? 0));
    if (answering.has(socket)) waiting.set(socket, [request, answer]);
    else start(request, answer);
  });
}
