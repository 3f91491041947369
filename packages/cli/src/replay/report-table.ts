import { Amount } from '@coinlab/core';
import { LEAST_COMPLETED, shareOf, type NetworkReport, type RunReport } from '@coinlab/sim';
import { grouped, table, type Column } from '../table.js';

function isNetwork(report: RunReport): report is NetworkReport {
  return 'transfers' in report;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

export function runTable(report: RunReport): string {
  const lines: readonly (readonly [name: string, value: string | number])[] = [
    ['policy', report.policy],
    ['input cap', report.cap ?? 'none'],
    ['merging', report.mergeThreshold === null ? 'never' : `above ${report.mergeThreshold} UTXOs`],
    ['rows', report.rows],
    [isNetwork(report) ? 'mints' : 'receipts', report.receipts],
    ['payments, requested', requestedOf(report)],
    ['payments, completed', report.payments],
    [isNetwork(report) ? '… above the balance' : '… unpaid', report.unpaid],
    ['UTXOs, mean', report.meanUtxos.toFixed(6)],
    ['UTXOs, most', report.maxUtxos],
    ['UTXOs, at the end', report.finalUtxos],
    ['change created', report.changeCreated],
    ['inputs spent', report.inputsSpent],
    ['inputs, mean', report.meanInputs.toFixed(6)],
    ['inputs, most', report.maxInputs],
    ['inputs, p50 / p90 / p95 / p99', Object.values(report.inputQuantiles).map(grouped).join(' / ')],
    ['payments with one input', percent(report.singleInputShare)],
    ['first row over the cap', report.firstRowOverCap ?? 'none'],
    ['payments over 100 inputs', report.paymentsOver100Inputs],
    ['merges', `${grouped(report.merges)} of ${grouped(report.mergeInputs)} inputs`],
    ['… for the cap', report.capMerges],
    ['expired as dust', report.expired],
    ...(isNetwork(report)
      ? ([
          ['party-rounds over 10 UTXOs', percent(report.shareOfPartyRoundsOver10)],
          ['parties over 10 at the end', report.partiesOver10Final],
        ] as const)
      : []),
    ['minted', coin(report.minted)],
    ['burned', coin(report.burned)],
    ['balance at the end', coin(report.finalBalance)],
    ['seed', String(report.seed)],
    ['log SHA-256', report.logHash],
    ['state SHA-256', report.stateHash],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines
    .map(([name, value]) => `${name.padEnd(width)}  ${typeof value === 'number' ? grouped(value) : value}\n`)
    .join('');
}

export function compareTable(reports: readonly RunReport[]): string {
  const columns: Column<RunReport>[] = [
    { title: 'policy', cell: ({ policy }) => policy },
    { title: 'UTXOs mean', cell: ({ meanUtxos }) => grouped(meanUtxos.toFixed(6)) },
    { title: 'most', cell: ({ maxUtxos }) => maxUtxos },
    { title: 'end', cell: ({ finalUtxos }) => finalUtxos },
    { title: 'change', cell: ({ changeCreated }) => changeCreated },
    { title: 'inputs', cell: ({ inputsSpent }) => inputsSpent },
    { title: 'mean', cell: ({ meanInputs }) => meanInputs.toFixed(3) },
    { title: 'most', cell: ({ maxInputs }) => maxInputs },
    { title: 'merges', cell: ({ merges }) => merges },
    { title: 'their inputs', cell: ({ mergeInputs }) => mergeInputs },
    { title: 'for the cap', cell: ({ capMerges }) => capMerges },
    { title: 'expired', cell: ({ expired }) => expired },
    { title: 'requested', cell: requestedOf },
    { title: 'completed', cell: ({ payments }) => payments },
  ];
  const network: Column<NetworkReport>[] = [
    { title: 'over 10', cell: ({ shareOfPartyRoundsOver10 }) => percent(shareOfPartyRoundsOver10) },
    { title: 'parties', cell: ({ partiesOver10Final }) => partiesOver10Final },
  ];
  return reports.every(isNetwork) ? table([...columns, ...network], reports) : table(columns, reports);
}

export function starvedPolicies(reports: readonly RunReport[]): string {
  const starved = reports.filter(
    (report) => shareOf({ requested: requestedOf(report), completed: report.payments }) < LEAST_COMPLETED,
  );
  return starved
    .map(
      (report) =>
        `✗ ${report.policy} is starved: ${grouped(report.payments)} of ${grouped(requestedOf(report))} requested payments were completed (${percent(report.payments / requestedOf(report))}, expected at least ${percent(LEAST_COMPLETED)}): the others exceeded the balance; give the wallets more coin\n`,
    )
    .join('');
}

function requestedOf({ payments, unpaid }: RunReport): number {
  return payments + unpaid;
}

function coin(amount: Amount): string {
  return `${grouped(Amount.format(amount))} CC`;
}
