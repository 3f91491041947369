import { signal } from '@preact/signals';
import { control, send, type Problem } from '../api/call.js';
import { isDev, link, onRefusal } from './live.js';

export interface Refused {
  readonly id: number;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly user: string | null;
  readonly status: number;
  readonly error: string;
  readonly evidence: Readonly<Record<string, unknown>>;
}

const MOST = 200;

export const refused = signal<readonly Refused[] | null>(null);
export const refusedProblem = signal<Problem | null>(null);

let isFollowing = false;

/** Reads the whole list again after a lost connection. */
export function followRefusals(): void {
  if (isFollowing) return;
  isFollowing = true;
  onRefusal((line) => {
    const one: Refused = JSON.parse(line);
    if (refused.peek()?.some(({ id }) => id === one.id) === false)
      refused.value = [one, ...(refused.peek() ?? [])].slice(0, MOST);
  });
  link.subscribe((state) => {
    if (state === 'open' && isDev.peek() === true) void readRefusals();
  });
}

export async function readRefusals(): Promise<void> {
  const answer = await send<{ readonly refusals: readonly Refused[] }>(control('GET', 'refusals'), null);
  refusedProblem.value = answer.ok ? null : answer.problem;
  if (answer.ok) refused.value = answer.body.refusals.toReversed();
}
