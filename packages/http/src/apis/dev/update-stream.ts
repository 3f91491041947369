import type { History } from '../../history/history.js';
import type { Refusal, Refusals } from '../../gates/refusals.js';
import type { Host } from '../../host/host.js';

type StreamEvent =
  /** Updates, oldest first, each as one line of JSON, as in the log. */
  | { readonly type: 'updates'; readonly updates: readonly { readonly id: string; readonly line: string }[] }
  | { readonly type: 'reset'; readonly id: string; readonly offset: number }
  | { readonly type: 'refusals'; readonly refusals: readonly Refusal[] }
  /** No event for `quietMillis`. */
  | { readonly type: 'quiet' };

export interface StreamPosition {
  readonly offset: number;
  readonly resets: number;
}

/** Formats the id of an event: the offset and, after the first reset, the number of resets (`45`, `45.1`). */
function formatPosition({ offset, resets }: StreamPosition): string {
  return resets === 0 ? String(offset) : `${offset}.${resets}`;
}

export function parsePosition(text: string): StreamPosition | null {
  const [, offset, resets = '0'] = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text) ?? [];
  return offset === undefined ? null : { offset: Number(offset), resets: Number(resets) };
}

export interface UpdateStream {
  readonly resets: number;
  /**
   * Yields every update after a position once, then new updates, until the server shuts down or `gone` is aborted. Reads from the
   * history: a slow reader delays no other reader and needs no queue.
   */
  after(
    position: StreamPosition,
    options: { readonly gone: AbortSignal; readonly quietMillis: number },
  ): AsyncGenerator<StreamEvent>;
}

export interface StreamSource {
  readonly host: Pick<Host, 'onUpdate' | 'onReplaced'>;
  readonly history: History;
  readonly refusals: Refusals;
  readonly ending: AbortSignal;
}

/** Updates per event: the server handles other requests between two events. */
const MOST_AT_ONCE = 10;

export function updateStream({ host, history, refusals, ending }: StreamSource): UpdateStream {
  const resets: number[] = [];
  let wake: (() => void)[] = [];
  const wakeAll = (): void => {
    for (const one of wake.splice(0)) one();
  };
  host.onUpdate(wakeAll);
  host.onReplaced(({ offset }) => {
    resets.push(offset);
    wakeAll();
  });
  refusals.onRefusal(wakeAll);
  ending.addEventListener('abort', wakeAll);

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
    async *after(position, { gone, quietMillis }) {
      gone.addEventListener('abort', wakeAll);
      let { offset, resets: known } = position;
      let refused = refusals.count;
      while (!ending.aborted && !gone.aborted) {
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
        } else if (!(await something(quietMillis))) yield { type: 'quiet' };
      }
    },
  };
}
