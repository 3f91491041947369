import { Amount } from '@coinlab/core';
import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { get, post, send, type Call } from '../api/call.js';
import { newId } from '../api/ledger-calls.js';
import type { Balance, LicenseList, RulesFound, TrafficFound, TrafficRequestStatus } from '../api/shapes.js';
import { amountOf, grouped, shownAmount } from '../format/amounts.js';
import { hintOf } from '../format/parties.js';
import { Card } from '../parts/card.js';
import { Curl } from '../parts/curl.js';
import { Choice, Field } from '../parts/field.js';
import { Empty, Loaded } from '../parts/states.js';
import { Party } from '../parts/values.js';
import { ledgerNow } from '../store/live.js';
import { act } from '../store/notices.js';
import { openRoundsIn, operator, useLicenses, useRounds, useRules } from '../store/network.js';
import { moment } from '../store/route.js';
import { OF_MOMENT, useResource } from '../store/resource.js';
import type { WalletProps } from './wallet-props.js';

const HOUR = 3_600_000_000n;
const MEGABYTE = 1_000_000n;

export function Traffic({ party, token }: WalletProps): JSX.Element {
  const licenses = useLicenses();
  return (
    <Card title="Buy traffic">
      <Loaded resource={licenses} what="the validators">
        {(found) =>
          found.validator_licenses.length === 0 ? (
            <Empty title="The network has no validator" />
          ) : (
            <Purchase licenses={found} party={party} token={token} />
          )
        }
      </Loaded>
    </Card>
  );
}

interface PurchaseProps extends WalletProps {
  readonly licenses: LicenseList;
}

function Purchase({ licenses, party, token }: PurchaseProps): JSX.Element {
  const validators = licenses.validator_licenses.map(({ payload }) => payload.validator);
  const validator = useSignal(
    operator.value !== null && validators.includes(operator.value) ? operator.value : (validators[0] ?? ''),
  );
  const bytes = useSignal('1000000');
  const trackingId = useSignal(newId());
  const status = useSignal<string | null>(null);
  const rules = useRules();
  const rounds = useRounds();
  const balance = useResource<Balance>(() => get('v0/wallet/balance', token), {
    follows: () => [{ party }, { round: true }],
    bodyIn: ({ parties }) => parties?.get(party) ?? null,
  });
  const count = useComputed(() => (/^[1-9]\d{0,14}$/.test(bytes.value.trim()) ? BigInt(bytes.value.trim()) : null));
  const fees = feesIn(rules.body.value);
  const price = rounds.body.value === null ? null : (openRoundsIn(rounds.body.value)[0]?.price ?? null);
  const least = fees === null ? null : BigInt(fees.minTopupAmount);
  const cost =
    fees === null || price === null || count.value === null
      ? null
      : costOf(count.value, fees.extraTrafficPrice, amountOf(price));
  const owned = balance.body.value === null ? null : amountOf(balance.body.value.effective_unlocked_qty);
  const isTooSmall = count.value !== null && least !== null && count.value < least;
  const call =
    fees === null || count.value === null
      ? null
      : purchaseCall(validator.value, fees.domain, Number(count.value), trackingId.value, token);
  const canBuy = call !== null && !isTooSmall && moment.value === null;
  const buy = async (): Promise<void> => {
    if (call === null) return;
    const answer = await act(call, `Requested ${grouped(bytes.value)} bytes for ${hintOf(validator.value)}`);
    if (!answer.ok) return;
    status.value = 'waiting for the validator, which pays within a minute';
    status.value = await outcomeOf(trackingId.value, token);
    trackingId.value = newId();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canBuy) void buy();
      }}
    >
      <Choice
        label="Validator"
        value={validator}
        options={validators.map((one) => ({ value: one, label: hintOf(one) }))}
      />
      {fees === null ? null : <Current validator={validator.value} domain={fees.domain} />}
      <Field
        label="Bytes"
        value={bytes}
        inputMode="numeric"
        fault={
          count.value === null
            ? 'Type a whole number of bytes above zero.'
            : isTooSmall
              ? `A purchase has at least ${grouped(least ?? 0n)} bytes.`
              : null
        }
        hint={fees === null ? '' : `${fees.extraTrafficPrice} USD per megabyte`}
        isRequired
      />
      {cost === null ? null : (
        <p class="preview" role="status">
          {shownAmount(cost.coin)} CC ({shownAmount(cost.usd)} USD at {price} USD per coin)
          {owned !== null && owned < cost.coin ? (
            <strong class="bad">
              The wallet has only {shownAmount(owned)} CC, so the validator would refuse to pay.
            </strong>
          ) : null}
        </p>
      )}
      <button type="submit" class="main" disabled={!canBuy}>
        Buy traffic
      </button>
      {status.value === null ? null : <p role="status">The last request: {status.value}.</p>}
      {call === null ? null : <Curl call={call} />}
    </form>
  );
}

