import {
  DEFAULT_SETTINGS,
  describeFault,
  POLICY_NAMES,
  replayNetwork,
  reportJson,
  TARGET_UTXOS,
  type NetworkFile,
  type NetworkReport,
} from '@coinlab/sim';
import { readInput, SAMPLE_NETWORK } from '@coinlab/sim/files';
import { progressOf } from '../progress.js';
import { percent } from './report-table.js';
import { grouped, table } from '../table.js';
import type { Terminal } from '../terminal.js';

interface Pair {
  readonly never: NetworkReport;
  readonly merging: NetworkReport;
}

export function overviewCommand(
  { json, quiet }: { readonly json?: true; readonly quiet?: true },
  terminal: Terminal,
): void {
  const input = readInput(SAMPLE_NETWORK);
  if (!input.ok) throw new Error(describeFault(input.error));
  if (input.value.kind !== 'network') throw new Error(`${SAMPLE_NETWORK} is not a network`);
  const file = input.value;
  const progress = progressOf('replay', file.rows.length * POLICY_NAMES.length * 2, terminal.isInteractive && !quiet);
  let done = 0;
  const run = (policy: (typeof POLICY_NAMES)[number], mergeThreshold: number | null): NetworkReport => {
    const settings = { ...DEFAULT_SETTINGS, policy, mergeThreshold };
    const { report } = replayNetwork(file, settings, json ? () => undefined : null, {
      onProgress: (rows) => progress.update(done + rows),
    });
    done += file.rows.length;
    return report;
  };
  let pairs: readonly Pair[];
  try {
    pairs = POLICY_NAMES.map((policy) => ({ never: run(policy, null), merging: run(policy, TARGET_UTXOS) }));
  } finally {
    progress.end();
  }
  if (json)
    terminal.out(pairs.flatMap(({ never, merging }) => [never, merging].map((r) => `${reportJson(r)}\n`)).join(''));
  else terminal.out(overview(file, pairs));
}

function overview(file: NetworkFile, pairs: readonly Pair[]): string {
  const users = file.parties.length;
  const rounds = new Set(file.rows.map(({ round }) => round)).size;
  const perUser = ({ meanUtxos }: NetworkReport): string => (meanUtxos / users).toFixed(2);
  const text = table<Pair>(
    [
      { title: 'policy', cell: ({ never }) => never.policy },
      { title: 'per user', cell: ({ never }) => perUser(never) },
      { title: 'most', cell: ({ never }) => never.maxUtxos },
      { title: `over ${TARGET_UTXOS}`, cell: ({ never }) => percent(never.shareOfPartyRoundsOver10) },
      { title: '│', cell: () => '│' },
      { title: 'per user', cell: ({ merging }) => perUser(merging) },
      { title: 'most', cell: ({ merging }) => merging.maxUtxos },
      { title: `over ${TARGET_UTXOS}`, cell: ({ merging }) => percent(merging.shareOfPartyRoundsOver10) },
      { title: 'merges', cell: ({ merging }) => merging.merges },
      { title: '│', cell: () => '│' },
      { title: 'requested', cell: ({ never }) => never.payments + never.unpaid },
      { title: 'completed', cell: ({ never, merging }) => Math.min(never.payments, merging.payments) },
    ],
    pairs,
  );
  const [header = '', ...lines] = text.split('\n');
  const bar = header.indexOf('│');
  const groups =
    `${''.padEnd(header.indexOf('per user'))}without merging`.padEnd(bar) +
    `│  merging above ${TARGET_UTXOS}`.padEnd(header.lastIndexOf('│') - bar) +
    '│  payments';
  return [
    `UTXO growth of ${grouped(users)} users over ${grouped(rounds)} rounds, ${grouped(file.rows.length)} mints and transfers through the ledger`,
    'per user: mean UTXOs of a user; most: largest total; over 10: share of users above the target at the ends of rounds',
    '',
    groups,
    header,
    ...lines,
    verdict(users, pairs),
    '',
  ].join('\n');
}

function verdict(users: number, pairs: readonly Pair[]): string {
  const withinAlone = pairs
    .filter(({ never }) => never.shareOfPartyRoundsOver10 === 0)
    .map(({ never }) => never.policy);
  const best = pairs.reduce((a, b) =>
    b.never.shareOfPartyRoundsOver10 < a.never.shareOfPartyRoundsOver10 ? b : a,
  ).never;
  const isKept = pairs.every(({ merging }) => merging.shareOfPartyRoundsOver10 === 0);
  const fewest = pairs.reduce((a, b) => (b.merging.merges < a.merging.merges ? b : a)).merging;
  const alone =
    withinAlone.length > 0
      ? `Without merging only ${withinAlone.join(', ')} keeps every user at ${TARGET_UTXOS} UTXOs`
      : `No policy alone keeps every user at ${TARGET_UTXOS} UTXOs (${best.policy} comes closest: ${percent(best.shareOfPartyRoundsOver10)} of users above it, ${(best.meanUtxos / users).toFixed(2)} on average)`;
  return isKept
    ? `${alone}; merging above ${TARGET_UTXOS} does, with every policy, for as few as ${grouped(fewest.merges)} merges (${fewest.policy}).`
    : `${alone}; merging above ${TARGET_UTXOS} does not for every policy either.`;
}
