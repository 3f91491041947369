import { Amount, type Instant } from '@coinlab/core';
import { useComputed, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { get, post, type Call } from '../api/call.js';
import { newId } from '../api/ledger-calls.js';
import type { CoinList, FactoryFound, RulesFound, TransferMade } from '../api/shapes.js';
import { shownAmount, typedAmount } from '../format/amounts.js';
import { hintOf } from '../format/parties.js';
import { shownTime } from '../format/times.js';
import { Card } from '../parts/card.js';
import { Curl } from '../parts/curl.js';
import { Choice, Field } from '../parts/field.js';
import { Failure } from '../parts/states.js';
import { Coin } from '../parts/values.js';
import { act } from '../store/notices.js';
import { ledgerNow } from '../store/live.js';
import { useRules } from '../store/network.js';
import { moment } from '../store/route.js';
import { useResource, type Resource } from '../store/resource.js';
import { devUsers } from '../store/session.js';
import { inputsOf, type Inputs } from './inputs.js';
import type { WalletProps } from './wallet-props.js';

const HOUR = 3_600_000_000n;
const SPANS = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
];

interface Draft {
  readonly receiver: Signal<string>;
  readonly amount: Signal<string>;
  readonly text: Signal<string>;
  readonly hours: Signal<string>;
  /** Kept when the response is lost, so that sending the form again cannot pay twice. */
  readonly trackingId: Signal<string>;
}

export function Send({ party, token }: WalletProps): JSX.Element {
  const draft: Draft = {
    receiver: useSignal(''),
    amount: useSignal(''),
    text: useSignal(''),
    hours: useSignal('24'),
    trackingId: useSignal(newId()),
  };
  const isBusy = useSignal(false);
  const receiver = useComputed(() => partyNamed(draft.receiver.value));
  const amount = useComputed(() => typedAmount(draft.amount.value));
  const rules = useRules();
  const coins = useResource<CoinList>(() => get('v0/wallet/amulets', token), {
    follows: () => [{ party }, { round: true }],
  });
  const factory = useResource<FactoryFound>(() => factoryCall(rules, party, receiver.value, amount.value), {
    follows: () => [{ templates: ['TransferPreapproval', 'AmuletRules', 'ExternalPartyConfigState'] }, { round: true }],
  });
  const inputs = coins.body.value === null ? null : inputsOf(coins.body.value, ledgerNow.value, mostInputs(rules));
  const isShort = inputs !== null && amount.value !== null && inputs.total < amount.value;
  const call = sendCall(draft, receiver.value, amount.value, token);
  const canSend = call !== null && !isShort && moment.value === null && !isBusy.value;
  const submit = async (): Promise<void> => {
    if (call === null) return;
    isBusy.value = true;
    const answer = await act<TransferMade>(call, ({ output }) =>
      doneText(output, draft.amount.value, receiver.value ?? ''),
    );
    isBusy.value = false;
    if (!answer.ok && answer.problem.status === null) return;
    draft.trackingId.value = newId();
    if (answer.ok) for (const field of [draft.amount, draft.text]) field.value = '';
  };
  return (
    <div class="columns">
      <Card title="Send coin">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (canSend) void submit();
          }}
        >
          <Field
            label="Receiver"
            value={draft.receiver}
            list={(devUsers.value ?? [])
              .filter((user) => user.party !== party)
              .map((one) => ({ value: one.user, label: one.party }))}
            fault={
              draft.receiver.value !== '' && receiver.value === null
                ? 'Type a party id, such as bob::1220…, or a user of this server.'
                : null
            }
            hint="A party id, or a user of this server"
            isRequired
          />
          <Field
            label="Amount in CC"
            value={draft.amount}
            inputMode="decimal"
            fault={amountFault(draft.amount.value, amount.value, inputs, isShort)}
            hint={inputs === null ? '' : `${shownAmount(inputs.total)} can be sent`}
            isRequired
          />
          <Field label="Text" value={draft.text} hint="The receiver reads it." />
          <Choice label="The offer ends after" value={draft.hours} options={SPANS} />
          <Preview
            factory={factory}
            inputs={inputs}
            amount={amount}
            receiver={receiver}
            isShort={isShort}
            hours={draft.hours}
          />
          <button type="submit" class="main" disabled={!canSend} aria-busy={isBusy.value}>
            Send
          </button>
          {call === null ? null : <Curl call={call} />}
        </form>
      </Card>
    </div>
  );
}

