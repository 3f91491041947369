import { codec, updateOf, type Entry, type Update } from '@coinlab/core';
import { EventLog, type LogSummary, type Sink } from './event-log.js';
import { LogMetrics, type LogFigures } from './log-metrics.js';
import { BrokenLog, type LoggedUpdate, type LogLine } from './read-log.js';
import type { OwnPolicies } from '../policies/own.js';
import type { ScenarioFiles } from '../scenario/files.js';
import { roundsOf, type Group, type Scenario } from '../scenario/scenario.js';
import { Population } from '../world/population.js';
import { World } from '../world/world.js';

/** A run that is to go on otherwise from a moment on. */
export interface ForkOptions {
  /** Names the log in messages. */
  readonly file: string;
  /** The log of the run, from its first update. */
  readonly past: Iterable<LoggedUpdate>;
  /** Offset of the last update that both futures share. */
  readonly at: number;
  /** The scenario's groups with the wallets of the other future. */
  readonly groups: readonly Group[];
  readonly replicate?: number;
  /** Policies of the user's own, of both futures. */
  readonly policies?: OwnPolicies;
  readonly files?: ScenarioFiles;
  /** Takes the log of the other future, which begins with the shared past. */
  readonly log?: Sink;
  readonly onProgress?: (rounds: number, total: number | null) => void;
}

/** Two futures of one past. */
export interface Fork {
  /** Round, from 0, in which they part. */
  readonly round: number;
  /** The future of the log. */
  readonly before: LogFigures;
  /** The other future. */
  readonly after: LogFigures;
  readonly log: LogSummary;
  readonly stateHash: string;
}

/**
 * Continues a logged run under other wallets: what the parties want, and every draw of chance, stays. The past is played again and held
 * against the log, update by update, so that what is not in a log (whom an answer is due from, what waits for coin, where chance stands)
 * is as it was at that very update. Throws a {@link BrokenLog} where the log is not that of the scenario and replicate, and a RangeError
 * when it ends before `at`.
 */
export function forkRun(scenario: Scenario, options: ForkOptions): Fork {
  const { file, at, groups, replicate = 0, policies = {}, files = new Map(), onProgress } = options;
  const past = options.past[Symbol.iterator]();
  const registry = new Population(scenario.groups);
  const [before, after] = [new LogMetrics(registry, scenario), new LogMetrics(registry, scenario)];
  const log = new EventLog(options.log ?? ((): void => undefined));
  let world: World | null = null;
  let parted = -1;
  const part = (from: World): void => {
    parted = from.round;
    from.adopt(groups, policies);
  };
  const onEntry = (entry: Entry): void => {
    const update = updateOf(entry);
    log.append(update);
    after.take(update);
    if (update.offset > at) return;
    const logged = past.next();
    if (logged.done) throw new RangeError(`${file} ends at offset ${update.offset - 1}, before ${at}`);
    requireSame(update, logged.value, file);
    before.take(update);
    if (update.offset === at && world) part(world);
  };
  world = new World(scenario, { replicate, policies, files, onEntry });
  // The network itself is founded without a decision of any wallet.
  if (world.updates >= at) part(world);
  const total = roundsOf(scenario.duration);
  while (!world.isOver) {
    world.playRound();
    onProgress?.(world.round, Number.isFinite(total) ? total : null);
  }
  if (parted < 0) throw new RangeError(`the scenario is over at offset ${world.updates}, before ${at}`);
  for (let logged = past.next(); !logged.done; logged = past.next()) before.take(logged.value.update);
  return {
    round: parted,
    before: before.figures(),
    after: after.figures(),
    log: log.close(),
    stateHash: world.hash(),
  };
}

function requireSame(update: Update, { line }: LoggedUpdate, file: string): void {
  if (codec.encode(update) !== line.text) throw differs(file, line, update);
}

function differs(file: string, line: LogLine, { kind }: Update): BrokenLog {
  return new BrokenLog(
    file,
    line,
    `is not what the scenario leads to, which is ${kind}: the log is of another scenario, replicate or version, or was altered`,
  );
}
