import type { Instant } from '@coinlab/core';
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { get, send } from '../api/call.js';
import { instantOf } from '../format/times.js';
import { isDev, ledgerNow } from './live.js';
import { moment } from './route.js';

interface Past {
  readonly offset: number;
  readonly time: string;
  readonly hash: string;
  readonly kind: string;
}

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
  const [standing, led] = await Promise.all([
    send<Omit<Past, 'kind'>>(get('dev/state'), at),
    send<{ readonly updates: readonly { readonly kind: string }[] }>(get(`dev/updates?from=${at - 1}&limit=1`), null),
  ]);
  if (!standing.ok || moment.peek() !== at) return;
  const kind = led.ok ? (led.body.updates[0]?.kind ?? '') : '';
  past.value = { ...standing.body, offset: at, kind };
}

export const shownNow: ReadonlySignal<Instant> = computed(() => {
  const then = past.value === null ? null : instantOf(past.value.time);
  return then ?? ledgerNow.value;
});
