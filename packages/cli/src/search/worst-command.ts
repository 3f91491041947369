import { writeFileSync } from 'node:fs';
import { Amount } from '@coinlab/core';
import {
  setupOf,
  replayObjective,
  scenarioObjective,
  searchWorst,
  STREAM_METRICS,
  streamText,
  type Found,
  type Objective,
  type StreamLimits,
} from '@coinlab/lab';
import { DEFAULT_SETTINGS, METRICS, SELECTION_NAMES } from '@coinlab/sim';
import { BadInput } from '../exit-code.js';
import { intervalText } from '../interval-text.js';
import { requireOutFile } from '../out-folder.js';
import { progressOf } from '../progress.js';
import { subjectOf } from '../subject.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';

export interface WorstFlags {
  readonly metric?: string;
  readonly rows: number;
  readonly amounts: StreamLimits['amounts'];
  readonly receipts: StreamLimits['receipts'];
  readonly balance: number | null;
  readonly unit: Amount;
  readonly cap: number | null;
  readonly mergeThreshold: number | null;
  readonly group?: string;
  readonly budget: number;
  readonly restarts: number;
  readonly seed: number;
  readonly out?: string;
  readonly overwrite?: true;
  readonly json?: true;
  readonly quiet?: true;
}

interface Subject {
  readonly metric: string;
  readonly objective: Objective;
  readonly replay: (file: string) => string;
}

export async function worstCommand(what: string, flags: WorstFlags, terminal: Terminal): Promise<void> {
  const { rows, amounts, receipts, budget, restarts, seed } = flags;
  if (flags.out !== undefined) requireOutFile('--out', flags.out, flags);
  const limits: StreamLimits = { rows, amounts, receipts, balance: flags.balance ?? Infinity };
  const { metric, objective, replay } = await subjectFor(what, flags);
  const began = performance.now();
  const progress = progressOf('worst', budget, terminal.isInteractive && !flags.quiet, 'streams');
  let found: Found;
  try {
    found = searchWorst({
      limits,
      objective,
      budget,
      restarts,
      seed,
      onProgress: (looked, worst) => progress.update(looked, `worst so far ${grouped(worst)}`),
    });
  } catch (error) {
    throw error instanceof RangeError ? new BadInput(error.message) : error;
  } finally {
    progress.end();
  }
  const again = replay(flags.out ?? 'FILE');
  terminal.out(
    flags.json ? `${JSON.stringify(asJson(what, metric, flags, found))}\n` : asText(what, metric, found, again),
  );
  // Print first: a file that cannot be written loses no result.
  if (flags.out !== undefined) writeFileSync(flags.out, streamText(found.worst.rows));
  if (!flags.quiet)
    terminal.err(`${grouped(found.looked)} streams in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
}

async function subjectFor(what: string, flags: WorstFlags): Promise<Subject> {
  const { cap, mergeThreshold, unit } = flags;
  const policy = SELECTION_NAMES.find((name) => name === what);
  if (policy) {
    const wanted = flags.metric ?? 'meanUtxos';
    const metric = STREAM_METRICS.find((name) => name === wanted);
    if (!metric)
      throw new BadInput(`--metric ${wanted}: expected one of these metrics of a policy: ${STREAM_METRICS.join(', ')}`);
    const settings = { ...DEFAULT_SETTINGS, policy, cap, mergeThreshold };
    const told = `--policy ${what} --cap ${cap ?? 'none'} --merge ${mergeThreshold ?? 'never'} --unit ${Amount.short(unit)}`;
    return {
      metric,
      objective: replayObjective(settings, metric, unit),
      replay: (file) => `coinlab replay ${file} ${told}`,
    };
  }
  const { scenario, policies } = await subjectOf(what);
  const metric = flags.metric ?? 'utxosPerParty.mean';
  if (!METRICS.some(({ name }) => name === metric))
    throw new BadInput(`--metric ${metric}: expected one of ${METRICS.map(({ name }) => name).join(', ')}`);
  try {
    const setup = setupOf(scenario, flags.group ?? null);
    const objective = scenarioObjective(setup, policies, metric, unit);
    const { select, merge } = setup.wallet;
    const told = `--policy ${select} --merge ${merge.threshold ?? 'never'} --cap ${setup.network.maxInputs}`;
    return { metric, objective, replay: (file) => `coinlab replay ${file} ${told} --unit ${Amount.short(unit)}` };
  } catch (error) {
    throw error instanceof RangeError ? new BadInput(error.message) : error;
  }
}

function asJson(what: string, metric: string, flags: WorstFlags, { worst, baseline, ...found }: Found): unknown {
  const { rows, amounts, receipts, balance, budget, restarts, seed } = flags;
  return {
    subject: what,
    metric,
    limits: { rows, amounts, receipts, balance, unit: Amount.short(flags.unit) },
    budget,
    restarts,
    seed,
    worst: worst.value,
    stream: worst.rows,
    baseline,
    ...found,
  };
}

function asText(what: string, metric: string, found: Found, again: string): string {
  const { worst, baseline, worstDrawn, looked, isProven } = found;
  const how = isProven
    ? `exhaustive search: no stream within the limits is worse`
    : `the worst of ${grouped(looked)} evaluated streams; a worse one may exist`;
  return `${what}, ${metric}

worst found   ${figure(worst.value)}   ${how}
random ones   ${intervalText(baseline)}   mean of ${baseline.observations} with its 95 % interval; the worst is ${figure(worstDrawn)}

${worst.rows.join(' ')}

${again}
`;
}

function figure(value: number): string {
  return grouped(Number.isInteger(value) ? value : value.toFixed(3));
}
