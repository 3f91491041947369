import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { Engine, settingsOf, stateHash } from '@coinlab/core';
import { runTables, writeFiles } from '@coinlab/lab';
import {
  Census,
  EventLog,
  judge,
  LogMetrics,
  METRICS,
  PARTIES,
  Population,
  scenarioOf,
  type LogFigures,
  type LogSummary,
  type Measured,
  type Registry,
  type RunResult,
  type Scenario,
} from '@coinlab/sim';
import { BadInput, ThresholdMissed } from '../exit-code.js';
import { figuresJson, figuresTable } from './figures-table.js';
import { eachEntryShown } from './source-progress.js';
import { applied } from './source.js';
import { playedScenario, type PlayedFlags } from '../played-scenario.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';

export interface MetricsFlags extends PlayedFlags {
  readonly every?: number;
  readonly out?: string;
  readonly json?: true;
  readonly quiet?: true;
}

export async function metricsCommand(source: string, flags: MetricsFlags, terminal: Terminal): Promise<void> {
  const shown = { ...terminal, isInteractive: terminal.isInteractive && !flags.quiet };
  const { registry, measured, scenario } = await subjectOf(source, flags, shown);
  const metrics = new LogMetrics(registry, measured);
  const engine = new Engine();
  let log: EventLog | null = null;
  await eachEntryShown(
    source,
    'metrics',
    shown,
    engine.state,
    applied(engine, (entry) => {
      // Packed again: the hash does not depend on the form that was read.
      log ??= new EventLog(settingsOf(engine.state).seed, () => undefined);
      log.append(entry);
      metrics.take(entry);
      return true;
    }),
  );
  const figures = metrics.figures();
  const unknown = unknownOf(figures);
  const demands = Object.entries(scenario.thresholds).filter(([metric]) => !unknown.includes(metric));
  const result: RunResult = {
    scenario,
    replicate: 0,
    ...figures,
    refused: new Map(),
    thresholds: judge(Object.fromEntries(demands), figures.summary),
    log: summaryOf(log),
    stateHash: stateHash(engine.state, createHash('sha256')),
  };
  if (flags.out !== undefined) {
    mkdirSync(flags.out, { recursive: true });
    writeFiles(flags.out, runTables([result]), { formats: ['csv'] });
  }
  terminal.out(flags.json ? `${JSON.stringify(asJson(source, result))}\n` : asText(source, registry, result));
  const missed = result.thresholds.find(({ holds }) => !holds);
  if (missed)
    throw new ThresholdMissed(
      `${missed.metric} is ${missed.found ?? 'no metric'}, the scenario requires ${missed.demand}`,
    );
}

function summaryOf(log: EventLog | null): LogSummary {
  if (!log) throw new BadInput('the log has no updates');
  return log.close();
}

function unknownOf({ summary }: Pick<LogFigures, 'summary'>): readonly string[] {
  return METRICS.map(({ name }) => name).filter((name) => !summary.has(name));
}

async function subjectOf(
  source: string,
  flags: MetricsFlags,
  terminal: Terminal,
): Promise<{ readonly registry: Registry; readonly measured: Measured; readonly scenario: Scenario }> {
  const { every } = flags;
  const played = await playedScenario(flags);
  if (played) {
    const { scenario } = played;
    const metrics = { ...scenario.metrics, every: every ?? scenario.metrics.every };
    return { registry: new Population(scenario.groups), measured: { ...scenario, metrics }, scenario };
  }
  const census = new Census();
  await eachEntryShown(source, 'parties', terminal, census.state, (entry) => {
    census.take(entry);
    return true;
  });
  const measured = census.measured(every ?? 1);
  const registry = census.registry();
  if (!measured || registry.parties.length === 0) throw new BadInput(`${source}: the log has no parties`);
  return { registry, measured, scenario: nameless(registry.parties.length) };
}

function nameless(count: number): Scenario {
  const made = scenarioOf({ name: 'log', duration: { rounds: 1 }, parties: [{ name: PARTIES, count }] });
  if (!made.ok) throw new BadInput(`the log has ${count} parties, more than the maximum of a scenario`);
  return made.value;
}

function asJson(source: string, { scenario, rounds, summary, thresholds, log, stateHash }: RunResult): unknown {
  return {
    source,
    scenario: scenario.name,
    rounds,
    metrics: figuresJson(summary),
    unknown: unknownOf({ summary }),
    thresholds,
    log,
    stateHash,
  };
}

function asText(
  source: string,
  { groups }: Registry,
  { rounds, summary, thresholds, log, stateHash }: RunResult,
): string {
  const columns = [
    { title: 'all', of: (name: string) => summary.get(name) },
    ...groups.map(({ group }) => ({ title: group.name, of: (name: string) => summary.get(`${group.name}/${name}`) })),
  ];
  const demands = thresholds.map(
    ({ metric, demand, found, holds }) => `${holds ? '✓' : '✗'} ${metric} ${demand}: ${found ?? 'no such metric'}\n`,
  );
  return `${source}: ${grouped(rounds)} rounds, ${grouped(log.updates)} updates

${figuresTable(columns)}
unknown from a log alone: ${unknownOf({ summary }).join(', ')}
${demands.join('')}log ${log.hash}
state ${stateHash}
`;
}
