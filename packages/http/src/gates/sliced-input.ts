import type { Socket } from 'node:net';
import type { Turns } from './turns.js';

/** Bytes parsed at once: more than the headers of most requests, or about 40 minimal requests. */
const SLICE_BYTES = 2_048;

interface Pace {
  readonly turns: Turns;
  readonly isHeld: () => boolean;
}

export class SlicedInput {
  readonly #socket: Socket;
  readonly #pace: Pace;
  readonly #parse: (slice: Buffer) => void;
  /** Minimum of remaining body bytes. They contain no request, so they are parsed at once. */
  #bodyBytes = 0;
  #hasTurn = false;
  /** Node pauses a connection with unread responses, and resumes it itself. */
  #isPausedByNode = false;

  constructor(socket: Socket, pace: Pace) {
    this.#socket = socket;
    this.#pace = pace;
    const parsers = socket.listeners('data');
    this.#parse = (slice) => {
      for (const parser of parsers) parser.call(socket, slice);
    };
    socket.removeAllListeners('data');
    socket.on('data', (data: Buffer) => this.#take(data));
  }

  readonly resume = (): void => {
    if (!this.#isPausedByNode && !this.#pace.isHeld()) this.#socket.resume();
  };

  expectBody(bytes: number): void {
    this.#bodyBytes = Math.max(0, bytes - SLICE_BYTES);
  }

  #take(data: Buffer): void {
    this.#isPausedByNode = false;
    if (this.#pace.isHeld()) return this.#holdBack(data);
    const length = Math.min(data.length, Math.max(SLICE_BYTES, this.#bodyBytes));
    if (length < data.length && !this.#hasTurn) return this.#waitForTurn(data);
    this.#hasTurn = false;
    this.#bodyBytes -= Math.min(length, this.#bodyBytes);
    this.#parse(data.subarray(0, length));
    this.#isPausedByNode = this.#socket.isPaused();
    if (length < data.length && !this.#socket.destroyed) this.#waitForTurn(data.subarray(length));
  }

  #waitForTurn(data: Buffer): void {
    this.#holdBack(data);
    this.#pace.turns.add(this.#takeTurn);
  }

  readonly #takeTurn = (): void => {
    this.#hasTurn = true;
    this.resume();
  };

  #holdBack(data: Buffer): void {
    this.#socket.pause();
    this.#socket.unshift(data);
  }
}
