import { ALL, ROUNDS_PER_DAY, TOLERANCE, verdictOfRuns, type Moment } from '@coinlab/sim';
import { withInterval } from './numbers.js';
import type { ReportRun } from './run.js';

export function verdictText({ series }: ReportRun): string {
  const replicates = new Map<number, Moment[]>();
  for (const row of series) {
    if (row['group'] !== ALL) continue;
    const replicate = Number(row['replicate']);
    const moments = replicates.get(replicate) ?? [];
    moments.push([Number(row['round']) / ROUNDS_PER_DAY, Number(row['utxosPerParty.mean'])]);
    replicates.set(replicate, moments);
  }
  const verdict = verdictOfRuns([...replicates.values()]);
  if (verdict === null) return 'Too few samples to tell whether UTXOs grow.';
  const rate = `${withInterval(verdict.slope)} UTXOs per party and day`;
  return verdict.trend === 'undecided'
    ? `UTXOs: undecided, ${rate}.`
    : `UTXOs: ${verdict.trend}, ${rate}; stable is within ±${TOLERANCE}.`;
}