function feesIn(
  found: RulesFound | null,
): { readonly extraTrafficPrice: string; readonly minTopupAmount: string; readonly domain: string } | null {
  if (found === null) return null;
  const { contract, domain_id } = found.amulet_rules_update;
  const { fees } = contract.payload.configSchedule.initialValue.decentralizedSynchronizer;
  return { ...fees, domain: domain_id };
}

/** Like the network: rounded in dollars first, then converted to coin. */
function costOf(
  bytes: bigint,
  perMegabyte: string,
  coinPrice: Amount,
): { readonly usd: Amount; readonly coin: Amount } {
  const usd = Amount.div(Amount.times(amountOf(perMegabyte), bytes), Amount.ofWhole(MEGABYTE));
  return { usd, coin: Amount.div(usd, coinPrice) };
}

function purchaseCall(validator: string, domain: string, bytes: number, trackingId: string, token: string): Call {
  const body = {
    receiving_validator_party_id: validator,
    domain_id: domain,
    traffic_amount: bytes,
    tracking_id: trackingId,
    expires_at: Number(ledgerNow.value + HOUR - ((ledgerNow.value + HOUR) % 60_000_000n)),
  };
  return post('v0/wallet/buy-traffic-requests', body, token);
}

const POLLS = 40;
const POLL_MILLIS = 1_500;

async function outcomeOf(trackingId: string, token: string): Promise<string> {
  const call = post(`v0/wallet/buy-traffic-requests/${trackingId}/status`, undefined, token);
  for (let poll = 0; poll < POLLS; poll++) {
    const answer = await send<TrafficRequestStatus>(call, null);
    if (answer.ok && answer.body.status === 'completed') return 'paid';
    if (answer.ok && answer.body.status === 'failed')
      return answer.body.rejection_reason ?? answer.body.failure_reason ?? 'failed';
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
  }
  return 'still waiting; with a manual clock, advance the time';
}

function Current({ validator, domain }: { readonly validator: string; readonly domain: string }): JSX.Element | null {
  const wanted = useSignal(validator);
  wanted.value = validator;
  const member = useResource<{ readonly participant_id: string }>(
    () => get(`v0/domains/${domain}/parties/${encodeURIComponent(wanted.value)}/participant-id`),
    OF_MOMENT,
  );
  const traffic = useResource<TrafficFound>(
    () =>
      member.body.value === null
        ? null
        : get(`v0/domains/${domain}/members/${encodeURIComponent(member.body.value.participant_id)}/traffic-status`),
    { follows: () => [{ templates: ['MemberTraffic', 'MemberTrafficBalance'] }] },
  );
  const found = traffic.body.value?.traffic_status;
  if (!found) return null;
  return (
    <p class="quiet">
      <Party id={validator} /> has bought {grouped(found.target.total_purchased)} bytes and used{' '}
      {grouped(found.actual.total_consumed)}.
    </p>
  );
}
