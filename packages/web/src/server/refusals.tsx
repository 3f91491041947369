import type { JSX } from 'preact';
import { Fields } from '../ledger/fields.js';
import { Card } from '../parts/card.js';
import { Curl } from '../parts/curl.js';
import { Empty, Failure } from '../parts/states.js';
import { At } from '../parts/values.js';
import { refusals } from '../store/notices.js';
import { followRefusals, readRefusals, refused, refusedProblem, type Refused } from '../store/refused.js';

export function Refusals(): JSX.Element {
  followRefusals();
  const found = refused.value;
  return (
    <Card title="Refusals" aside={found === null ? '' : `${found.length} of all clients`}>
      {refusedProblem.value ? <Failure problem={refusedProblem.value} retry={() => void readRefusals()} /> : null}
      {found === null ? (
        <p class="loading" role="status">
          Loading the refusals …
        </p>
      ) : found.length === 0 ? (
        <Empty title="The server has refused nothing">
          <p>Each refused request of any client appears here at once, with both sides of the violated condition.</p>
        </Empty>
      ) : (
        <ol class="refusals">
          {found.map((one) => (
            <li key={one.id}>
              <OneRefusal refusal={one} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function OneRefusal({ refusal }: { readonly refusal: Refused }): JSX.Element {
  const { method, path, status, user, time, error, evidence } = refusal;
  // This tab knows the whole request of its own refusals.
  const own = refusals.value.find(({ call, problem }) => `/${call.path}` === path && problem.message === error);
  return (
    <article class="failure refused">
      <p>
        <strong class="route">
          {method} {path}
        </strong>{' '}
        <span class="quiet">
          status {status}, {user === null ? 'no valid token' : <bdi>{user}</bdi>}, ledger time <At time={time} /> UTC
        </span>
      </p>
      <p>
        <bdi>{error}</bdi>
      </p>
      {Object.keys(evidence).length === 0 ? null : <Fields value={evidence} />}
      {own ? <Curl call={own.call} /> : null}
    </article>
  );
}
