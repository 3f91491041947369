import {
  cheapestUnderTen,
  COMPARED,
  keepsUnderTen,
  type Compared,
  type ComparedChoice,
  type Interval,
  type Scenario,
} from '@coinlab/sim';
import { intervalText } from '../interval-text.js';
import { table } from '../table.js';

const TITLES: Readonly<Record<Compared, string>> = {
  'utxosPerParty.mean': 'UTXOs per party',
  'utxosPerParty.p95': 'p95',
  'utxosPerParty.over10': 'share over 10',
  merges: 'merges',
  'traffic.bytes': 'traffic, MB',
  'traffic.coin': 'traffic, coin',
  capHits: 'cap hits',
  'dust.expiredValue': 'expired coin',
  'payments.made': 'payments',
};

export function comparisonText(
  { name, seed }: Scenario,
  group: string | null,
  replicates: number,
  choices: readonly ComparedChoice[],
): string {
  const means = tableOf(
    'policy',
    choices.map(({ choice, means: own }) => [choice, own]),
  );
  const others = choices.flatMap(({ choice, differences }) =>
    differences === null ? [] : [[choice, differences] as const],
  );
  const head = `${name}${group === null ? '' : `, ${group}`}, seed ${seed}: ${replicates} ${replicates === 1 ? 'replicate' : 'replicates'} each, with the same payment requests`;
  const differences =
    others.length === 0
      ? ''
      : `\ndifference to ${choices[0]?.choice ?? ''} per replicate\n\n${tableOf('policy', others)}`;
  const intervals = replicates > 1 ? '; mean ± half-width of the 95 % interval' : '';
  return `${head}${intervals}\n\n${means}${differences}\n${answer(choices)}`;
}

function answer(choices: readonly ComparedChoice[]): string {
  const cheapest = cheapestUnderTen(choices);
  if (!cheapest) return 'No policy keeps users under 10 UTXOs (at most 10 in 95 % of a party’s observations).\n';
  const { means, differences } = cheapest;
  const many = choices.filter(keepsUnderTen).length;
  const more =
    differences === null
      ? ''
      : `\nWith the same payments that is ${cell('traffic.coin', differences['traffic.coin'])} coin more than with ${choices[0]?.choice ?? ''}.`;
  return `${many} of ${choices.length} ${many === 1 ? 'keeps' : 'keep'} users under 10 UTXOs (at most 10 in 95 % of a party’s observations). The one with the least traffic is
${cheapest.choice}, with ${cell('merges', means.merges)} merges and ${cell('traffic.bytes', means['traffic.bytes'])} MB of traffic, at a cost of ${cell('traffic.coin', means['traffic.coin'])} coin.${more}
`;
}

function tableOf(
  title: string,
  rows: readonly (readonly [name: string, figures: Readonly<Record<Compared, Interval>>])[],
): string {
  type Row = (typeof rows)[number];
  return table<Row>(
    [
      { title, cell: ([choice]) => choice },
      ...COMPARED.map((metric) => ({
        title: TITLES[metric],
        cell: ([, figures]: Row) => cell(metric, figures[metric]),
      })),
    ],
    rows,
  );
}

function cell(metric: Compared, interval: Interval): string {
  return intervalText(metric === 'traffic.bytes' ? scaled(interval, 1e-6) : interval);
}

function scaled({ mean, low, high, halfWidth, ...rest }: Interval, factor: number): Interval {
  const by = (value: number | null): number | null => (value === null ? null : value * factor);
  return { ...rest, mean: mean * factor, low: by(low), high: by(high), halfWidth: by(halfWidth) };
}
