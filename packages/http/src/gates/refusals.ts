import { Instant } from '@coinlab/core';
import type { Context } from 'hono';
import type { Problem } from '../problem.js';
import { SAFE_METHODS, seenOf } from '../request.js';

export interface Refusal {
  readonly id: number;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly user: string | null;
  readonly status: number;
  readonly error: string;
  readonly evidence: Readonly<Record<string, unknown>>;
}

const MOST_KEPT = 200;

export class Refusals {
  #kept: readonly Refusal[] = [];
  #count = 0;
  readonly #listeners: Set<() => void> = new Set();

  get count(): number {
    return this.#count;
  }

  after(id: number): readonly Refusal[] {
    return this.#kept.filter((one) => one.id > id);
  }

  onRefusal(listener: () => void): void {
    this.#listeners.add(listener);
  }

  note(c: Context, { status, message, evidence }: Problem, now: Instant): void {
    const { method, path } = c.req;
    if (SAFE_METHODS.has(method) || status >= 500) return;
    this.#count += 1;
    const user = seenOf(c).caller?.user ?? null;
    const time = Instant.format(now);
    const refusal = { id: this.#count, time, method, path, user, status, error: message, evidence };
    this.#kept = [...this.#kept, refusal].slice(-MOST_KEPT);
    for (const listener of this.#listeners) listener();
  }
}
