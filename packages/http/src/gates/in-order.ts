import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SlicedInput } from './sliced-input.js';
import { Turns } from './turns.js';
import { Waiting } from './waiting.js';

/** A connection is not read while its requests wait: Node alone would parse and buffer everything that a client sends. */
export function handleInOrder(node: Server, listener: RequestListener): void {
  const answering = new WeakSet<Socket>();
  const inputs = new WeakMap<Socket, SlicedInput>();
  const waiting = new Waiting();
  const turns = new Turns();

  const start = (request: IncomingMessage, answer: ServerResponse): void => {
    const { socket } = request;
    answering.add(socket);
    answer.once('close', () => {
      answering.delete(socket);
      turns.add(() => next(socket));
    });
    listener(request, answer);
  };
  const next = (socket: Socket): void => {
    const exchange = waiting.take(socket);
    if (exchange) start(...exchange);
    if (!waiting.has(socket)) inputs.get(socket)?.resume();
  };
  node.on('connection', (socket: Socket) =>
    inputs.set(socket, new SlicedInput(socket, { turns, isHeld: () => waiting.has(socket) })),
  );
  node.on('request', (request, answer) => {
    const { socket } = request;
    if (socket.destroyed) return;
    inputs.get(socket)?.expectBody(Number(request.headers['content-length'] ?? 0));
    if (answering.has(socket) || waiting.has(socket)) waiting.add(socket, [request, answer]);
    else start(request, answer);
  });
}
