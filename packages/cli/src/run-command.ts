import { dirname } from 'node:path';
import { Amount } from '@coinlab/core';
import {
  describeFault,
  filesOf,
  METRICS,
  PendingFile,
  readScenario,
  runScenario,
  scenarioJsonSchema,
  type RunResult,
  type Scenario,
  type ScenarioFiles,
} from '@coinlab/sim';
import { BadInput, ThresholdMissed } from './exit-code.js';
import { progressOf } from './progress.js';
import { grouped, table } from './table.js';
import type { Terminal } from './terminal.js';

/** The flags of `coinlab run`, parsed. */
export interface RunFlags {
  readonly replicates: number;
  readonly seed?: number;
  readonly log?: string;
  readonly json?: true;
  readonly quiet?: true;
}

/** `coinlab run FILE`: plays a scenario, prints its metrics, and fails when a threshold does not hold. */
export function runCommand(file: string, flags: RunFlags, terminal: Terminal): void {
  const scenario = scenarioOf(file, flags.seed);
  const files = filesFor(scenario, file);
  if (flags.log !== undefined && flags.replicates > 1)
    throw new BadInput(`--log is for one run; got ${flags.replicates} replicates`);
  const log = flags.log === undefined ? null : new PendingFile(flags.log);
  const results: RunResult[] = [];
  try {
    for (let replicate = 0; replicate < flags.replicates; replicate++) {
      const label = flags.replicates === 1 ? scenario.name : `${scenario.name} ${replicate + 1}/${flags.replicates}`;
      let progress = progressOf(label, 0, false);
      const isShown = terminal.isInteractive && !flags.quiet;
      const result = runScenario(scenario, {
        replicate,
        files,
        ...(log && { log: (segment: Uint8Array) => log.write(segment) }),
        onProgress(rounds, total) {
          if (rounds === 1) progress = progressOf(label, total ?? 0, isShown && total !== null);
          progress.update(rounds);
        },
      });
      progress.end();
      results.push(result);
      if (flags.json) terminal.out(`${JSON.stringify(resultJson(result))}\n`);
    }
    log?.commit();
  } catch (error) {
    log?.discard();
    throw error;
  }
  if (!flags.json) for (const result of results) terminal.out(resultText(result));
  const missed = results.flatMap(({ thresholds }) => thresholds.filter(({ holds }) => !holds));
  const [first] = missed;
  if (first)
    throw new ThresholdMissed(
      `${first.metric} is ${first.found ?? 'no metric'}, the scenario demands ${first.demand}${missed.length > 1 ? `, and ${missed.length - 1} more` : ''}`,
    );
}

/** `coinlab schema WHAT`. */
export function schemaCommand(what: string, terminal: Terminal): void {
  if (what !== 'scenario') throw new BadInput(`unknown schema '${what}'; known is scenario`);
  terminal.out(`${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`);
}

/** Reads a scenario; all its faults at once. */
export function scenarioOf(file: string, seed?: number): Scenario {
  const read = readScenario(file);
  if (!read.ok) throw new BadInput(read.error.map(describeFault).join('\n'));
  return seed === undefined ? read.value : { ...read.value, seed };
}

/** Reads the files that a scenario names, relative to it; all their faults at once. */
export function filesFor(scenario: Scenario, file: string): ScenarioFiles {
  const files = filesOf(scenario, dirname(file));
  if (!files.ok) throw new BadInput(files.error.map(describeFault).join('\n'));
  return files.value;
}

function resultJson({ scenario, replicate, rounds, summary, thresholds, log, stateHash }: RunResult): unknown {
  const metrics = Object.fromEntries(
    [...summary].map(([name, value]) => [name, typeof value === 'bigint' ? Amount.format(value) : value]),
  );
  return { scenario: scenario.name, seed: scenario.seed, replicate, rounds, metrics, thresholds, log, stateHash };
}

/** Metrics down, groups across. */
function resultText({ scenario, replicate, rounds, summary, thresholds, log, stateHash }: RunResult): string {
  const groups = scenario.groups.map(({ name }) => name);
  const shown = METRICS.filter(({ name }) => summary.has(name));
  const columns = [
    { title: 'metric', cell: ({ name }: (typeof shown)[number]) => name },
    { title: 'all', cell: ({ name }: (typeof shown)[number]) => figure(summary.get(name)) },
    ...groups.map((group) => ({
      title: group,
      cell: ({ name }: (typeof shown)[number]) => figure(summary.get(`${group}/${name}`)),
    })),
    { title: 'unit', cell: ({ unit }: (typeof shown)[number]) => unit },
  ];
  const demands = thresholds.map(
    ({ metric, demand, found, holds }) => `${holds ? '✓' : '✗'} ${metric} ${demand}: ${found ?? 'no such metric'}\n`,
  );
  const head = `${scenario.name}, seed ${scenario.seed}, replicate ${replicate}: ${grouped(rounds)} rounds, ${grouped(log.updates)} updates\n`;
  return `${head}\n${table(columns, shown)}\n${demands.join('')}log ${log.hash}\nstate ${stateHash}\n`;
}

function figure(value: number | Amount | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'bigint') return grouped(Amount.short(value));
  return grouped(Number.isInteger(value) ? value : value.toFixed(3));
}
