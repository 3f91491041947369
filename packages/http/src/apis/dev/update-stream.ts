import { codec } from '@coinlab/core';
import type { History } from '../../history/history.js';
import type { Host } from '../../host/host.js';

/** What a reader of the log is sent. */
type StreamEvent =
  /** An update, as the log has it: one line of JSON. */
  | { readonly type: 'update'; readonly id: string; readonly line: string }
  /** The ledger was reverted: nothing after this offset happened. */
  | { readonly type: 'reset'; readonly id: string; readonly offset: number }
  /** Nothing has happened for a while. */
  | { readonly type: 'quiet' };

/** Where a reader stands: what it has last, and how many resets it knows of. */
export interface Place {
  readonly offset: number;
  readonly resets: number;
}

/** A place as the id of an event: the offset, and after the first reset of the server the number of resets: `45`, `45.1`. */
function formatPlace({ offset, resets }: Place): string {
  return resets === 0 ? String(offset) : `${offset}.${resets}`;
}

/** Reads the id of an event; null for what is none. */
export function parsePlace(text: string): Place | null {
  const [, offset, resets = '0'] = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text) ?? [];
  return offset === undefined ? null : { offset: Number(offset), resets: Number(resets) };
}

/** The updates of a server to as many readers as want them; each reads at its own pace from the past that is kept anyway. */
export interface UpdateStream {
  /** How many resets there were. */
  readonly resets: number;
  /**
   * Everything after a place, without gap or double, and then what happens, until the server ends or the reader has gone.
   * Nothing waits for a slow reader but itself: it holds a place, and no queue.
   */
  after(
    place: Place,
    options: { readonly gone: AbortSignal; readonly quietMillis: number },
  ): AsyncGenerator<StreamEvent>;
}

/** What an update stream follows. */
export interface StreamSource {
  readonly host: Pick<Host, 'onUpdate' | 'onReplaced'>;
  readonly history: History;
  /** Aborted when the server begins to end: what waits or streams ends with it. */
  readonly ending: AbortSignal;
}

/** Follows a server from now on. */
export function updateStream({ host, history, ending }: StreamSource): UpdateStream {
  /** Offset to which each reset went back. */
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
  ending.addEventListener('abort', wakeAll);

  /** Resolves to true when something may have happened, to false after so long. */
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
    async *after(place, { gone, quietMillis }) {
      gone.addEventListener('abort', wakeAll);
      let { offset, resets: known } = place;
      while (!ending.aborted && !gone.aborted) {
        if (known !== resets.length || offset > history.head) {
          // A reader of another run of the server knows of resets that never were: all it has is in doubt.
          offset = known > resets.length ? 0 : Math.min(offset, history.head, ...resets.slice(known));
          known = resets.length;
          yield { type: 'reset', id: formatPlace({ offset, resets: known }), offset };
        } else if (offset < history.head) {
          offset += 1;
          const id = formatPlace({ offset, resets: known });
          yield { type: 'update', id, line: codec.encode(history.updateAt(offset)) };
        } else if (!(await something(quietMillis))) yield { type: 'quiet' };
      }
    },
  };
}
