import type { Socket } from 'node:net';
import type { Turns } from './turns.js';

/** Number of bytes parsed at once, except the known rest of a body. */
const SLICE_BYTES = 2_048;
/** Number of bytes above which a connection with a waiting request is not read. Below, its end is noticed. */
const MOST_KEPT_BYTES = 16_384;
const EMPTY = Buffer.alloc(0);
const [CR, LF] = [13, 10];

interface Pace {
  readonly turns: Turns;
  readonly isHeld: () => boolean;
}

/** Gives a connection's input to Node's parser in slices. No slice contains the ends of two heads, so none starts two requests. */
export class SlicedInput {
  readonly #socket: Socket;
  readonly #pace: Pace;
  readonly #parse: (slice: Buffer) => void;
  /** Last bytes of a slice that ended inside a head. */
  #tail: Buffer = EMPTY;
  /** Number of remaining body bytes. They contain no request, so they are parsed at once. */
  #bodyBytes = 0;
  /** Input behind a waiting request. */
  #kept: Buffer = EMPTY;
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
    socket.on('data', this.#take);
  }

  readonly resume = (): void => {
    if (this.#pace.isHeld()) return;
    if (this.#kept.length > 0) this.#putBack();
    if (!this.#isPausedByNode) this.#socket.resume();
  };

  expectBody(bytes: number): void {
    this.#bodyBytes = bytes;
  }

  readonly #take = (data: Buffer): void => {
    this.#isPausedByNode = false;
    if (this.#pace.isHeld()) return this.#keep(data);
    if (this.#awaitsTurn) return this.#holdBack(data);
    let rest = data;
    // A body follows its head at once, because waiting for a turn is expensive.
    do rest = this.#parsed(rest);
    while (rest.length > 0 && this.#bodyBytes > 0 && !this.#socket.destroyed && !this.#pace.isHeld());
    if (rest.length === 0 || this.#socket.destroyed) return;
    if (this.#isWebsocket) this.#socket.unshift(rest);
    else if (this.#pace.isHeld()) this.#keep(rest);
    else this.#waitForTurn(rest);
  };

  /** A connection that has left HTTP has other readers. They may come later, so it must not flow before. */
  get #isWebsocket(): boolean {
    return !this.#socket.listeners('data').includes(this.#take);
  }

  #parsed(data: Buffer): Buffer {
    const length = this.#sliceOf(data);
    this.#bodyBytes -= Math.min(length, this.#bodyBytes);
    this.#parse(data.subarray(0, length));
    this.#isPausedByNode = this.#socket.isPaused();
    return data.subarray(length);
  }

  #sliceOf(data: Buffer): number {
    if (this.#bodyBytes > 0) return Math.min(data.length, this.#bodyBytes);
    const before = this.#tail.length;
    const searched = before === 0 ? data : Buffer.concat([this.#tail, data]);
    const end = endOfHead(searched, before + SLICE_BYTES);
    const length = end === null ? Math.min(data.length, SLICE_BYTES) : end - before;
    const to = before + length;
    this.#tail = end === null ? Buffer.from(searched.subarray(Math.max(0, to - 3), to)) : EMPTY;
    return length;
  }

  #keep(data: Buffer): void {
    this.#kept = Buffer.concat([this.#kept, data]);
    if (this.#kept.length > MOST_KEPT_BYTES) this.#socket.pause();
  }

  #putBack(): void {
    this.#holdBack(this.#kept);
    this.#kept = EMPTY;
  }

  #waitForTurn(data: Buffer): void {
    this.#holdBack(data);
    this.#awaitsTurn = true;
    this.#pace.turns.yield(this.#takeTurn);
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

/** Returns the number of bytes up to and including an empty line; null without one. Finding a text in a buffer takes 5 µs. */
function endOfHead(data: Buffer, most: number): number | null {
  const last = Math.min(data.length, most);
  for (let at = 3; at < last; at++)
    if (data[at] === LF && data[at - 1] === CR && data[at - 2] === LF && data[at - 3] === CR) return at + 1;
  return null;
}
