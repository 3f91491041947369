import {
  cheapestUnderTen,
  COMPARED,
  keepsUnderTen,
  type Compared,
  type ComparedChoice,
  type Interval,
  type Scenario,
} from '@coinlab/sim';
import { intervalText, simultaneousText } from '../interval-text.js';
import { isStarved, starvedText } from './completion-text.js';
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
  'payments.asked': 'requested',
  'payments.made': 'completed',
};

interface Comparison {
  readonly scenario: Scenario;
  readonly group: string | null;
  readonly replicates: number;
  readonly minCompleted: number;
  readonly oneHistory: string;
}

export function comparisonText(
  choices: readonly ComparedChoice[],
  { scenario: { name, seed }, group, replicates, minCompleted, oneHistory }: Comparison,
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
      : `\ndifference to ${choices[0]?.choice ?? ''} per replicate${replicates > 1 ? simultaneousText(others.length) : ''}\n\n${tableOf('policy', others)}`;
  const intervals = replicates > 1 ? '; mean ± half-width of the 95 % interval, [low, high] if skewed' : '';
  const starved = choices.filter(({ completion }) => isStarved(completion, minCompleted));
  const notes = starved.map(
    ({ choice, completion, failures }) => `✗ ${choice} is ${starvedText(completion, failures, minCompleted)}\n`,
  );
  const judged = choices.filter((choice) => !starved.includes(choice));
  const verdict = judged.length === 0 ? 'No verdict: every policy is starved.\n' : answer(judged, choices);
  return [`${head}${intervals}\n\n${means}${differences}\n`, oneHistory, ...notes, verdict].join('');
}

function answer(judged: readonly ComparedChoice[], choices: readonly ComparedChoice[]): string {
  const cheapest = cheapestUnderTen(judged);
  if (!cheapest) return 'No policy keeps users under 10 UTXOs (at most 10 in 95 % of a party’s observations).\n';
  const { means, differences } = cheapest;
  const many = judged.filter(keepsUnderTen).length;
  const more =
    differences === null
      ? ''
      : `\nWith the same payments that is ${coinText(differences['traffic.coin'])} than with ${choices[0]?.choice ?? ''}.`;
  return `${many} of ${choices.length} ${many === 1 ? 'keeps' : 'keep'} users under 10 UTXOs (at most 10 in 95 % of a party’s observations). The one with the least traffic is
${cheapest.choice}, with ${cell('merges', means.merges)} merges and ${cell('traffic.bytes', means['traffic.bytes'])} MB of traffic, at a cost of ${cell('traffic.coin', means['traffic.coin'])} coin.${more}
`;
}

function coinText(difference: Interval): string {
  const { mean, low, high } = difference;
  const negated = { ...difference, mean: -mean, low: high === null ? null : -high, high: low === null ? null : -low };
  return mean < 0 ? `${cell('traffic.coin', negated)} coin less` : `${cell('traffic.coin', difference)} coin more`;
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
