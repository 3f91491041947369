import { codec, updateOf, type Entry, type Update } from '@coinlab/core';
import { EventLog, type LogSummary, type Sink } from './event-log.js';
import { LogMetrics, type LogFigures } from './log-metrics.js';
import { BrokenLog, type LoggedUpdate, type LogPosition } from './read-log.js';
import type { OwnPolicies } from '../policies/own.js';
import type { ScenarioFiles } from '../scenario/files.js';
import { roundsOf, type Group, type Scenario } from '../scenario/scenario.js';
import { Population } from '../world/population.js';
import { World } from '../world/world.js';

/** A logged run and the change to apply at one of its updates. */
export interface ForkOptions {
  readonly file: string;
  readonly history: Iterable<LoggedUpdate>;
  /** Offset of the last update that the original run and the fork share. */
  readonly at: number;
  readonly groups: readonly Group[];
  readonly replicate?: number;
  readonly policies?: OwnPolicies;
  readonly files?: ScenarioFiles;
  /** Receives the log of the fork, including the updates that it shares with the original run. */
  readonly log?: Sink;
  readonly onProgress?: (rounds: number, total: number | null) => void;
}

/** The figures of the original run (`before`) and of the fork (`after`). */
export interface Fork {
  /** Round, from 0, at which the fork diverges from the original run. */
  readonly round: number;
  readonly before: LogFigures;
  readonly after: LogFigures;
  readonly log: LogSummary;
  readonly stateHash: string;
}

/**
 * Continues a logged run with other wallets. The requested payments and all random draws stay the same.
 * The shared history is simulated again and compared with the log update by update, because a log lacks part of the simulation's
 * state (pending answers, payments waiting for coin, stream positions). Throws a {@link BrokenLog} when the log belongs to
 * another scenario or replicate, and a RangeError when the log ends before `at`.
 */
export function forkRun(scenario: Scenario, options: ForkOptions): Fork {
  const { file, at, groups, replicate = 0, policies = {}, files = new Map(), onProgress } = options;
  const history = options.history[Symbol.iterator]();
  const registry = new Population(scenario.groups);
  const [before, after] = [new LogMetrics(registry, scenario), new LogMetrics(registry, scenario)];
  const log = new EventLog(scenario.seed, options.log ?? ((): void => undefined));
  let world: World | null = null;
  let forkedAt = -1;
  const diverge = (from: World): void => {
    forkedAt = from.round;
    from.adopt(groups, policies);
  };
  const onEntry = (entry: Entry): void => {
    const update = updateOf(entry);
    log.append(update);
    after.take(update);
    if (update.offset > at) return;
    const logged = history.next();
    if (logged.done) throw new RangeError(`${file} ends at offset ${update.offset - 1}, before ${at}`);
    requireSame(update, logged.value, file);
    before.take(update);
    if (update.offset === at && world) diverge(world);
  };
  world = new World(scenario, { replicate, policies, files, onEntry });
  // No wallet decides anything while the network is being founded.
  if (world.updates >= at) diverge(world);
  const total = roundsOf(scenario.duration);
  while (!world.isOver) {
    world.playRound();
    onProgress?.(world.round, Number.isFinite(total) ? total : null);
  }
  if (forkedAt < 0) throw new RangeError(`the scenario is over at offset ${world.updates}, before ${at}`);
  for (let logged = history.next(); !logged.done; logged = history.next()) before.take(logged.value.update);
  return {
    round: forkedAt,
    before: before.figures(),
    after: after.figures(),
    log: log.close(),
    stateHash: world.hash(),
  };
}

function requireSame(update: Update, logged: LoggedUpdate, file: string): void {
  if (codec.encode(update) !== codec.encode(logged.update)) throw differs(file, logged.position, update);
}

function differs(file: string, position: LogPosition, { kind }: Update): BrokenLog {
  return new BrokenLog(
    file,
    position,
    `differs from the scenario, which produces ${kind} here: the log belongs to another scenario, replicate or version, or was altered`,
  );
}
