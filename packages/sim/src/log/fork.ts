import { codec, updateOf, type Entry } from '@coinlab/core';
import { isPacked, receiverOf, senderOf, type PackedTransfer } from '@coinlab/core/codec';
import { EventLog, type LogSummary, type Sink } from './event-log.js';
import { LogMetrics, type LogFigures } from './log-metrics.js';
import { BrokenLog, type LoggedEntry, type LogPosition } from './read-log.js';
import type { OwnPolicies } from '../policies/own.js';
import type { ScenarioFiles } from '../scenario/files.js';
import { roundsOf, type Group, type Scenario } from '../scenario/scenario.js';
import { Population } from '../world/population.js';
import { World } from '../world/world.js';

/** A logged run and the change to apply at one of its updates. */
export interface ForkOptions {
  readonly file: string;
  readonly history: Iterable<LoggedEntry>;
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
    const { offset } = entry;
    log.append(entry);
    after.take(entry);
    if (offset > at) return;
    const logged = history.next();
    if (logged.done) throw new RangeError(`${file} ends at offset ${offset - 1}, before ${at}`);
    requireSame(entry, logged.value, file);
    before.take(logged.value.entry);
    if (offset === at && world) diverge(world);
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
  for (let logged = history.next(); !logged.done; logged = history.next()) before.take(logged.value.entry);
  return {
    round: forkedAt,
    before: before.figures(),
    after: after.figures(),
    log: log.close(),
    stateHash: world.hash(),
  };
}

function requireSame(entry: Entry, logged: LoggedEntry, file: string): void {
  const other = logged.entry;
  const isSame = isPacked(entry) && isPacked(other) ? areEqual(entry, other) : textOf(entry) === textOf(other);
  if (!isSame) throw differs(file, logged.position, entry);
}

/** Compares packed transfers whose parties are numbered by two ledgers. */
function areEqual(a: PackedTransfer, b: PackedTransfer): boolean {
  return (
    a.offset === b.offset &&
    a.recordTime === b.recordTime &&
    a.kind === b.kind &&
    a.seed === b.seed &&
    a.firstCoin === b.firstCoin &&
    a.paid === b.paid &&
    a.change === b.change &&
    a.preapproval === b.preapproval &&
    a.round === b.round &&
    a.rate === b.rate &&
    a.inputs.length === b.inputs.length &&
    a.inputs.every((input, i) => input === b.inputs[i]) &&
    senderOf(a) === senderOf(b) &&
    receiverOf(a) === receiverOf(b)
  );
}

function textOf(entry: Entry): string {
  return codec.encode(updateOf(entry));
}

function differs(file: string, position: LogPosition, { kind }: Entry): BrokenLog {
  return new BrokenLog(
    file,
    position,
    `differs from the scenario, which produces ${kind} here: the log belongs to another scenario, replicate or version, or was altered`,
  );
}
