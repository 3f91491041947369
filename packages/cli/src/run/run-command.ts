import { dirname, relative } from 'node:path';
import { Amount } from '@coinlab/core';
import {
  completionOf,
  failuresOf,
  manifestOf,
  recordOf,
  type RunResult,
  type ThresholdResult,
  type WantedWidth,
} from '@coinlab/sim';
import { PendingFile } from '@coinlab/sim/files';
import { BadInput, RanElsewhere, ThresholdMissed } from '../exit-code.js';
import { heapFlags, noteHeap } from '../heap.js';
import { requireLogFile, requireOutFile, requireOutFolder } from '../out-folder.js';
import { isStarved, starvedText } from './completion-text.js';
import { isEnough, playReplicates, refuseUnknownMetrics, tooFewText } from './replicates.js';
import { judgedOnMeans, runText } from './run-text.js';
import { DEFAULT_REPLICATES } from '../policy-flags.js';
import { subjectWith } from './policy-subject.js';
import type { Subject } from '../subject.js';
import type { Terminal } from '../terminal.js';

export { scenarioOf } from '../subject.js';

export interface RunFlags {
  /** Default: {@link DEFAULT_REPLICATES}, or one with a log or a checkpoint, which hold one replicate. */
  readonly replicates?: number;
  readonly precision?: readonly WantedWidth[];
  readonly maxReplicates: number;
  readonly seed?: number;
  readonly policy?: string;
  readonly merge?: string;
  readonly group?: readonly string[];
  readonly log?: string;
  readonly manifest?: string;
  readonly out?: string;
  readonly overwrite?: true;
  readonly format: string;
  readonly minCompleted: number;
  readonly checkpoint?: string;
  readonly every: number;
  readonly resume?: string;
  readonly json?: true;
  readonly quiet?: true;
}

export async function runCommand(file: string, flags: RunFlags, terminal: Terminal): Promise<void> {
  const wanted = flags.precision ?? [];
  const isSingle = (flags.log ?? flags.checkpoint ?? flags.resume) !== undefined;
  const byDefault = isSingle ? 1 : DEFAULT_REPLICATES;
  const count = wanted.length > 0 ? flags.maxReplicates : (flags.replicates ?? byDefault);
  refuseForMany(flags, count);
  const output = flags.out === undefined ? null : await import('../results-folder.js');
  const formats = output?.formatsOf(flags.format) ?? [];
  requireTargets(flags, output?.RESULT_FILES ?? []);
  const subject = await subjectWith(file, flags.seed, flags);
  refuseUnknownMetrics(wanted, subject);
  const heap = heapFlags(file, subject.scenario);
  if (terminal.restart && heap.length > 0) throw new RanElsewhere(await terminal.restart(heap));
  noteHeap(subject.scenario, terminal);
  const results = await resultsOf(subject, flags, { file, count, wanted }, terminal);
  const thresholds = judgedOnMeans(results);
  // Printed first: a full disk then costs the files, not the figures.
  if (!flags.json) terminal.out(runText(results, thresholds, flags.minCompleted));
  if (flags.manifest !== undefined) writeManifest(flags.manifest, subject, results);
  if (output && flags.out !== undefined) {
    const manifest = manifestText(flags.out, subject, results);
    output.writeResults(results, { folder: flags.out, formats, file, manifest });
  }
  if (wanted.length > 0 && !isEnough(wanted, results)) terminal.err(tooFewText(results.length));
  const completion = completionOf(results);
  if (thresholds.length > 0 && isStarved(completion, flags.minCompleted))
    throw new ThresholdMissed(
      `the thresholds were not judged; ${starvedText(completion, failuresOf(results), flags.minCompleted)}`,
    );
  throwMissed(thresholds, results.length);
}

async function resultsOf(
  subject: Subject,
  flags: RunFlags,
  { file, count, wanted }: { readonly file: string; readonly count: number; readonly wanted: readonly WantedWidth[] },
  terminal: Terminal,
): Promise<readonly RunResult[]> {
  const onResult = (result: RunResult): void => {
    if (flags.json) terminal.out(`${JSON.stringify(resultJson(result))}\n`);
  };
  const { checkpoint = flags.resume, resume, log: logFile, every } = flags;
  const isQuiet = flags.quiet === true;
  const hasCount = flags.replicates !== undefined || wanted.length > 0;
  if (checkpoint !== undefined) {
    const { runStoppably } = await import('./stoppable-run.js');
    const result = await runStoppably(subject, { file, checkpoint, resume, logFile, every, isQuiet }, terminal);
    onResult(result);
    return [result];
  }
  const log = logFile === undefined ? null : new PendingFile(logFile);
  try {
    const results = playReplicates(
      subject,
      {
        count,
        isOnceIfIdentical: !hasCount,
        wanted,
        isQuiet,
        onResult,
        ...(log && { log: (segment: Uint8Array) => log.write(segment) }),
      },
      terminal,
    );
    log?.commit();
    return results;
  } catch (error) {
    log?.discard();
    throw error;
  }
}

export function throwMissed(thresholds: readonly ThresholdResult[], replicates: number): void {
  const missed = thresholds.filter(({ holds }) => !holds);
  const [first] = missed;
  if (!first) return;
  const found = first.found === null ? 'no metric' : `${first.found}${replicates > 1 ? ' on the mean' : ''}`;
  const more = missed.length > 1 ? `, and ${missed.length - 1} more` : '';
  throw new ThresholdMissed(`${first.metric} is ${found}, the scenario requires ${first.demand}${more}`);
}

function requireTargets(
  { out, manifest, log, checkpoint, resume, overwrite }: RunFlags,
  results: readonly string[],
): void {
  if (out !== undefined) requireOutFolder('--out', out, overwrite ? [] : results);
  if (manifest !== undefined) requireOutFile('--manifest', manifest, { overwrite });
  // Each checkpoint replaces the one before.
  if (checkpoint !== undefined) requireOutFile('--checkpoint', checkpoint, { overwrite: true });
  // A resumed run continues its log.
  const isContinued = resume !== undefined;
  if (log !== undefined) requireLogFile(log, { overwrite: isContinued || overwrite });
}

function refuseForMany({ log, checkpoint, resume, replicates, precision }: RunFlags, count: number): void {
  if (precision && replicates !== undefined)
    throw new BadInput('--precision determines the number of replicates; leave out --replicates');
  const [single] = Object.entries({ log, checkpoint, resume }).filter(([, value]) => value !== undefined);
  if (single && count > 1) throw new BadInput(`--${single[0]} works with one replicate; got ${count}`);
}

function writeManifest(name: string, subject: Subject, results: readonly RunResult[]): void {
  const file = new PendingFile(name);
  file.write(Buffer.from(manifestText(dirname(name), subject, results)));
  file.commit();
}

export function manifestText(
  target: string,
  { scenario, folder, inputs }: Subject,
  results: readonly RunResult[],
): string {
  const from = relative(target, folder) || '.';
  return `${JSON.stringify(manifestOf(scenario, inputs, from, results.map(recordOf)), null, 2)}\n`;
}

function resultJson({ scenario, replicate, rounds, summary, thresholds, log, stateHash }: RunResult): unknown {
  const metrics = Object.fromEntries(
    [...summary].map(([name, value]) => [name, typeof value === 'bigint' ? Amount.format(value) : value]),
  );
  return { scenario: scenario.name, seed: scenario.seed, replicate, rounds, metrics, thresholds, log, stateHash };
}
