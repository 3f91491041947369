import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { Instant } from '@coinlab/core';
import { get, send } from '../api/call.js';
import { changesIn, EVERYTHING, type Changes, type ChangesEvent } from './changes.js';
import { checkSession, devUsers, ownToken, type DevUser } from './session.js';

/*
 * The connection to the server: what the newest update is, and when to read again. A development server streams its updates; on
 * other servers the page asks for the end of the ledger.
 */

export type Link = 'connecting' | 'open' | 'lost';

export const link = signal<Link>('connecting');

/** Before the first answer, resources do not load, because they would load twice. */
export const isReady: ReadonlySignal<boolean> = computed(() => link.value !== 'connecting');

export const isDev = signal<boolean | null>(null);

export const head = signal<number | null>(null);

export const changes = signal<Changes>(EVERYTHING);

interface Clock {
  readonly offset: number;
  readonly time: string;
  /** Ledger seconds per second, 0 for a manual clock. */
  readonly speed: number;
  readonly round: number | null;
}
interface Standing {
  readonly at: bigint;
  readonly since: number;
  readonly speed: number;
}

const standing = signal<Standing>({ at: BigInt(Date.now()) * 1000n, since: performance.now(), speed: 1 });
const ticks = signal(0);

export const ledgerNow: ReadonlySignal<Instant> = computed(() => {
  void ticks.value;
  const { at, since, speed } = standing.value;
  return Instant.ofMicros(at + BigInt(Math.round((performance.now() - since) * 1000 * speed)));
});

export const clockSpeed: ReadonlySignal<number> = computed(() => standing.value.speed);

/** The ledger view parses the line; other views only load again. */
type Listener = { readonly update: (line: string) => void; readonly reset: (offset: number) => void };
const listeners = new Set<Listener>();

export function onUpdates(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const refusalListeners = new Set<(line: string) => void>();

export function onRefusal(listener: (line: string) => void): void {
  refusalListeners.add(listener);
}

/** Shortest time between two reloads: a busy ledger changes thousands of times a second. */
const RELOAD_MILLIS = 400;
const RETRY_MILLIS = 1_000;
const POLL_MILLIS = 2_000;

let reload: ReturnType<typeof setTimeout> | undefined;

/** Makes all resources load again after a short delay, for servers without a stream. */
function changed(): void {
  reload ??= setTimeout(changedNow, RELOAD_MILLIS);
}

/**
 * Makes all resources load again at once, so that the effect of an action is visible without a delay. A stream reports
 * it anyway.
 */
export function changedNow(): void {
  clearTimeout(reload);
  reload = undefined;
  if (isDev.peek() !== true) changes.value = { ...EVERYTHING };
}

async function readClock(): Promise<void> {
  if (isDev.peek() !== true) return;
  const answer = await send<Clock>(get('dev/clock'), null);
  if (!answer.ok) return;
  setClock(answer.body);
  known = answer.body.offset;
  // The stream begins there, so that nothing is missed between the two requests.
  if (lastId === null) {
    lastId = String(answer.body.offset);
    head.value = answer.body.offset;
  }
}

function setClock({ time, speed, round }: Pick<Clock, 'time' | 'speed' | 'round'>): void {
  lastRound = round;
  const at = Instant.parse(time);
  if (at.ok) standing.value = { at: at.value, since: performance.now(), speed };
}

export function connect(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') ticks.value += 1;
  }, 1_000);
  let stop: (() => void) | null = null;
  const follow = (): void => {
    stop?.();
    stop = document.visibilityState === 'visible' ? begin() : null;
  };
  document.addEventListener('visibilitychange', follow);
  follow();
}

function begin(): () => void {
  const gone = new AbortController();
  void (async () => {
    while (!gone.signal.aborted) {
      const users = await send<{ readonly users: readonly DevUser[] }>(get('dev/users'), null, gone.signal);
      if (gone.signal.aborted) return;
      const isReachable = users.ok || users.problem.kind === 'absent' || users.problem.kind === 'unauthorised';
      if (isReachable) {
        batch(() => {
          isDev.value = users.ok;
          devUsers.value = users.ok ? users.body.users : null;
        });
        await Promise.all([checkSession(), readClock()]);
        batch(() => {
          link.value = 'open';
          changes.value = { ...EVERYTHING };
        });
        await (users.ok ? stream(gone.signal) : poll(gone.signal));
      }
      if (gone.signal.aborted) return;
      link.value = 'lost';
      await pause(RETRY_MILLIS, gone.signal);
    }
  })();
  return () => gone.abort();
}

let lastRound: number | null = null;

/** Offset of the clock's answer. Everything that loads later is at least as new. */
let known = 0;

/** Id of the last event, so that a stream continues after it without a gap. */
let lastId: string | null = null;

function stream(gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const source = new EventSource(`dev/events?from=${lastId ?? 0}&changes=${known}`);
    const end = (): void => {
      source.close();
      resolve();
    };
    gone.addEventListener('abort', end);
    source.onerror = end;
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      seen(lastEventId);
      for (const { update } of listeners) update(data);
    };
    source.addEventListener('changes', ({ data }: MessageEvent<string>) => {
      const event: ChangesEvent = JSON.parse(data);
      const isNewRound = event.round !== lastRound;
      setClock(event);
      changes.value = changesIn(event, isNewRound);
      // For tests: everything up to this offset has been drawn or asked for.
      document.documentElement.dataset['changes'] = String(event.offset);
    });
    source.addEventListener('refusal', ({ data }: MessageEvent<string>) => {
      for (const listener of refusalListeners) listener(data);
    });
    source.addEventListener('reset', ({ lastEventId }: MessageEvent<string>) => {
      seen(lastEventId);
      for (const { reset } of listeners) reset(Number.parseInt(lastEventId, 10));
    });
  });
}

function seen(id: string): void {
  lastId = id;
  head.value = Number.parseInt(id, 10);
}

async function poll(gone: AbortSignal): Promise<void> {
  while (!gone.aborted) {
    const token = ownToken.peek();
    const answer = await send<{ readonly offset?: number }>(
      token === null ? get('version') : get('v2/state/ledger-end', token),
      null,
      gone,
    );
    if (!answer.ok && answer.problem.kind !== 'unauthorised') return;
    const offset = answer.ok ? (answer.body.offset ?? null) : null;
    if (offset !== head.peek()) {
      head.value = offset;
      changed();
    }
    await pause(POLL_MILLIS, gone);
  }
}

function pause(millis: number, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, millis);
    gone.addEventListener('abort', () => resolve());
  });
}

effect(() => {
  document.documentElement.dataset['link'] = link.value;
});
