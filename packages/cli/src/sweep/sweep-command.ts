import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  assignmentOf,
  countsOf,
  ordersOf,
  parseShard,
  PartsFault,
  play,
  readSweep,
  replicatesFor,
  runShard,
  scenarioAt,
  settingsText,
  shardFrom,
  shardText,
  WHOLE,
  type Shard,
  type Sweep,
  type SweepChanges,
  type SweepRuns,
} from '@coinlab/lab';
import {
  describeFault,
  LEAST_REPLICATES,
  nearestText,
  PolicyRegistry,
  type OwnPolicies,
  type WantedWidth,
} from '@coinlab/sim';
import { loadPolicies, PolicyFileFault } from '@coinlab/sim/files';
import { BadInput, RunsFailed, Stopped } from '../exit-code.js';
import { requireOutFolder } from '../out-folder.js';
import { lateProgressOf } from '../progress.js';
import { formatsOf } from '../results-folder.js';
import { policyFlag } from '../run/policy-subject.js';
import { tooFewText } from '../run/replicates.js';
import { joinedParts, PARTS, writeSweep } from './results.js';
import { costText } from './sweep-text.js';
import { grouped } from '../table.js';
import { walletChange } from '../wallet-flags.js';
import type { Terminal } from '../terminal.js';

export interface SweepFlags {
  readonly out?: string;
  readonly format: string;
  readonly workers?: number;
  readonly shard?: string;
  readonly policy?: string;
  readonly merge?: string;
  readonly group?: readonly string[];
  readonly seed?: number;
  readonly replicates?: number;
  readonly precision?: readonly WantedWidth[];
  readonly maxReplicates: number;
  readonly dryRun?: true;
  readonly only?: string;
  readonly quiet?: true;
  readonly queue?: string;
  readonly parts?: number;
  readonly status?: true;
  readonly cancel?: true;
  readonly sweep?: string;
}

export async function sweepCommand(file: string | undefined, flags: SweepFlags, terminal: Terminal): Promise<void> {
  const { queue: address } = flags;
  if (flags.status || flags.cancel) {
    if (address === undefined) throw new BadInput('--queue: got none, expected the postgres:// address of the queue');
    const { cancelSweep, queueStatus } = await import('../queue/queue-command.js');
    return flags.status ? queueStatus(address, terminal) : cancelSweep(address, flags.sweep ?? null, terminal);
  }
  if (file === undefined) throw new BadInput('file: got none, expected a sweep in YAML or JSON');
  if (
    address !== undefined &&
    (flags.shard ?? flags.workers ?? flags.only ?? flags.dryRun ?? flags.precision) !== undefined
  )
    throw new BadInput(
      '--queue: leave out --shard, --workers, --only, --dry-run and --precision; workers are coinlab work',
    );
  if (address === undefined && flags.parts !== undefined) throw new BadInput('--parts: works only with --queue');
  const formats = formatsOf(flags.format);
  const shard = shardOf(flags.shard);
  const sweep = sweepOf(file, changesOf(flags));
  const policies = await policiesOf(sweep);
  refuseUnknownPolicies(sweep, policies);
  if (flags.only !== undefined) return onlyOne(sweep, flags.only, policies, terminal);
  const { out } = flags;
  if (out === undefined && !flags.dryRun && address === undefined)
    throw new BadInput('--out: got none, expected a folder for the results');
  if (out !== undefined) requireOutFolder('--out', out, []);
  if (address !== undefined) {
    const { queueSweep } = await import('../queue/queue-command.js');
    const { parts = null, quiet: isQuiet = false } = flags;
    return queueSweep(sweep, { address, out: out ?? null, formats, parts, isQuiet }, terminal);
  }
  if (flags.precision !== undefined && out !== undefined) {
    if (shard !== null || flags.dryRun)
      throw new BadInput('--precision: leave out --shard and --dry-run; it needs the runs of all points');
    const runs = await preciseRuns(file, { flags, out, wanted: flags.precision }, terminal);
    return writeSweep(runs, { out, formats }, terminal);
  }
  const isWhole = shard === null;
  const folder = out === undefined ? null : join(out, PARTS);
  const result = await runInterruptibly(sweep, { shard: shard ?? WHOLE, folder, flags }, terminal);
  if (flags.dryRun || out === undefined || folder === null) return;
  if (!isWhole) {
    const { played, reused, failed } = result;
    terminal.out(
      `shard ${shardText(shard)} of ${sweep.definition.name}: ${grouped(played + reused)} runs in ${folder}${failed > 0 ? `, ${grouped(failed)} failed` : ''}; when all shards are complete: coinlab join ${out}\n`,
    );
    if (failed > 0) throw new RunsFailed(`${failed} of ${played + reused} runs failed`);
    return;
  }
  await writeSweep(joinedParts(folder), { out, formats }, terminal);
}

