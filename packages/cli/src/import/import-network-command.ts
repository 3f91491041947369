import { Amount } from '@coinlab/core';
import { importUpdates, networkLines, type ImportedUpdates, type UpdatesSummary } from '@coinlab/lab';
import { DEFAULT_SETTINGS, replayNetwork } from '@coinlab/sim';
import { PendingFile } from '@coinlab/sim/files';
import { BadInput } from '../exit-code.js';
import { requireLogFile, requireOutFile } from '../out-folder.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';
import { pagesOf, type PageFlags } from './update-pages.js';
import { writeWhole } from './write-whole.js';

export interface ImportNetworkFlags extends PageFlags {
  readonly out: string;
  readonly log?: string;
  readonly round: number;
  readonly overwrite?: true;
  readonly json?: true;
}

const MOST_REJECTED = 5;

export async function importNetworkCommand(
  sources: readonly string[],
  flags: ImportNetworkFlags,
  terminal: Terminal,
): Promise<void> {
  const { out, log, round, overwrite } = flags;
  requireOutFile('--out', out, { overwrite });
  if (log !== undefined) requireLogFile(log, { overwrite });
  const imported = importUpdates(await pagesOf(sources, flags), round);
  if (!imported.ok) throw new BadInput(imported.error);
  writeWhole(out, networkLines(imported.value.lines()));
  if (log !== undefined) writeLog(log, imported.value);
  const { summary } = imported.value;
  terminal.out(flags.json ? `${JSON.stringify({ ...summary, out }, amountText)}\n` : summaryText(summary, flags));
}

/** Replays the payments on a new ledger, because the pages lack contracts from before their first update. */
function writeLog(name: string, { network }: ImportedUpdates): void {
  const file = new PendingFile(name);
  try {
    replayNetwork(network(), DEFAULT_SETTINGS, (segment) => file.write(segment));
    file.commit();
  } catch (error) {
    file.discard();
    throw error;
  }
}

function amountText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Amount.format(Amount.ofUnits(value)) : value;
}

function summaryText(summary: UpdatesSummary, { out, log, round }: ImportNetworkFlags): string {
  const { transactions, reassignments, payments, minted, parties, period, rounds, rejected } = summary;
  const [first, last] = [period.first, period.last].map((micros) => new Date(micros / 1000).toISOString());
  const coin = (amount: Amount): string => `${grouped(Amount.short(amount))} coin`;
  const lines: readonly (readonly [name: string, text: string])[] = [
    ['updates', `${grouped(transactions)} transactions, ${grouped(reassignments)} reassignments`],
    [
      'payments',
      `${grouped(payments)} (${grouped(minted)} of them minted), ${first} to ${last}; ${grouped(rounds)} rounds of ${round} minutes`,
    ],
    ['parties', grouped(parties)],
    ['sum', coin(summary.sum)],
    ['funding', `${coin(summary.opening)} from before the first page`],
    ['burned', `${coin(summary.burned)} in fees, traffic and dust, which a replay leaves with the payers`],
    ['rejected', `${grouped(rejected.length)} transactions`],
    ...rejected.slice(0, MOST_REJECTED).map(({ updateId, reason }) => ['', `${updateId}: ${reason}`] as const),
    ['written', log === undefined ? out : `${out} and its log ${log}`],
  ];
  const next = log === undefined ? '' : `      coinlab serve --from ${log}\n`;
  return `${lines.map(([name, text]) => `${name.padEnd(10)}${text}\n`).join('')}\nNext: coinlab replay ${out} --compare all\n${next}`;
}
