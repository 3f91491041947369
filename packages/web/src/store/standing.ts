import type { Instant } from '@coinlab/core';
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { get, send } from '../api/call.js';
import { instantOf } from '../format/times.js';
import { isDev, ledgerNow } from './live.js';
import { moment } from './route.js';

/** The time and the state hash of a moment. */
interface Past {
  readonly offset: number;
  readonly time: string;
  readonly hash: string;
}

/** The standing at the moment of the address; null in the present and while it loads. */
export const past = signal<Past | null>(null);

const AFTER_MILLIS = 120;
let timer: ReturnType<typeof setTimeout> | undefined;

effect(() => {
  const at = moment.value;
  clearTimeout(timer);
  if (at === null || isDev.value !== true) past.value = null;
  else if (past.peek()?.offset !== at) timer = setTimeout(() => void read(at), AFTER_MILLIS);
});

async function read(at: number): Promise<void> {
  const answer = await send<Past>(get('dev/state'), at);
  if (answer.ok && moment.peek() === at) past.value = { ...answer.body, offset: at };
}

/** Ledger time that the views show: that of the moment, or the present. */
export const shownNow: ReadonlySignal<Instant> = computed(() => {
  const then = past.value === null ? null : instantOf(past.value.time);
  return then ?? ledgerNow.value;
});
