import type { JSX } from 'preact';
import { get, post } from '../api/call.js';
import type { RulesFound, TaggedAction, VoteRequest, VoteRequestList, VoteResultList } from '../api/shapes.js';
import { grouped } from '../format/amounts.js';
import { Fields } from '../ledger/fields.js';
import { Card } from '../parts/card.js';
import { Rows } from '../parts/rows.js';
import { Empty, Loaded } from '../parts/states.js';
import { At, Relative } from '../parts/values.js';
import { useRules } from '../store/network.js';
import { useResource } from '../store/resource.js';

const OF_VOTES = { follows: () => [{ templates: ['VoteRequest', 'DsoRules'] }] };

const MOST_RESULTS = 20;

export function Rules(): JSX.Element {
  const rules = useRules();
  const requests = useResource<VoteRequestList>(() => get('v0/admin/sv/voterequests'), OF_VOTES);
  const results = useResource<VoteResultList>(() => post('v0/admin/sv/voteresults', { limit: MOST_RESULTS }), OF_VOTES);
  return (
    <>
      <Card title="Rules in force">
        <Loaded resource={rules} what="the rules">
          {(found) => <InForce found={found} />}
        </Loaded>
      </Card>
      <Card title="Open votes">
        <Loaded resource={requests} what="the votes">
          {({ dso_rules_vote_requests: open }) =>
            open.length === 0 ? (
              <Empty title="No vote is open">
                <p>A super validator requests a vote to change the rules or to feature an app.</p>
              </Empty>
            ) : (
              <OpenVotes rows={open.map(({ contract_id, payload }) => ({ id: contract_id, ...payload }))} />
            )
          }
        </Loaded>
      </Card>
      <Card title="Closed votes" aside={`the last ${MOST_RESULTS}`}>
        <Loaded resource={results} what="the results">
          {({ dso_rules_vote_results: closed }) =>
            closed.length === 0 ? <Empty title="No vote has closed" /> : <ClosedVotes rows={closed} />
          }
        </Loaded>
      </Card>
    </>
  );
}

const MICROS_PER_MINUTE = 60_000_000;

function InForce({ found }: { readonly found: RulesFound }): JSX.Element {
  const { payload } = found.amulet_rules_update.contract;
  const { transferConfig, decentralizedSynchronizer, tickDuration } = payload.configSchedule.initialValue;
  const { extraTrafficPrice, minTopupAmount } = decentralizedSynchronizer.fees;
  return (
    <>
      <dl class="facts">
        <dt>Network</dt>
        <dd>{payload.isDevNet ? 'development: users can tap' : 'without taps'}</dd>
        <dt>Round</dt>
        <dd>{Number(tickDuration.microseconds) / MICROS_PER_MINUTE} minutes</dd>
        <dt>Holding fee</dt>
        <dd>{transferConfig.holdingFee.rate} USD per coin contract and round</dd>
        <dt>Inputs of a transfer</dt>
        <dd>at most {transferConfig.maxNumInputs}</dd>
        <dt>Traffic</dt>
        <dd>
          {extraTrafficPrice} USD per megabyte, at least {grouped(minTopupAmount)} bytes
        </dd>
      </dl>
      <details>
        <summary>All rules</summary>
        <Fields value={payload.configSchedule.initialValue} />
      </details>
    </>
  );
}

type Open = VoteRequest & { readonly id: string };

function OpenVotes({ rows }: { readonly rows: readonly Open[] }): JSX.Element {
  return (
    <Rows<Open>
      label="Open votes"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Action', cell: ({ action }) => <Proposed action={action} /> },
        { title: 'Requested by', width: 'minmax(0, 0.6fr)', cell: ({ requester }) => <bdi>{requester}</bdi> },
        { title: 'Reason', cell: ({ reason }) => <bdi>{reason.body}</bdi> },
        { title: 'Votes', width: '9rem', cell: ({ votes }) => countText(votes) },
        { title: 'Ends', width: '9rem', cell: ({ voteBefore }) => <Relative time={voteBefore} /> },
      ]}
    />
  );
}

type Closed = VoteResultList['dso_rules_vote_results'][number];

function ClosedVotes({ rows }: { readonly rows: readonly Closed[] }): JSX.Element {
  return (
    <Rows<Closed>
      label="Closed votes"
      rows={rows}
      keyOf={({ completedAt, request }) => `${completedAt} ${request.requester} ${JSON.stringify(request.action)}`}
      columns={[
        { title: 'Action', cell: ({ request }) => <Proposed action={request.action} /> },
        { title: 'Requested by', width: 'minmax(0, 0.6fr)', cell: ({ request }) => <bdi>{request.requester}</bdi> },
        { title: 'Votes', width: '9rem', cell: ({ request }) => countText(request.votes) },
        { title: 'Outcome', width: '9rem', cell: ({ outcome }) => outcome.tag.replace(/^VRO_/, '').toLowerCase() },
        { title: 'Closed (UTC)', width: '11rem', cell: ({ completedAt }) => <At time={completedAt} /> },
      ]}
    />
  );
}

function Proposed({ action }: { readonly action: TaggedAction }): JSX.Element {
  const { tag, value } = innermost(action);
  return (
    <details>
      <summary>{tag.replace(/^[A-Z]+_/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')}</summary>
      <Fields value={value} />
    </details>
  );
}

function innermost(action: TaggedAction): TaggedAction {
  const inner = Object.values(action.value).find(isAction);
  return inner ? innermost(inner) : action;
}

function isAction(value: unknown): value is TaggedAction {
  return typeof value === 'object' && value !== null && 'tag' in value && 'value' in value;
}

function countText(votes: VoteRequest['votes']): string {
  const yes = votes.filter(([, { accept }]) => accept).length;
  return `${yes} yes, ${votes.length - yes} no`;
}
