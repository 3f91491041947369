import { isNarrowEnough, numberOf, runScenario, type RunResult, type Sink, type WantedWidth } from '@coinlab/sim';
import { BadInput } from '../exit-code.js';
import { lateProgressOf } from '../progress.js';
import type { Subject } from '../subject.js';
import type { Terminal } from '../terminal.js';

/** How many replicates are played, and what happens to each. */
export interface Replicates {
  /** So many; with `wanted`, that many at most. */
  readonly count: number;
  /** Intervals that are to become narrow enough: replicates are played until they are. */
  readonly wanted?: readonly WantedWidth[];
  readonly label?: string;
  readonly isQuiet?: boolean;
  /** Takes the log of the first. */
  readonly log?: Sink;
  /** Told of each when it is done. */
  readonly onResult?: (result: RunResult) => void;
}

/** Plays replicates of a scenario one after the other, with progress on a terminal. */
export function playReplicates(
  subject: Subject,
  { count, wanted = [], label = subject.scenario.name, isQuiet = false, log, onResult = () => undefined }: Replicates,
  terminal: Terminal,
): readonly RunResult[] {
  const results: RunResult[] = [];
  while (results.length < count && !(wanted.length > 0 && isEnough(wanted, results))) {
    const replicate = results.length;
    const result = playReplicate(subject, {
      replicate,
      label: count === 1 ? label : `${label} ${replicate + 1}/${count}`,
      isShown: terminal.isInteractive && !isQuiet,
      ...(log && { log }),
    });
    results.push(result);
    onResult(result);
  }
  return results;
}

/** Plays one replicate of a scenario. */
export function playReplicate(
  { scenario, files, policies }: Subject,
  {
    replicate,
    label,
    isShown,
    log,
  }: { readonly replicate: number; readonly label: string; readonly isShown: boolean; readonly log?: Sink },
): RunResult {
  const progress = lateProgressOf(label, isShown, 'rounds');
  try {
    return runScenario(scenario, {
      replicate,
      files,
      policies,
      ...(log && { log }),
      onProgress: progress.update,
    });
  } finally {
    progress.end();
  }
}

/** What each replicate found of a metric. Throws {@link BadInput} when there is none of that name. */
function foundBy(results: readonly RunResult[], metric: string): readonly number[] {
  return results.map(({ summary }) => {
    const value = summary.get(metric);
    if (value === undefined)
      throw new BadInput(`this scenario has no metric '${metric}'; docs/reference/metrics.md lists all metrics`);
    return numberOf(value);
  });
}

/** Whether every interval is as narrow as it is wanted. */
export function isEnough(wanted: readonly WantedWidth[], results: readonly RunResult[]): boolean {
  return isNarrowEnough(wanted, results.length, (metric) => foundBy(results, metric));
}
