import type { Host } from './host.js';

export interface TailReader {
  position: number;
  isAtEnd: boolean;
  /** Whether the reader waits until its client has received the sent messages. */
  isBlocked: boolean;
  readonly resets: number;
  lastSent: number;
  readonly isClosed: boolean;
  more(): Promise<void>;
  close(): void;
}

/** Milliseconds that clients get to receive an update before the submission is answered. */
const HEAD_START_MILLIS = 15;
const MOST_DELAY_MILLIS = 50;
const REMEMBERED = 1_024;

/**
 * An update reaches the readers before its submission is answered, because clients look for it right after the answer. Each
 * waiting reader costs one entry, and is woken once however many updates arrive in between.
 */
export class Tail {
  readonly #readers: Set<TailReader> = new Set();
  readonly #sent: Set<number> = new Set();
  #waiting: (() => void)[] = [];
  #resets = 0;

  constructor(host: Pick<Host, 'onUpdate' | 'onReplaced'>, ending: AbortSignal) {
    host.onUpdate(() => this.#wake());
    host.onReplaced(() => {
      this.#resets += 1;
      this.#wake();
    });
    ending.addEventListener('abort', () => this.#wake());
  }

  get count(): number {
    return this.#readers.size;
  }

  get resets(): number {
    return this.#resets;
  }

  open(position: number): TailReader {
    const readers = this.#readers;
    const remember = (offset: number): void => this.#remember(offset);
    let wake: (() => void) | null = null;
    let lastSent = 0;
    const reader: TailReader = {
      position,
      isAtEnd: false,
      isBlocked: false,
      resets: this.#resets,
      get lastSent() {
        return lastSent;
      },
      set lastSent(offset) {
        lastSent = offset;
        remember(offset);
      },
      get isClosed() {
        return !readers.has(reader);
      },
      more: () =>
        new Promise((resolve) => {
          if (!readers.has(reader)) return resolve();
          wake = resolve;
          this.#waiting.push(resolve);
        }),
      close: () => {
        readers.delete(reader);
        if (wake) this.#waiting = this.#waiting.filter((one) => one !== wake);
        wake?.();
      },
    };
    readers.add(reader);
    return reader;
  }

  async delivered(offset: number): Promise<void> {
    if (this.#readers.size === 0) return;
    const until = performance.now() + MOST_DELAY_MILLIS;
    while (this.#isAwaited(offset) && performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
    if (this.#sent.has(offset)) await new Promise((resolve) => setTimeout(resolve, HEAD_START_MILLIS));
  }

  #isAwaited(offset: number): boolean {
    for (const { isAtEnd, isBlocked, position } of this.#readers)
      if (isAtEnd && !isBlocked && position < offset) return true;
    return false;
  }

  #remember(offset: number): void {
    this.#sent.add(offset);
    if (this.#sent.size <= REMEMBERED) return;
    for (const oldest of this.#sent) {
      this.#sent.delete(oldest);
      return;
    }
  }

  #wake(): void {
    for (const one of this.#waiting.splice(0)) one();
  }
}
