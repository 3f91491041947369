import { isFound, type LedgerTrial } from './trial.ts';

/** Returns the part of the faults page about ledgers of plain coins. */
export function ledgersSection(trials: readonly LedgerTrial[], seeds: readonly number[]): readonly string[] {
  const bugs = trials.flatMap((trial) => trial.bugs);
  const found = bugs.filter(isFound).length;
  return [
    '## Ledgers of plain coins',
    '',
    '`checkCoinLedger` looks for the usual mistakes in small ledgers of different styles, which share no code with the core:',
    '[test/testing/ledgers](../../test/testing/ledgers/specimens.ts). It takes at most a thousand random runs for each seed.',
    '',
    `**${found} of ${bugs.length} found** with each of the seeds ${seeds.join(', ')}, shrunk to at most six commands, and replayed from their tokens in another process.`,
    'The same ledgers without a mistake pass, and so do correct ledgers with fees, minimum amounts, merges on receipt and other',
    '[unusual rules](../../test/testing/ledgers/oddities.ts).',
    '',
    '| Ledger | Style | Found | Commands | Runs |',
    '| ------ | ----- | ----: | -------: | ---: |',
    ...trials.map(ledgerRow),
    '',
    '_Commands_ and _Runs_ are the largest numbers over all mistakes and seeds.',
    '',
  ];
}

function ledgerRow({ specimen: { folder, style }, accusation, bugs }: LedgerTrial): string {
  const runs = bugs.flatMap((bug) => bug.runs.map((count) => count ?? 0));
  return `| ${[
    folder,
    accusation === null ? style : `${style}; **fails without a mistake**`,
    `${bugs.filter(isFound).length} of ${bugs.length}`,
    Math.max(...bugs.map(({ commands }) => commands)),
    Math.max(...runs),
  ].join(' | ')} |`;
}
