import { bugName } from './specimen.ts';
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
    ...trials.flatMap(ledgerTable),
  ];
}

function ledgerTable({ specimen: { folder, style }, accusation, bugs }: LedgerTrial): readonly string[] {
  return [
    `### ${folder}`,
    '',
    `${style[0]?.toUpperCase()}${style.slice(1)}. Without a mistake it ${accusation === null ? 'passes' : '**fails**'}.`,
    '',
    '| Mistake | Runs | Commands | Replay |',
    '| ------- | ---: | -------: | ------ |',
    ...bugs.map((trial) => {
      const runs = trial.runs.map((count) => count ?? '**not found**').join(' · ');
      return `| ${bugName(trial.bug)} | ${runs} | ${trial.commands} | ${trial.isReplayed ? 'same' : '**differs**'} |`;
    }),
    '',
  ];
}
