import {
  isNarrowEnough,
  knownMetrics,
  nearestText,
  numberOf,
  runScenario,
  type RunResult,
  type Sink,
  type WantedWidth,
} from '@coinlab/sim';
import { BadInput } from '../exit-code.js';
import { lateProgressOf } from '../progress.js';
import type { Subject } from '../subject.js';
import type { Terminal } from '../terminal.js';

export interface Replicates {
  readonly count: number;
  /** Without random draws there is one history, so two identical replicates suffice. */
  readonly isOnceIfIdentical?: boolean;
  readonly wanted?: readonly WantedWidth[];
  readonly label?: string;
  readonly isQuiet?: boolean;
  readonly log?: Sink;
  readonly onResult?: (result: RunResult) => void;
}

export function playReplicates(
  subject: Subject,
  {
    count,
    isOnceIfIdentical = false,
    wanted = [],
    label = subject.scenario.name,
    isQuiet = false,
    log,
    onResult = () => undefined,
  }: Replicates,
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
    if (isOnceIfIdentical && replicate === 1 && metricsText(result) === metricsText(results[0])) break;
    results.push(result);
    onResult(result);
  }
  return results;
}

function metricsText(result: RunResult | undefined): string {
  return result ? [...result.summary].join(';') : '';
}

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

function foundBy(results: readonly RunResult[], metric: string): readonly number[] {
  return results.map(({ summary }) => {
    const value = summary.get(metric);
    if (value === undefined)
      throw new BadInput(`this scenario has no metric '${metric}'; docs/reference/metrics.md lists all metrics`);
    return numberOf(value);
  });
}

export function isEnough(wanted: readonly WantedWidth[], results: readonly RunResult[]): boolean {
  return isNarrowEnough(wanted, results.length, (metric) => foundBy(results, metric));
}

export function refuseUnknownMetrics(wanted: readonly WantedWidth[], { scenario: { groups } }: Subject): void {
  const known = knownMetrics(groups);
  for (const { metric } of wanted)
    if (!known.includes(metric))
      throw new BadInput(
        `--precision: got the metric '${metric}', expected a name of docs/reference/metrics.md${nearestText(metric, known)}`,
      );
}

export function tooFewText(replicates: number): string {
  return `coinlab: ${replicates} replicates do not reach the requested interval width; increase --max-replicates\n`;
}
