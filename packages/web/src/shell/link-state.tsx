import type { JSX } from 'preact';
import { grouped } from '../format/amounts.js';
import { shownTime } from '../format/times.js';
import { clockSpeed, head, isDev, ledgerNow, link } from '../store/live.js';

const TEXTS = { connecting: 'connecting', open: 'connected', lost: 'connection lost, trying again' } as const;

export function LinkState(): JSX.Element {
  return (
    <p class="link-state">
      <span class={`dot ${link.value}`} aria-hidden="true" />
      <span role="status" class={link.value === 'lost' ? 'bad' : 'hidden'}>
        {TEXTS[link.value]}
      </span>
      {isDev.value === true ? (
        <span class="ledger-time">
          {shownTime(ledgerNow.value)} UTC{clockSpeed.value === 0 ? ', manual clock' : ''}
        </span>
      ) : null}
      {head.value === null ? null : <span class="ledger-offset">offset {grouped(head.value)}</span>}
    </p>
  );
}