function amountFault(text: string, amount: Amount | null, inputs: Inputs | null, isShort: boolean): string | null {
  if (text !== '' && amount === null) return 'Type an amount above zero, with at most ten places.';
  if (!isShort || inputs === null) return null;
  const limit =
    inputs.left > 0
      ? ` A transfer takes at most ${inputs.count} coins; the other ${inputs.left} must be merged first.`
      : '';
  return `Only ${shownAmount(inputs.total)} can be sent.${limit}`;
}

function partyNamed(text: string): string | null {
  const name = text.trim();
  const user = devUsers.value?.find((one) => one.user === name);
  if (user) return user.party;
  return /^.+::[0-9a-f]{4,}$/i.test(name) ? name : null;
}

function mostInputs(rules: Resource<RulesFound>): number {
  const config = rules.body.value?.amulet_rules_update.contract.payload.configSchedule.initialValue;
  return Number(config?.transferConfig.maxNumInputs ?? 100);
}

function factoryCall(
  rules: Resource<RulesFound>,
  sender: string,
  receiver: string | null,
  amount: Amount | null,
): Call | null {
  const dso = rules.body.value?.amulet_rules_update.contract.payload.dso;
  if (dso === undefined || receiver === null || amount === null) return null;
  const none = { values: {} };
  const transfer = {
    sender,
    receiver,
    // The kind depends on the parties only: one request per receiver.
    amount: '1.0',
    instrumentId: { admin: dso, id: 'Amulet' },
    requestedAt: '2000-01-01T00:00:00Z',
    executeBefore: '9000-01-01T00:00:00Z',
    inputHoldingCids: [],
    meta: none,
  };
  const choiceArguments = { expectedAdmin: dso, transfer, extraArgs: { context: none, meta: none } };
  return post('registry/transfer-instruction/v1/transfer-factory', { choiceArguments, excludeDebugFields: true });
}

function sendCall(draft: Draft, receiver: string | null, amount: Amount | null, token: string): Call | null {
  if (receiver === null || amount === null) return null;
  const body = {
    receiver_party_id: receiver,
    amount: Amount.short(amount),
    description: draft.text.value,
    expires_at: Number(endOf(draft.hours.value)),
    tracking_id: draft.trackingId.value,
  };
  return post('v0/wallet/token-standard/transfers', body, token);
}

function endOf(hours: string): Instant {
  const minute = 60_000_000n;
  const end = ledgerNow.value + BigInt(hours) * HOUR;
  // Whole minutes, so that the request does not change each second. A time plus a span is a time.
  return (end - (end % minute)) as Instant;
}

function doneText({ transfer_instruction_cid }: TransferMade['output'], amount: string, receiver: string): string {
  const what = `${amount} CC`;
  return transfer_instruction_cid === undefined
    ? `Paid ${what} to ${hintOf(receiver)}`
    : `Offered ${what} to ${hintOf(receiver)}`;
}

interface PreviewProps {
  readonly factory: Resource<FactoryFound>;
  readonly inputs: Inputs | null;
  readonly amount: ReadonlySignal<Amount | null>;
  readonly receiver: ReadonlySignal<string | null>;
  readonly isShort: boolean;
  readonly hours: Signal<string>;
}

function Preview({ factory, inputs, amount, receiver, isShort, hours }: PreviewProps): JSX.Element {
  const kind = factory.body.value?.transferKind;
  const problem = factory.problem.value;
  const sum = amount.value;
  if (problem) return <Failure problem={problem} />;
  if (kind === undefined || sum === null || receiver.value === null || inputs === null || isShort)
    return <p class="preview quiet">With a receiver and an amount, this place shows what will happen.</p>;
  const name = hintOf(receiver.value);
  const change = Amount.sub(inputs.total, sum);
  return (
    <div class="preview" role="status">
      <p>
        {kind === 'offer' ? (
          <>
            <strong>An offer.</strong> The coin is locked until <bdi>{name}</bdi> accepts or rejects it, or until{' '}
            {shownTime(endOf(hours.value))} UTC. You can withdraw it before.
          </>
        ) : kind === 'direct' ? (
          <>
            <strong>One step.</strong> <bdi>{name}</bdi> has a preapproval: the coin arrives at once.
          </>
        ) : (
          <>
            <strong>To yourself.</strong> Your coins become one coin of this amount and one with the rest.
          </>
        )}
      </p>
      <p>
        It uses {inputs.count === 1 ? 'your 1 coin' : `${inputs.count} coins`}
        {inputs.left > 0 ? ` of ${inputs.count + inputs.left}` : ''};{' '}
        {change > 0n ? (
          <>
            <Coin amount={Amount.format(change)} unit="CC" /> come back as one coin.
          </>
        ) : (
          'nothing comes back.'
        )}
      </p>
    </div>
  );
}
