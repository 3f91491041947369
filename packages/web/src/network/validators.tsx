import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { get } from '../api/call.js';
import type { LicenseList, RewardTotals, TrafficTotals } from '../api/shapes.js';
import { grouped } from '../format/amounts.js';
import { Card } from '../parts/card.js';
import { Rows } from '../parts/rows.js';
import { Empty, Loaded } from '../parts/states.js';
import { Coin, Party } from '../parts/values.js';
import { useLicenses } from '../store/network.js';
import { OF_MOMENT, useResource, type Resource } from '../store/resource.js';

const MOST = 1_000;

interface ValidatorRow {
  readonly validator: string;
  readonly sponsor: string;
  readonly rounds: string;
  readonly version: string;
  /** Up to the last closed round; null without any. */
  readonly rewards: string | null;
  readonly bytes: number;
  readonly spent: string | null;
}

export function Validators(): JSX.Element {
  const licenses = useLicenses();
  const last = useResource<{ readonly round: number }>(() => get('v0/round-of-latest-data'), {
    follows: () => [{ templates: ['IssuingMiningRound', 'ClosedMiningRound'] }],
  });
  const round = useComputed(() => last.body.value?.round ?? null);
  const upTo = <Body,>(path: string): Resource<Body> =>
    useResource<Body>(
      () => (round.value === null ? null : get(`v0/${path}?round=${round.value}&limit=${MOST}`)),
      OF_MOMENT,
    );
  const rewards = upTo<RewardTotals>('top-validators-by-validator-rewards');
  const traffic = upTo<TrafficTotals>('top-validators-by-purchased-traffic');
  return (
    <Card title="Validators" aside={round.value === null ? 'no round has closed' : `up to round ${round.value}`}>
      <Loaded resource={licenses} what="the validators">
        {(found) => {
          const rows = rowsOf(found, rewards.body.value, traffic.body.value);
          return rows.length === 0 ? <Empty title="The network has no validator" /> : <ValidatorRows rows={rows} />;
        }}
      </Loaded>
    </Card>
  );
}

function rowsOf(
  licenses: LicenseList,
  rewards: RewardTotals | null,
  traffic: TrafficTotals | null,
): readonly ValidatorRow[] {
  const earned = new Map(rewards?.validatorsAndRewards.map(({ provider, rewards: sum }) => [provider, sum]));
  const bought = new Map(traffic?.validatorsByPurchasedTraffic.map((one) => [one.validator, one]));
  return licenses.validator_licenses.map(({ payload: { validator, sponsor, faucetState, metadata } }) => ({
    validator,
    sponsor,
    rounds: faucetState === null ? 'none yet' : roundsText(faucetState),
    version: metadata?.version ?? '',
    rewards: earned.get(validator) ?? null,
    bytes: bought.get(validator)?.totalTrafficPurchased ?? 0,
    spent: bought.get(validator)?.totalCcSpent ?? null,
  }));
}

type Faucet = NonNullable<LicenseList['validator_licenses'][number]['payload']['faucetState']>;

function roundsText({ firstReceivedFor, lastReceivedFor, numCouponsMissed }: Faucet): string {
  const missed = numCouponsMissed === '0' ? '' : `, ${numCouponsMissed} missed`;
  return `${firstReceivedFor.number} to ${lastReceivedFor.number}${missed}`;
}

function ValidatorRows({ rows }: { readonly rows: readonly ValidatorRow[] }): JSX.Element {
  return (
    <Rows<ValidatorRow>
      label="Validators"
      rows={rows}
      keyOf={({ validator }) => validator}
      columns={[
        { title: 'Validator', cell: ({ validator }) => <Party id={validator} canCopy /> },
        { title: 'Sponsor', cell: ({ sponsor }) => <Party id={sponsor} /> },
        { title: 'Active in rounds', cell: ({ rounds }) => rounds },
        { title: 'Rewards', isNumber: true, cell: ({ rewards }) => <Coin amount={rewards ?? '0.0'} unit="CC" /> },
        { title: 'Traffic bought', isNumber: true, cell: ({ bytes }) => `${grouped(bytes)} bytes` },
        { title: 'Paid for traffic', isNumber: true, cell: ({ spent }) => <Coin amount={spent ?? '0.0'} unit="CC" /> },
        { title: 'Version', width: '6rem', cell: ({ version }) => version },
      ]}
    />
  );
}
