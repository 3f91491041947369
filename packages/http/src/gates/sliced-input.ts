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
  #awaitsTurn = false;
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
    if (this.#awaitsTurn && data.length > this.#most) return this.#waitForTurn(data);
    let rest = data;
    let isBody: boolean;
    // Waiting for a turn is expensive. The first slice costs no more than a small chunk, and the slice after a body is its end.
    do {
      isBody = this.#bodyBytes > 0;
      rest = this.#parsed(rest);
    } while (this.#mayGoOn && (isBody ? rest.length <= SLICE_BYTES : this.#bodyBytes > 0) && rest.length > 0);
    if (rest.length > 0 && !this.#socket.destroyed) this.#waitForTurn(rest);
  }

  get #most(): number {
    return Math.max(SLICE_BYTES, this.#bodyBytes);
  }

  get #mayGoOn(): boolean {
    return !this.#socket.destroyed && !this.#pace.isHeld();
  }

  #parsed(data: Buffer): Buffer {
    const length = Math.min(data.length, this.#most);
    this.#bodyBytes -= Math.min(length, this.#bodyBytes);
    this.#parse(data.subarray(0, length));
    this.#isPausedByNode = this.#socket.isPaused();
    return data.subarray(length);
  }

  #waitForTurn(data: Buffer): void {
    this.#holdBack(data);
    this.#awaitsTurn = true;
    this.#pace.turns.add(this.#takeTurn);
  }

  readonly #takeTurn = (): void => {
    this.#awaitsTurn = false;
    this.resume();
  };

  #holdBack(data: Buffer): void {
    this.#socket.pause();
    this.#socket.unshift(data);
  }
}
