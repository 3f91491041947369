import { Amount } from '@coinlab/core';
import type { GroupFigures } from './group-figures.js';
import type { Cell, TableColumn } from './table.js';

export const SERIES: readonly TableColumn[] = [
  { name: 'round', kind: 'count' },
  { name: 'group', kind: 'text' },
  { name: 'parties', kind: 'count' },
  { name: 'utxos', kind: 'count' },
  { name: 'utxosPerParty.mean', kind: 'ratio' },
  { name: 'utxosPerParty.p05', kind: 'count' },
  { name: 'utxosPerParty.p50', kind: 'count' },
  { name: 'utxosPerParty.p95', kind: 'count' },
  { name: 'utxosPerParty.max', kind: 'count' },
  { name: 'utxosPerParty.over10', kind: 'ratio' },
  { name: 'locked', kind: 'count' },
  { name: 'pending', kind: 'count' },
  { name: 'transfers', kind: 'count' },
  { name: 'merges', kind: 'count' },
  { name: 'mergeInputs', kind: 'count' },
  { name: 'dust.expired', kind: 'count' },
  { name: 'dust.expiredValue', kind: 'coin' },
  { name: 'traffic.bytes', kind: 'count' },
];

export function sampleOf(figures: GroupFigures, round: number, group: string, parties: number): Cell[] {
  const { now } = figures;
  figures.sample();
  return [
    round,
    group,
    parties,
    now.sum,
    now.mean,
    now.quantile(0.05),
    now.quantile(0.5),
    now.quantile(0.95),
    now.max,
    now.shareAbove(10),
    figures.locked,
    figures.pending,
    figures.transfers,
    figures.merges,
    figures.mergeInputs,
    figures.dustExpired,
    Amount.ofUnits(figures.dustExpiredValue),
    figures.bytes,
  ];
}
