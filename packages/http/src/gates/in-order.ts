import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SAFE_METHODS } from '../request.js';
import { SlicedInput } from './sliced-input.js';
import type { Turns } from './turns.js';

interface Connection {
  readonly input: SlicedInput;
  isAnswering: boolean;
  waiting: readonly [request: IncomingMessage, answer: ServerResponse] | null;
}

/**
 * Answers the requests of a connection one after another, and those of all connections in turns, unless they only read: waiting for a
 * turn takes a read an eighth more time. Node alone would parse all requests that a client sends and keep them in memory; here at most one
 * of a connection waits.
 */
export function handleInOrder(node: Server, turns: Turns, listener: RequestListener): void {
  const connections = new WeakMap<Socket, Connection>();

  const start = (connection: Connection, request: IncomingMessage, answer: ServerResponse): void => {
    connection.isAnswering = true;
    answer.on('close', () => {
      connection.isAnswering = false;
      if (connection.waiting) turns.yield(() => next(connection, request.socket));
    });
    if (SAFE_METHODS.has(request.method)) return listener(request, answer);
    turns.start(() => {
      if (!request.socket.destroyed) listener(request, answer);
    });
  };
  const next = (connection: Connection, socket: Socket): void => {
    if (socket.destroyed) return;
    const exchange = connection.waiting;
    connection.waiting = null;
    if (exchange) start(connection, ...exchange);
    connection.input.resume();
  };
  node.on('connection', (socket: Socket) => {
    const input = new SlicedInput(socket, { turns, isHeld: () => connection.waiting !== null });
    const connection: Connection = { input, isAnswering: false, waiting: null };
    connections.set(socket, connection);
  });
  node.on('request', (request, answer) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (socket.destroyed || !connection) return;
    connection.input.expectBody(Number(request.headers['content-length'] ?? 0));
    if (connection.isAnswering) connection.waiting = [request, answer];
    else start(connection, request, answer);
  });
}
