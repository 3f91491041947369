import { batch, signal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { send, type Call, type Problem } from '../api/call.js';
import { concern, type Changes, type Follows } from './changes.js';
import { changes, isReady } from './live.js';
import { moment } from './route.js';

export interface Resource<Body> {
  /** Kept while a newer one loads or fails. Null before the first. */
  readonly body: ReadonlySignal<Body | null>;
  readonly problem: ReadonlySignal<Problem | null>;
  readonly isLoading: ReadonlySignal<boolean>;
  /** For the curl command; null while there is nothing to load. */
  readonly call: ReadonlySignal<Call | null>;
  readonly reload: () => void;
}

interface Asked {
  readonly call: Call;
  readonly moment: number | null;
}

/** One load is in flight at a time. Meanwhile only the newest request waits, so a slider never queues requests. */
class Loader<Body> implements Resource<Body> {
  readonly body = signal<Body | null>(null);
  readonly problem = signal<Problem | null>(null);
  readonly isLoading = signal(false);
  readonly call = signal<Call | null>(null);
  #text = '';
  #running: (Asked & { readonly gone: AbortController }) | null = null;
  #next: Asked | null = null;

  ask(call: Call | null, at: number | null): void {
    const isOther = keyOf(call) !== keyOf(this.call.peek());
    this.call.value = call;
    if (isOther) this.#forget();
    if (call === null) return;
    if (this.#running) this.#next = { call, moment: at };
    else void this.#load({ call, moment: at });
  }

  show(body: Body): void {
    this.#text = '';
    batch(() => {
      this.problem.value = null;
      this.body.value = body;
    });
  }

  readonly reload = (): void => this.ask(this.call.peek(), moment.peek());

  stop(): void {
    this.#running?.gone.abort();
    this.#running = null;
    this.#next = null;
  }

  #forget(): void {
    this.stop();
    this.#text = '';
    batch(() => {
      this.body.value = null;
      this.problem.value = null;
      this.isLoading.value = false;
    });
  }

  async #load(asked: Asked): Promise<void> {
    const gone = new AbortController();
    this.#running = { ...asked, gone };
    this.isLoading.value = true;
    const answer = await send<Body>(asked.call, asked.moment, gone.signal);
    if (gone.signal.aborted) return;
    this.#running = null;
    batch(() => {
      if (!answer.ok) this.problem.value = answer.problem;
      else {
        this.problem.value = null;
        // An equal answer changes nothing on the screen.
        if (answer.text !== this.#text || this.body.peek() === null) this.body.value = answer.body;
        this.#text = answer.text;
      }
      this.isLoading.value = false;
    });
    const next = this.#next;
    this.#next = null;
    if (next) void this.#load(next);
  }
}

function keyOf(call: Call | null): string {
  return call === null ? '' : JSON.stringify(call);
}

interface ResourceOptions<Body> {
  readonly follows?: () => readonly Follows[];
  /** Finds the new body in changes; null: load it. */
  readonly bodyIn?: (changes: Changes) => Body | null;
}

const NEVER: readonly Follows[] = [];

export const OF_MOMENT = { follows: (): readonly Follows[] => NEVER } as const;

export const OF_CONTROLS = { follows: (): readonly Follows[] => CONTROLS } as const;
const CONTROLS: readonly Follows[] = [{ controls: true }];

/** @param ask may read signals; returns null while there is nothing to ask */
export function useResource<Body>(
  ask: () => Call | null,
  { follows, bodyIn }: ResourceOptions<Body> = {},
): Resource<Body> {
  const loader = useMemo(() => new Loader<Body>(), []);
  const asked = useRef<{ key: string; changes: Changes | null }>({ key: '', changes: null });
  useSignalEffect(() => {
    if (!isReady.value) return;
    const call = ask();
    // The past does not change.
    const newest = moment.value === null ? changes.value : null;
    const key = `${moment.value} ${keyOf(call)}`;
    const { current: last } = asked;
    asked.current = { key, changes: newest };
    if (key !== last.key) loader.ask(call, moment.value);
    else if (newest !== null && newest !== last.changes && (follows === undefined || concern(newest, follows()))) {
      const body = bodyIn?.(newest) ?? null;
      if (body === null) loader.ask(call, moment.value);
      else loader.show(body);
    }
  });
  useSignalEffect(() => () => loader.stop());
  return loader;
}
