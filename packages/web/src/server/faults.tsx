import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { control, type Call } from '../api/call.js';
import { Action } from '../parts/action.js';
import { Card } from '../parts/card.js';
import { Curl } from '../parts/curl.js';
import { Choice, Field } from '../parts/field.js';
import { Empty, Loaded } from '../parts/states.js';
import { useResource, type Resource } from '../store/resource.js';

interface Plan {
  readonly delayMs: number;
  readonly jitterMs: number;
  readonly errorRate: number;
  readonly status: number;
  readonly path: string;
  readonly count: number | null;
  readonly when: 'before' | 'after';
}
interface FaultStatus {
  readonly plan: Plan | null;
  readonly concerned: number;
  readonly delayed: number;
  readonly failed: number;
}

const WHEN = [
  { value: 'before', label: 'before it takes effect' },
  { value: 'after', label: 'after it took effect: only the answer is lost' },
];

export function Faults(): JSX.Element {
  const status = useResource<FaultStatus>(() => control('GET', 'faults'));
  return (
    <div class="overview">
      <Card title="Active plan">
        <Loaded resource={status} what="the fault plan">
          {(found) => <Active found={found} resource={status} />}
        </Loaded>
      </Card>
      <NewPlan resource={status} />
    </div>
  );
}

interface StatusProps {
  readonly resource: Resource<FaultStatus>;
}

function Active({
  found: { plan, concerned, delayed, failed },
  resource,
}: StatusProps & { readonly found: FaultStatus }): JSX.Element {
  if (plan === null)
    return (
      <Empty title="No fault is injected">
        <p>A plan delays requests or lets a part of them fail, so that you see what your client does.</p>
      </Empty>
    );
  const { delayMs, jitterMs, errorRate, status, path, count, when } = plan;
  return (
    <>
      <dl class="facts">
        <dt>Paths</dt>
        <dd>
          from <code>{path}</code>
        </dd>
        <dt>Delay</dt>
        <dd>
          {delayMs} ms{jitterMs === 0 ? '' : `, and up to ${jitterMs} ms at random`}
        </dd>
        <dt>Failures</dt>
        <dd>
          {percentText(errorRate)} with status {status}, {when === 'before' ? 'before' : 'after'} the request takes
          effect
        </dd>
        <dt>Ends</dt>
        <dd>{count === null ? 'when it is removed' : `after ${count} requests`}</dd>
        <dt>So far</dt>
        <dd>
          {concerned} requests concerned, {delayed} delayed, {failed} failed
        </dd>
      </dl>
      <Action call={END} done="No fault is injected any more" onDone={resource.reload}>
        Remove the plan
      </Action>
    </>
  );
}

/** A product such as 0.57 × 100 is not exact. */
function percentText(share: number): string {
  return `${Number((share * 100).toPrecision(10))} %`;
}

const END: Call = control('DELETE', 'faults');

interface Draft {
  readonly path: Signal<string>;
  readonly delay: Signal<string>;
  readonly percent: Signal<string>;
  readonly status: Signal<string>;
  readonly count: Signal<string>;
  readonly when: Signal<string>;
}

function NewPlan({ resource }: StatusProps): JSX.Element {
  const draft: Draft = {
    path: useSignal('/v0/wallet'),
    delay: useSignal('300'),
    percent: useSignal('0'),
    status: useSignal('503'),
    count: useSignal(''),
    when: useSignal('before'),
  };
  const [delay, percent, status] = [
    numberIn(draft.delay, 60_000),
    numberIn(draft.percent, 100),
    numberIn(draft.status, 599),
  ];
  const count = draft.count.value.trim() === '' ? null : numberIn(draft.count, 1_000_000);
  const isPath = draft.path.value.startsWith('/');
  const isStatus = status !== null && status >= 400;
  const isCount = draft.count.value.trim() === '' || (count ?? 0) > 0;
  const isValid = isPath && isStatus && isCount && delay !== null && percent !== null && delay + percent > 0;
  const plan = {
    path: draft.path.value,
    delayMs: delay ?? 0,
    errorRate: (percent ?? 0) / 100,
    status: status ?? 503,
    when: draft.when.value,
    count,
  };
  const call = control('POST', 'faults', plan);
  return (
    <Card title="New plan">
      <div class="stack">
        <Field
          label="Start of the paths"
          value={draft.path}
          fault={isPath ? null : 'Type a path that starts with /, such as /v0/wallet.'}
        />
        <Field
          label="Delay in milliseconds"
          value={draft.delay}
          inputMode="numeric"
          fault={delay === null ? 'Type a whole number from 0 to 60000.' : null}
        />
        <Field
          label="Failures in percent"
          value={draft.percent}
          inputMode="numeric"
          fault={percent === null ? 'Type a whole number from 0 to 100.' : null}
        />
        <Field
          label="Status of a failure"
          value={draft.status}
          inputMode="numeric"
          fault={isStatus ? null : 'Type a status from 400 to 599.'}
        />
        <Choice label="A request fails" value={draft.when} options={WHEN} />
        <Field
          label="Number of requests"
          value={draft.count}
          inputMode="numeric"
          fault={isCount ? null : 'Type a whole number above zero, or nothing.'}
          hint="Empty: until the plan is removed"
        />
        <Action kind="main" isDisabled={!isValid} call={call} done="The plan is active" onDone={resource.reload}>
          Activate the plan
        </Action>
        <Curl call={call} />
      </div>
    </Card>
  );
}

function numberIn(text: Signal<string>, most: number): number | null {
  const found = /^\d{1,9}$/.test(text.value.trim()) ? Number(text.value) : null;
  return found !== null && found <= most ? found : null;
}