function changesOf(flags: SweepFlags): SweepChanges {
  const { policy, merge, group, seed, replicates } = flags;
  const { path, name } = policyFlag(policy);
  const given = Object.entries({ policy, merge, group: group?.join(','), seed, replicates });
  const text = given.flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag} ${quotedIfNeeded(String(value))}`],
  );
  return {
    ...(text.length > 0 && { flags: text.join(' ') }),
    ...(path !== undefined && { policies: path }),
    ...(replicates !== undefined && { replicates }),
    ...(seed !== undefined && { seed }),
    wallets: walletChange({ ...(name !== undefined && { policy: name }), ...(merge !== undefined && { merge }) }),
    ...(group && { groups: group }),
  };
}

function quotedIfNeeded(word: string): string {
  return /^[\w./#,:@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function sweepOf(file: string, changes: SweepChanges): Sweep {
  const read = readSweep(file, changes);
  if (!read.ok) throw new BadInput(read.error.map(describeFault).join('\n'));
  return read.value;
}

/**
 * Each number of replicates has a folder of its own, so that an interrupted sweep resumes; the last one becomes the folder of the
 * parts.
 */
async function preciseRuns(
  file: string,
  { flags, out, wanted }: { readonly flags: SweepFlags; readonly out: string; readonly wanted: readonly WantedWidth[] },
  terminal: Terminal,
): Promise<SweepRuns> {
  const { maxReplicates } = flags;
  const first = sweepOf(file, changesOf(flags));
  refuseOtherMetrics(wanted, first);
  const tried: string[] = [];
  let replicates = Math.min(Math.max(first.definition.replicates, LEAST_REPLICATES), maxReplicates);
  for (;;) {
    const sweep = sweepOf(file, changesOf({ ...flags, replicates }));
    const folder = join(out, `${PARTS}-of-${replicates}-replicates`);
    await runInterruptibly(sweep, { shard: WHOLE, folder, flags }, terminal);
    const runs = joinedParts(folder);
    const needed = replicatesFor(runs, wanted);
    if (needed <= replicates || replicates >= maxReplicates) {
      if (needed > replicates) terminal.err(tooFewText(replicates));
      for (const old of [...tried, join(out, PARTS)]) rmSync(old, { recursive: true, force: true });
      renameSync(folder, join(out, PARTS));
      return runs;
    }
    tried.push(folder);
    replicates = Math.min(needed, maxReplicates);
  }
}

function refuseOtherMetrics(wanted: readonly WantedWidth[], { metrics }: Sweep): void {
  const known = metrics.map(({ name }) => name);
  for (const { metric } of wanted)
    if (!known.includes(metric))
      throw new BadInput(
        `--precision: got the metric '${metric}', expected one of the sweep's metrics${nearestText(metric, known)}`,
      );
}

async function runInterruptibly(
  sweep: Sweep,
  { shard, folder, flags }: { readonly shard: Shard; readonly folder: string | null; readonly flags: SweepFlags },
  terminal: Terminal,
): Promise<{ readonly played: number; readonly reused: number; readonly failed: number }> {
  const stop = new AbortController();
  const stopping = (): void => stop.abort(new Stopped(stoppedText(flags)));
  process.once('SIGINT', stopping).once('SIGTERM', stopping);
  const progress = lateProgressOf(sweep.definition.name, terminal.isInteractive && !flags.quiet, 'runs');
  try {
    return await runShard(sweep, {
      folder,
      shard,
      signal: stop.signal,
      ...(flags.workers !== undefined && { workers: flags.workers }),
      onCost(cost) {
        const told = costText(cost, shard);
        if (flags.dryRun) terminal.out(told);
        else if (!flags.quiet) terminal.err(told);
        return !flags.dryRun;
      },
      onProgress: progress.update,
    });
  } catch (error) {
    throw error instanceof PartsFault ? new BadInput(error.message) : error;
  } finally {
    progress.end();
    process.off('SIGINT', stopping).off('SIGTERM', stopping);
  }
}

function stoppedText({ out }: SweepFlags): string {
  return out === undefined
    ? 'stopped'
    : `stopped; complete parts are in ${join(out, PARTS)}, and the same command resumes`;
}

function onlyOne(sweep: Sweep, text: string, policies: OwnPolicies, terminal: Terminal): void {
  const { points, replicates } = countsOf(sweep);
  const [, point, replicate] = /^(\d{1,7})\.(\d{1,6})$/.exec(text) ?? [];
  if (!(Number(point) >= 1 && Number(point) <= points && Number(replicate) < replicates))
    throw new BadInput(
      `--only: got '${text}', expected a point from 1 to ${points} and a replicate from 0 to ${replicates - 1}, such as 1.0`,
    );
  const assignment = assignmentOf(sweep, (Number(point) - 1) * replicates + Number(replicate));
  const outcome = play(ordersOf(sweep), assignment, policies);
  terminal.err(`${settingsText(sweep.definition, assignment.settings)}\n`);
  if ('error' in outcome) throw new FailedRun(outcome.error);
  const metrics = Object.fromEntries(sweep.metrics.map(({ name }, i) => [name, outcome.values[i] ?? null]));
  terminal.out(`${JSON.stringify({ point: Number(point), replicate: Number(replicate), metrics })}\n`);
}

class FailedRun extends Error {
  readonly code = 'RUN_FAILED';
}

function refuseUnknownPolicies(sweep: Sweep, policies: OwnPolicies): void {
  const registry = new PolicyRegistry(policies);
  for (const [point, settings] of sweep.points.slice(0, MOST_CHECKED).entries()) {
    const scenario = scenarioAt(sweep, settings);
    if (!scenario.ok) continue;
    try {
      registry.requireAll(scenario.value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new BadInput(
        `${sweep.file}: at point ${point + 1} (${settingsText(sweep.definition, settings)}) ${error.message}`,
      );
    }
  }
}

const MOST_CHECKED = 2_000;

function shardOf(flag: string | undefined): Shard | null {
  if (flag === undefined) {
    const told = shardFrom(process.env);
    if (typeof told === 'string') throw new BadInput(told);
    return told;
  }
  const shard = parseShard(flag);
  if (!shard) throw new BadInput(`--shard: got '${flag}', expected i/n with i from 1 to n, such as 2/8`);
  return shard;
}

async function policiesOf({ policies }: Sweep): Promise<OwnPolicies> {
  try {
    return policies === null ? {} : await loadPolicies(policies);
  } catch (error) {
    if (error instanceof PolicyFileFault) throw new BadInput(error.message);
    throw error;
  }
}
