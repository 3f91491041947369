import { Amount } from '@coinlab/core';
import type { ColumnChoice, Imported, ImportSummary } from '@coinlab/lab';
import { grouped, table } from '../table.js';

interface Shown {
  readonly out: string;
  readonly parties: string;
  readonly rejects: string;
  readonly unit: string;
  readonly zone: string;
  readonly openings: string;
  readonly round: number;
}

const MOST_REASONS = 10;

export function importText(file: string, { summary }: Imported, shown: Shown): string {
  const { fromOutside, toOutside, rounded } = summary;
  const facts: readonly (readonly [name: string, text: string] | null)[] = [
    ['payments', `${count(summary.payments)}${periodText(summary, shown)}`],
    summary.withoutZone === 0
      ? null
      : ['', `${many(summary.withoutZone, 'time')} without a zone read as ${shown.zone}`],
    summary.outOfOrder === 0
      ? null
      : ['', `${many(summary.outOfOrder, 'row')} earlier than the row before; the trace is sorted by time`],
    [
      'parties',
      `${count(summary.parties)}${summary.renamed === 0 ? '' : `, ${count(summary.renamed)} with another name than in the file`}: ${shown.parties}`,
    ],
    fromOutside + toOutside === 0
      ? null
      : [
          'outside',
          `${many(fromOutside, 'payment')} from outside (minted), ${count(toOutside)} to the outside (party outside)`,
        ],
    ['sum', `${coin(summary.sum)} coin; 1 of the file is ${shown.unit} coin`],
    rounded === 0 ? null : ['', `${many(rounded, 'amount')} with more than ten decimals rounded half-even`],
    ['funding', fundingText(summary, shown)],
    [
      'rejected',
      `${count(summary.rejected)} of ${count(summary.rows)} rows${summary.rejected === 0 ? '' : `: ${shown.rejects}`}`,
    ],
    ...summary.reasons
      .slice(0, MOST_REASONS)
      .map(({ rows, field, reason }) => ['', `${count(rows)} × ${field} ${reason}`] as const),
    ['written', `${shown.out}, ${count(summary.payments + summary.funding.coins)} rows`],
  ];
  const lines = facts.flatMap((fact) => (fact === null ? [] : [`${fact[0].padEnd(10)}${fact[1]}\n`]));
  return [
    `${file}: ${summary.kind}, ${count(summary.rows)} rows\n\n`,
    table<ColumnChoice>(
      [
        { title: 'field', cell: ({ field }) => field },
        { title: 'column', cell: ({ columns }) => columns.join(' + ') },
        { title: 'chosen', cell: ({ isGuessed }) => (isGuessed ? 'guessed from its name' : 'by --map') },
      ],
      summary.columns,
    ),
    '\n',
    ...lines,
    `\nNext: coinlab replay ${shown.out} --compare all\n`,
  ].join('');
}

function periodText({ period, rounds }: ImportSummary, { round }: Shown): string {
  if (period === null)
    return `, in the order of the file: no column has times; ${many(rounds, 'round')} of 50 payments`;
  const [first, last] = [period.first, period.last].map((micros) =>
    new Date(micros / 1000).toISOString().replace(/\.\d+Z/, 'Z'),
  );
  return `, ${first} to ${last}; ${many(rounds, 'round')} of ${round} minutes`;
}

function fundingText({ funding }: ImportSummary, { openings }: Shown): string {
  const held = `${coin(funding.coin)} coin, ${funding.coins === funding.parties ? 'one coin each' : many(funding.coins, 'coin')} of ${funding.parties === 1 ? '1 party' : `${count(funding.parties)} parties`} at the start`;
  const able =
    funding.payments === 0
      ? 'every payment can be made'
      : `${many(funding.payments, 'payment')} above the sender’s balance, ${coin(funding.missing)} coin in total, which a replay skips`;
  return `${openings}: ${held}; ${able}`;
}

function coin(amount: Amount): string {
  return grouped(Amount.short(amount));
}

function count(number: number): string {
  return grouped(number);
}

function many(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}
