import { at } from '@coinlab/core/workflows';
import fc from 'fast-check';
import { LAWS, type Law, type Ledger, COMMAND_TYPES, type CommandType } from '@coinlab/core';
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
import { formatReplayToken, KIT_VERSION, type ReplayToken } from './token.js';

/** What is checked and how. */
export interface LedgerCheck {
  readonly system: LedgerSystem;
  /** Commands to draw; left out: all of them. */
  readonly commands?: readonly CommandType[];
  /** Random sequences to play; left out: 1000. */
  readonly runs?: number;
  /** Most commands of one sequence; left out: 60. */
  readonly maxCommands?: number;
  /** Where runs begin; left out: in busy networks under all profiles, and now and then with nothing. */
  readonly starts?: readonly StartName[];
  /** A ledger to begin with instead. The token does not carry it: give it again to replay. */
  readonly start?: Ledger;
  /** Left out: all laws of the core. */
  readonly laws?: readonly Law[];
  /** Left out: what fast-check is configured with, or a fresh one. */
  readonly seed?: number;
  /** Commands that must have been both accepted and refused by the end, or `all` that are drawn. Left out: none. */
  readonly expectCovered?: 'all' | readonly CommandType[];
  /** Writes the log of a failure and tells where: the core itself writes no files. */
  readonly writeLog?: (name: string, text: string) => Awaitable<string>;
}

/** What a check that found nothing did. */
export interface LedgerCheckReport {
  readonly system: string;
  readonly runs: number;
  readonly commands: number;
  /** Share of the commands whose outcome the auditor predicted, 0 to 1. */
  readonly predictedShare: number;
  readonly seed: number;
  readonly coverage: CommandCoverage;
}

interface Drawing {
  readonly start: StartName;
  readonly steps: readonly Drawn[];
}

/**
 * Plays random sequences of commands against a ledger. After each command the laws hold and the ledger agrees with the auditor; after
 * each sequence its log leads to its state and the same commands give the same log. Throws a {@link LedgerCheckFailure} with the
 * shortest sequence it finds that shows otherwise, and fails when commands stay uncovered that were to be.
 */
export async function checkLedger(check: LedgerCheck): Promise<LedgerCheckReport> {
  const { system, runs = 1000, expectCovered, writeLog } = check;
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
    throw await failure({ story, token: tokenOf(check, seed, path), runs: numRuns, shrinks: numShrinks }, writeLog);
  }
  const wanted = expectCovered === 'all' ? (check.commands ?? COMMAND_TYPES) : (expectCovered ?? []);
  requireCovered(tally.coverage(wanted));
  return {
    system: system.name,
    runs: tally.runs,
    commands: tally.commands,
    predictedShare: tally.commands === 0 ? 0 : tally.predicted / tally.commands,
    seed: details.seed,
    coverage: tally.coverage(check.commands),
  };
}

/** What a token shows when it is replayed. */
export interface Replayed {
  readonly story: RunStory;
  /** Whether the kit that made the token draws as this one does; otherwise the commands may be others. */
  readonly sameKit: boolean;
}

/** Plays the run of a token once more, against any system. */
export async function replayToken(
  token: ReplayToken,
  check: Pick<LedgerCheck, 'system' | 'laws' | 'start'>,
): Promise<Replayed> {
  const { seed, path, starts, maxCommands, commands } = token;
  const sameKit = token.kit === KIT_VERSION;
  if (token.system === AUTOMATION) return { story: replayAutomation(token), sameKit };
  const settings = { ...check, starts, maxCommands, ...(commands ? { commands } : {}) };
  const drawing = at(fc.sample(drawings(settingsOf(settings)), { seed, path, numRuns: 1 }), 0);
  return { story: await play(settings, drawing), sameKit };
}

function settingsOf({
  starts = STARTS,
  maxCommands = 60,
  commands,
}: Omit<LedgerCheck, 'system'>): Pick<ReplayToken, 'starts' | 'maxCommands' | 'commands'> {
  return { starts, maxCommands, commands: commands ?? null };
}

function tokenOf(check: LedgerCheck, seed: number, path: string): ReplayToken {
  return { kit: KIT_VERSION, system: check.system.name, seed, path, ...settingsOf(check) };
}

function drawings(settings: Pick<ReplayToken, 'starts' | 'maxCommands' | 'commands'>): fc.Arbitrary<Drawing> {
  const { starts, maxCommands, commands } = settings;
  // Equal chances of a repeated name, so that a failure shrinks towards the first.
  const weighted = starts.flatMap((start) => Array.from({ length: START_WEIGHTS[start] }, () => start));
  return fc.record({ start: fc.constantFrom(...weighted), steps: sequences(maxCommands, commands ?? undefined) });
}

function play(check: LedgerCheck, { start, steps }: Drawing): Promise<RunStory> {
  const { system, laws = LAWS, commands } = check;
  const plan = { system, laws, start: check.start ?? startOf(start), commands: commands ? new Set(commands) : null };
  return run(plan, check.start ? steps : [...opening(start, steps), ...steps]);
}

async function failure(
  found: { readonly story: RunStory; readonly token: ReplayToken; readonly runs: number; readonly shrinks: number },
  writeLog: LedgerCheck['writeLog'],
): Promise<LedgerAssertionError> {
  const { story, runs, shrinks } = found;
  const { finding } = story;
  if (!finding)
    return new LedgerAssertionError('the ledger answers the same commands in another way the second time it is asked');
  const logFile = (await writeLog?.(`${finding.by}-${found.token.seed}.ndjson`, logOf(story))) ?? null;
  return new LedgerCheckFailure({ finding, story, token: formatReplayToken(found.token), runs, shrinks, logFile });
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
