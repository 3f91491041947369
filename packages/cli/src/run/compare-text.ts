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

/** A comparison as two tables, what was found and how much more than with the first, and the answer. */
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
  const head = `${name}${group === null ? '' : `, ${group}`}, seed ${seed}: ${replicates} ${replicates === 1 ? 'replicate' : 'replicates'} each, asked for the same payments`;
  const differences =
    others.length === 0
      ? ''
      : `\nmore than with ${choices[0]?.choice ?? ''}, replicate by replicate\n\n${tableOf('policy', others)}`;
  const intervals = replicates > 1 ? '; mean ± half-width of the 95 % interval' : '';
  return `${head}${intervals}\n\n${means}${differences}\n${answer(choices)}`;
}

/** Which policy keeps users under 10 UTXOs, and what does it cost? */
function answer(choices: readonly ComparedChoice[]): string {
  const cheapest = cheapestUnderTen(choices);
  if (!cheapest) return 'None of them keeps users under 10 UTXOs (95 % of all observations of a party at most 10).\n';
  const { means, differences } = cheapest;
  const many = choices.filter(keepsUnderTen).length;
  const more =
    differences === null
      ? ''
      : `\nOn the same payments that is ${cell('traffic.coin', differences['traffic.coin'])} coin more than with ${choices[0]?.choice ?? ''}.`;
  return `${many} of ${choices.length} ${many === 1 ? 'keeps' : 'keep'} users under 10 UTXOs (95 % of all observations of a party at most 10). The cheapest by traffic:
${cheapest.choice}, with ${cell('merges', means.merges)} merges and ${cell('traffic.bytes', means['traffic.bytes'])} MB of traffic, which cost ${cell('traffic.coin', means['traffic.coin'])} coin.${more}
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
