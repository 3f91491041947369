import { at } from '@coinlab/core/workflows';
import fc from 'fast-check';
import { describeMalformed, LAWS, type Law, type Ledger, COMMAND_TYPES, type CommandType } from '@coinlab/core';
import { LedgerAssertionError } from '../failure.js';
import { sequences, type Drawn } from '../generator/commands.js';
import { LedgerCheckFailure } from './failure.js';
import type { RunStory } from './finding.js';
import type { Awaitable, LedgerSystem } from './port.js';
import { run } from './run.js';
import { opening, startOf, STARTS, START_WEIGHTS, type StartName } from './starts.js';
import { replayAutomation, AUTOMATION } from './check-automation.js';
import { logOf } from './story.js';
import { Tally, type CommandCoverage } from './tally.js';
import {
  formatReplayToken,
  GENERATOR,
  KIT_VERSION,
  lawNames,
  parseReplayToken,
  replayObstacle,
  type ReplayToken,
} from './token.js';

/** Options of {@link checkConformance}. */
export interface ConformanceCheck {
  readonly system: LedgerSystem;
  /** Types of commands to draw; default: all. */
  readonly commands?: readonly CommandType[];
  /** Number of random sequences; default: 1000. */
  readonly runs?: number;
  /** Maximum number of commands in a sequence; default: 60. */
  readonly maxCommands?: number;
  /** The initial ledgers; default: mostly busy networks under all profiles, rarely an empty ledger. */
  readonly starts?: readonly StartName[];
  /** An initial ledger that replaces `starts`. The token contains its hash, so a replay needs the same ledger. */
  readonly start?: Ledger;
  /** The laws to check; default: all laws of the core. */
  readonly laws?: readonly Law[];
  /** Random seed; default: the seed that fast-check is configured with, or a random one. */
  readonly seed?: number;
  /** Token of a failure; the check then repeats only that run, with the token's commands, starts and limits. */
  readonly token?: string;
  /**
   * Types of commands that the check must see both accepted and refused at least once; `all`: every drawn
   * type. Default: none.
   */
  readonly expectCovered?: 'all' | readonly CommandType[];
  /** Writes the log of a failure and returns its path; the kit itself writes no files. */
  readonly writeLog?: (name: string, text: string) => Awaitable<string>;
}

/** The report of a check that found no failure. */
export interface ConformanceReport {
  readonly system: string;
  readonly runs: number;
  readonly commands: number;
  /** Share of the commands whose outcome the auditor predicted, from 0 to 1. */
  readonly predictedShare: number;
  readonly seed: number;
  readonly coverage: CommandCoverage;
}

interface Drawing {
  readonly start: StartName;
  readonly steps: readonly Drawn[];
}

/**
 * Runs random sequences of commands against a ledger. After each command it checks the laws and compares the
 * ledger with the auditor. After each sequence it checks that the log replays to the ledger's state, and that
 * the same commands give the same log.
 * @throws LedgerCheckFailure with the shortest failing sequence that it finds; an error if a command of
 * `expectCovered` stays uncovered
 */
export async function checkConformance(check: ConformanceCheck): Promise<ConformanceReport> {
  const { system, runs = 1000, expectCovered } = check;
  if (check.token !== undefined) return checkToken(check, check.token);
  const tally = new Tally();
  const property = fc.asyncProperty(drawings(settingsOf(check)), async (drawing) => {
    const story = await play(check, drawing);
    tally.count(story);
    return story.finding === null;
  });
  const details = await fc.check(property, {
    numRuns: runs,
    ...(check.seed === undefined ? {} : { seed: check.seed }),
  });
  if (details.failed && details.counterexample) {
    const story = await play(check, details.counterexample[0]);
    const { seed, counterexamplePath, numRuns, numShrinks } = details;
    const path = counterexamplePath ?? '';
    throw await failure({ story, token: tokenOf(check, seed, path), runs: numRuns, shrinks: numShrinks }, check);
  }
  const wanted = expectCovered === 'all' ? (check.commands ?? COMMAND_TYPES) : (expectCovered ?? []);
  requireCovered(tally.coverage(wanted));
  return reportOf(system, tally, details.seed, check.commands);
}

/**
 * Repeats the run of a token against any system and returns its story. Throws if the settings differ from
 * those of the token ({@link replayObstacle}).
 */
