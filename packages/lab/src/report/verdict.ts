import {
  ALL,
  doubtText,
  LEAST_COMPLETED,
  ROUNDS_PER_DAY,
  shareOf,
  TOLERANCE,
  verdictOfRuns,
  type Moment,
} from '@coinlab/sim';
import { shortNumber, withInterval } from './numbers.js';
import { foundOf, groupsOf, type ReportRun } from './run.js';

/** Per group, not for all parties together: payees that keep every coin would decide that trend. */
export function verdictText(run: ReportRun): string {
  const groups = groupsOf(run);
  // A run that is restricted to a group has its figures as those of all parties.
  const texts = groups.length === 0 ? [ofGroup(run, ALL, run.of)] : groups.map((name) => ofGroup(run, name, name));
  return `${texts.join(' ')} Stable is within ±${TOLERANCE} UTXOs per party and day.`;
}

function ofGroup(run: ReportRun, group: string, name: string): string {
  const { series } = run;
  const starved = starvedText(run, group);
  if (starved !== null) return `UTXOs of ${name}: no trend, ${starved}.`;
  const replicates = new Map<number, Moment[]>();
  for (const row of series) {
    if (row['group'] !== group) continue;
    const replicate = Number(row['replicate']);
    const moments = replicates.get(replicate) ?? [];
    moments.push([Number(row['round']) / ROUNDS_PER_DAY, Number(row['utxosPerParty.mean'])]);
    replicates.set(replicate, moments);
  }
  const verdict = verdictOfRuns([...replicates.values()]);
  if (verdict === null) return `UTXOs of ${name}: too few samples for a trend.`;
  const why = doubtText(verdict);
  return `UTXOs of ${name}: ${verdict.trend}, ${withInterval(verdict.slope)}${why === null ? '' : ` (${why})`}.`;
}

/** The trend of a group that did not make its payments describes other payments. */
function starvedText(run: ReportRun, group: string): string | null {
  const sum = (metric: string): number => foundOf(run, metric, group).reduce((all, value) => all + value, 0);
  const payments = { requested: sum('payments.asked'), completed: sum('payments.made') };
  if (shareOf(payments) >= LEAST_COMPLETED) return null;
  return `because ${shortNumber(payments.completed)} of ${shortNumber(payments.requested)} requested payments were completed, expected at least ${LEAST_COMPLETED * 100} %`;
}
