import type { JSX } from 'preact';
import { Fields } from '../ledger/fields.js';
import { Card } from '../parts/card.js';
import { Curl } from '../parts/curl.js';
import { Empty } from '../parts/states.js';
import { refusals, type Refusal } from '../store/notices.js';

/** The refused actions of this tab, newest first, each with its evidence: both sides of the violated condition. */
export function Refusals(): JSX.Element {
  const found = refusals.value;
  return (
    <Card title="Refusals" aside={`${found.length} in this tab`}>
      {found.length === 0 ? (
        <Empty title="The server has refused nothing">
          <p>A refused action of this tab appears here with its cause, and with the request as curl.</p>
        </Empty>
      ) : (
        <ol class="refusals">
          {found.map((refusal) => (
            <li key={refusal.id}>
              <OneRefusal refusal={refusal} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function OneRefusal({ refusal: { time, call, problem } }: { readonly refusal: Refusal }): JSX.Element {
  const { message, status, details } = problem;
  return (
    <article class="failure refused">
      <p>
        <strong>
          {call.method} /{call.path}
        </strong>{' '}
        <span class="quiet">
          {status === null ? 'no answer' : `status ${status}`}, ledger time {time} UTC
        </span>
      </p>
      <p>
        <bdi>{message}</bdi>
      </p>
      {Object.keys(details).length === 0 ? null : <Fields value={details} />}
      <Curl call={call} />
    </article>
  );
}
