import type { Instant } from '@coinlab/core';
import type { JSX } from 'preact';
import { amountOf, shownAmount } from '../format/amounts.js';
import { hintOf, shortId, tailOf } from '../format/parties.js';
import { instantOf, relativeTime, shownTime } from '../format/times.js';
import { shownNow } from '../store/standing.js';
import { ownParty } from '../store/session.js';
import { CopyButton } from './copy-button.js';

export function Coin({ amount, unit = '' }: { readonly amount: string; readonly unit?: string }): JSX.Element {
  const [whole, fraction] = shownAmount(amountOf(amount)).split('.');
  return (
    <data class="amount" value={amount}>
      {whole}
      {fraction === undefined ? null : <span class="fraction">.{fraction}</span>}
      {unit === '' ? null : <span class="unit"> {unit}</span>}
    </data>
  );
}

/** Other people choose the names, so their text direction is isolated. */
export function Party({ id, canCopy = false }: { readonly id: string; readonly canCopy?: boolean }): JSX.Element {
  return (
    <span class="party" title={id}>
      <bdi>{hintOf(id)}</bdi>
      <span class="tail">{id === ownParty.value ? ' (you)' : ` …${tailOf(id)}`}</span>
      {canCopy ? <CopyButton text={id} what={`party id of ${hintOf(id)}`} /> : null}
    </span>
  );
}

export function Relative({ time }: { readonly time: string }): JSX.Element {
  const instant = instantOf(time);
  return instant === null ? <span>{time}</span> : <Distance instant={instant} text={time} />;
}

function Distance({ instant, text }: { readonly instant: Instant; readonly text: string }): JSX.Element {
  return (
    <time dateTime={text} title={`${shownTime(instant)} UTC`}>
      {relativeTime(instant, shownNow.value)}
    </time>
  );
}

export function At({ time }: { readonly time: string }): JSX.Element {
  const instant = instantOf(time);
  return <time dateTime={time}>{instant === null ? time : shownTime(instant)}</time>;
}

export function Id({ id, what }: { readonly id: string; readonly what: string }): JSX.Element {
  return (
    <span class="id" title={id}>
      <code>{shortId(id)}</code>
      <CopyButton text={id} what={what} />
    </span>
  );
}
