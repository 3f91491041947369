import type { History } from '../../history/history.js';
import type { Refusal, Refusals } from '../../gates/refusals.js';
import type { Host } from '../../host/host.js';
import { LedgerChanges, type Changes } from './ledger-changes.js';

type StreamEvent =
  /** Updates, oldest first, each as one line of JSON, as in the log. */
  | { readonly type: 'updates'; readonly updates: readonly { readonly id: string; readonly line: string }[] }
  | { readonly type: 'reset'; readonly id: string; readonly offset: number }
  | { readonly type: 'changes'; readonly changes: Changes }
  | { readonly type: 'refusals'; readonly refusals: readonly Refusal[] }
  /** No event for `quietMillis`. */
  | { readonly type: 'quiet' };

export interface StreamPosition {
  readonly offset: number;
  readonly resets: number;
}

function formatPosition({ offset, resets }: StreamPosition): string {
  return resets === 0 ? String(offset) : `${offset}.${resets}`;
}

export function parsePosition(text: string): StreamPosition | null {
  const [, offset, resets = '0'] = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text) ?? [];
  return offset === undefined ? null : { offset: Number(offset), resets: Number(resets) };
}

export interface UpdateStream {
  readonly resets: number;
  controlled(): void;
  /** Reads the updates from the history, so that a slow reader delays no other reader and needs no queue. */
  after(
    position: StreamPosition,
    options: {
      readonly gone: AbortSignal;
      readonly quietMillis: number; /** Offset up to which the reader has everything; null: it wants no changes. */
      readonly changesAfter?: number | null;
    },
  ): AsyncGenerator<StreamEvent>;
}

export interface StreamSource {
  readonly host: Host;
  readonly history: History;
  readonly refusals: Refusals;
  readonly ending: AbortSignal;
}

/** Shortest time between two lists of changes: a busy ledger changes thousands of times a second. */
const BETWEEN_CHANGES_MILLIS = 250;

const MOST_AT_ONCE = 10;

export function updateStream({ host, history, refusals, ending }: StreamSource): UpdateStream {
  const resets: number[] = [];
  let wake: (() => void)[] = [];
  const wakeAll = (): void => {
    for (const one of wake.splice(0)) one();
  };
  // Before the readers wake: they read what it has collected.
  const changed = new LedgerChanges(host);
  host.onUpdate(wakeAll);
  host.onReplaced(({ offset }) => {
    resets.push(offset);
    wakeAll();
  });
  refusals.onRefusal(wakeAll);

  const something = (quietMillis: number): Promise<boolean> =>
    new Promise((resolve) => {
      const happened = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        wake = wake.filter((one) => one !== happened);
        resolve(false);
      }, quietMillis);
      wake.push(happened);
    });

  return {
    get resets() {
      return resets.length;
    },
    controlled() {
      changed.controlled();
      wakeAll();
    },
    async *after(position, { gone, quietMillis, changesAfter = null }) {
      const ends = [gone, ending];
      for (const end of ends) end.addEventListener('abort', wakeAll);
      const reader = changesAfter === null ? null : changed.open();
      if (changesAfter !== history.head || position.resets !== resets.length) reader?.missed();
      let nextChanges = 0;
      let { offset, resets: known } = position;
      let refused = refusals.count;
      try {
        while (!ends.some(({ aborted }) => aborted)) {
          if (known !== resets.length || offset > history.head) {
            // A position with unknown resets is from another run of the server: start over.
            offset = known > resets.length ? 0 : Math.min(offset, history.head, ...resets.slice(known));
            known = resets.length;
            yield { type: 'reset', id: formatPosition({ offset, resets: known }), offset };
          } else if (offset < history.head) {
            const updates = Array.from({ length: Math.min(MOST_AT_ONCE, history.head - offset) }, () => {
              offset += 1;
              return { id: formatPosition({ offset, resets: known }), line: history.lineAt(offset) };
            });
            yield { type: 'updates', updates };
            await new Promise((resolve) => setImmediate(resolve));
          } else if (refused < refusals.count) {
            const after = refused;
            refused = refusals.count;
            yield { type: 'refusals', refusals: refusals.after(after) };
          } else if (reader?.isPending === true && performance.now() >= nextChanges) {
            nextChanges = performance.now() + BETWEEN_CHANGES_MILLIS;
            yield { type: 'changes', changes: reader.take() };
          } else {
            const rest = reader?.isPending === true ? nextChanges - performance.now() : Infinity;
            if (!(await something(Math.max(0, Math.min(quietMillis, rest)))) && rest > quietMillis)
              yield { type: 'quiet' };
          }
        }
      } finally {
        for (const end of ends) end.removeEventListener('abort', wakeAll);
        reader?.close();
      }
    },
  };
}