export async function replayToken(
  token: ReplayToken,
  check: Pick<ConformanceCheck, 'system' | 'laws' | 'start'>,
): Promise<RunStory> {
  const { seed, path, starts, maxCommands, commands } = token;
  const obstacle = replayObstacle(token, check);
  if (obstacle !== null) throw new LedgerAssertionError(obstacle);
  if (token.system === AUTOMATION) return replayAutomation(token);
  const settings = { ...check, starts, maxCommands, ...(commands ? { commands } : {}) };
  const drawing = at(fc.sample(drawings(settingsOf(settings)), { seed, path, numRuns: 1 }), 0);
  return play(settings, drawing);
}

async function checkToken(check: ConformanceCheck, text: string): Promise<ConformanceReport> {
  const token = parseReplayToken(text);
  if (!token.ok) throw new LedgerAssertionError(describeMalformed(token.error));
  const story = await replayToken(token.value, check);
  if (story.finding) throw await failure({ story, token: token.value, runs: 1, shrinks: 0 }, check);
  const tally = new Tally();
  tally.count(story);
  return reportOf(check.system, tally, token.value.seed, token.value.commands ?? undefined);
}

function reportOf(
  system: LedgerSystem,
  tally: Tally,
  seed: number,
  commands: readonly CommandType[] | undefined,
): ConformanceReport {
  return {
    system: system.name,
    runs: tally.runs,
    commands: tally.commands,
    predictedShare: tally.commands === 0 ? 0 : tally.predicted / tally.commands,
    seed,
    coverage: tally.coverage(commands),
  };
}

function settingsOf({
  starts = STARTS,
  maxCommands = 60,
  commands,
}: Omit<ConformanceCheck, 'system'>): Pick<ReplayToken, 'starts' | 'maxCommands' | 'commands'> {
  return { starts, maxCommands, commands: commands ?? null };
}

function tokenOf(check: ConformanceCheck, seed: number, path: string): ReplayToken {
  const given = { start: check.start?.hash() ?? null, laws: lawNames(check.laws) };
  return {
    kit: KIT_VERSION,
    generator: GENERATOR,
    system: check.system.name,
    seed,
    path,
    ...given,
    ...settingsOf(check),
  };
}

function drawings(settings: Pick<ReplayToken, 'starts' | 'maxCommands' | 'commands'>): fc.Arbitrary<Drawing> {
  const { starts, maxCommands, commands } = settings;
  // A start with weight n is listed n times. `constantFrom` shrinks towards the first start.
  const weighted = starts.flatMap((start) => Array.from({ length: START_WEIGHTS[start] }, () => start));
  return fc.record({ start: fc.constantFrom(...weighted), steps: sequences(maxCommands, commands ?? undefined) });
}

function play(check: ConformanceCheck, { start, steps }: Drawing): Promise<RunStory> {
  const { system, laws = LAWS, commands } = check;
  const plan = { system, laws, start: check.start ?? startOf(start), commands: commands ? new Set(commands) : null };
  return run(plan, check.start ? steps : [...opening(start, steps), ...steps]);
}

async function failure(
  found: { readonly story: RunStory; readonly token: ReplayToken; readonly runs: number; readonly shrinks: number },
  { writeLog, start, laws }: ConformanceCheck,
): Promise<LedgerAssertionError> {
  const { story, runs, shrinks } = found;
  const { finding } = story;
  if (!finding)
    return new LedgerAssertionError('the ledger answers the same commands in another way the second time it is asked');
  const logFile = (await writeLog?.(`${finding.by}-${found.token.seed}.ndjson`, logOf(story))) ?? null;
  const token = formatReplayToken(found.token);
  const names = ['system', ...(start ? ['start'] : []), ...(laws ? ['laws'] : [])];
  const again = `await checkConformance({ ${names.join(', ')}, token: '${token}' })`;
  return new LedgerCheckFailure({ finding, story, token, again, runs, shrinks, logFile });
}

function requireCovered({ neverAccepted, neverRefused }: CommandCoverage): void {
  if (neverAccepted.length + neverRefused.length === 0) return;
  throw new LedgerAssertionError(
    [
      'commands stay uncovered',
      ...(neverAccepted.length > 0 ? [`  never accepted  ${neverAccepted.join(', ')}`] : []),
      ...(neverRefused.length > 0 ? [`  never refused   ${neverRefused.join(', ')}`] : []),
    ].join('\n'),
  );
}
