import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { send } from '../api/call.js';
import { grouped } from '../format/amounts.js';
import { shownTime, typedTime } from '../format/times.js';
import { CopyButton } from '../parts/copy-button.js';
import { head, link } from '../store/live.js';
import { moment, param, setParams } from '../store/route.js';
import { past, shownNow } from '../store/standing.js';
import { offsetAt } from '../store/times.js';

const SPEEDS = [1, 5, 30] as const;

export function MomentBar(): JSX.Element | null {
  const last = head.value;
  if (last === null || last === 0) return null;
  const at = moment.value ?? last;
  return (
    <section class={moment.value === null ? 'moment' : 'moment past'} aria-label="Time">
      <Player at={at} last={last} />
      <input
        type="range"
        aria-label="Offset in the log"
        min={1}
        max={last}
        value={at}
        aria-valuetext={`offset ${at} of ${last}`}
        onInput={(event) => show(Number(event.currentTarget.value), last)}
      />
      <GoTo last={last} />
      <div class="moment-line">
        <span class="moment-text">
          {moment.value === null ? 'Present' : `${grouped(at)} of ${grouped(last)}`}
          {past.value === null ? '' : ` · ${shownTime(shownNow.value)} UTC · ${past.value.kind}`}
        </span>
        {moment.value === null ? null : (
          <>
            <button type="button" class="main" onClick={() => (moment.value = null)}>
              Back to the present
            </button>
            <Share />
          </>
        )}
      </div>
    </section>
  );
}

function show(offset: number, last: number): void {
  moment.value = offset >= last ? null : Math.max(1, offset);
}

function Player({ at, last }: { readonly at: number; readonly last: number }): JSX.Element {
  const speed = useSignal(0);
  useSignalEffect(() => {
    if (speed.value === 0) return;
    const timer = setInterval(() => {
      const next = (moment.peek() ?? last) + 1;
      show(next, head.peek() ?? last);
      if (moment.peek() === null) speed.value = 0;
    }, 1_000 / speed.value);
    return () => clearInterval(timer);
  });
  const step = (by: number): void => show(at + by, last);
  return (
    <span class="player">
      <button type="button" aria-label="Back one update" disabled={at <= 1} onClick={() => step(-1)}>
        ‹
      </button>
      <button
        type="button"
        aria-label={speed.value === 0 ? 'Play' : 'Pause'}
        disabled={at >= last && speed.value === 0}
        onClick={() => (speed.value = speed.value === 0 ? 5 : 0)}
      >
        {speed.value === 0 ? '▶' : '❚❚'}
      </button>
      <button type="button" aria-label="Forward one update" disabled={at >= last} onClick={() => step(1)}>
        ›
      </button>
      {speed.value === 0 ? null : (
        <select
          aria-label="Updates per second"
          value={speed.value}
          onChange={(event) => (speed.value = Number(event.currentTarget.value))}
        >
          {SPEEDS.map((one) => (
            <option key={one} value={one}>
              {one}/s
            </option>
          ))}
        </select>
      )}
    </span>
  );
}

function GoTo({ last }: { readonly last: number }): JSX.Element {
  const text = useSignal('');
  const isWrong = useSignal(false);
  const go = async (): Promise<void> => {
    const offset = await offsetNamed(text.value.trim(), last);
    isWrong.value = offset === null;
    if (offset === null) return;
    show(offset, last);
    text.value = '';
  };
  return (
    <form
      class="go-to"
      onSubmit={(event) => {
        event.preventDefault();
        void go();
      }}
    >
      <input
        aria-label="Go to an offset or a time"
        placeholder="offset or time"
        size={14}
        value={text.value}
        aria-invalid={isWrong.value}
        title="120, or 2026-01-01 12:00"
        onInput={(event) => {
          text.value = event.currentTarget.value;
          isWrong.value = false;
        }}
      />
      <button type="submit" disabled={text.value.trim() === '' || link.value === 'lost'}>
        Go
      </button>
      {isWrong.value ? (
        <span class="bad" role="alert">
          Type an offset from 1 to {grouped(last)}, or a time of the ledger such as 2026-01-01 12:00.
        </span>
      ) : null}
    </form>
  );
}

async function offsetNamed(text: string, last: number): Promise<number | null> {
  if (/^[\d,]{1,15}$/.test(text)) {
    const offset = Number(text.replaceAll(',', ''));
    return offset >= 1 && offset <= last ? offset : null;
  }
  const time = typedTime(text);
  return time === null ? null : offsetAt(time, last, send);
}

/** The hash of the state shows a colleague whether it is the same ledger. */
function Share(): JSX.Element | null {
  const hash = past.value?.hash.slice(0, HASH_DIGITS);
  // While the slider moves, the address is late: its hash is of another moment.
  const wanted = isInAddress(past.value?.offset) ? param('log') : null;
  useSignalEffect(() => {
    const found = past.value?.hash.slice(0, HASH_DIGITS);
    if (found !== undefined && param('log') === null && isInAddress(past.value?.offset)) setParams({ log: found });
  });
  if (hash === undefined) return null;
  return (
    <>
      {wanted !== null && wanted !== hash ? (
        <span class="bad" role="alert">
          The link was made on another ledger.
        </span>
      ) : null}
      <CopyButton text={location.href} what="the address of this moment" />
    </>
  );
}

const HASH_DIGITS = 12;

function isInAddress(offset: number | undefined): boolean {
  return offset !== undefined && param('at') === String(offset);
}
