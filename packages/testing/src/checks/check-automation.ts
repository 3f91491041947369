import { at } from '@coinlab/core/workflows';
import fc from 'fast-check';
import { describeMalformed } from '@coinlab/core';
import { LedgerAssertionError } from '../failure.js';
import { LedgerCheckFailure } from './failure.js';
import type { AutomationPolicies } from './automation-question.js';
import { automationRun, OUR_POLICIES, type AutomationDrawing } from './automation-run.js';
import { logOf } from './story.js';
import type { Awaitable } from './port.js';
import type { RunStory } from './finding.js';
import { AUTOMATION_COMMANDS, AUTOMATION_STARTS } from './automation-run.js';
import { sequences } from '../generator/commands.js';
import {
  formatReplayToken,
  GENERATOR,
  KIT_VERSION,
  parseReplayToken,
  replayObstacle,
  type ReplayToken,
} from './token.js';

/** Options of {@link checkAutomation}. */
export interface AutomationCheck {
  /** The policies to check; default: those of the core. */
  readonly policies?: AutomationPolicies;
  /** Number of random situations; default: 1000. */
  readonly runs?: number;
  /** Maximum number of commands that lead to a situation; default: 12. */
  readonly maxCommands?: number;
  /** Random seed; default: the seed that fast-check is configured with, or a random one. */
  readonly seed?: number;
  /** Token of a failure; the check then runs only that situation. */
  readonly token?: string;
  /** Writes the log of a failure and returns its path; the kit itself writes no files. */
  readonly writeLog?: (name: string, text: string) => Awaitable<string>;
}

/** The report of a check that found no failure. */
export interface AutomationCheckReport {
  readonly runs: number;
  readonly acted: number;
  readonly seed: number;
}

/** The system's name in tokens of automation checks. */
export const AUTOMATION: string = 'automation';

/**
 * Checks policies in random situations with limits at, just below and just above the actual values.
 * - Delegated merging must act only for owners with more coins than its limit, and must leave them one coin.
 * - A sweep must act only above the maximum balance, and must leave the minimum balance.
 * - Both must return equal tasks for equal states, and the ledger must accept the tasks.
 *
 * Throws a {@link LedgerCheckFailure} with the shortest failing sequence of commands that it finds.
 * Source: specification §8.4, §8.8, §10 (50, 53, 54).
 */
export async function checkAutomation(check: AutomationCheck = {}): Promise<AutomationCheckReport> {
  const { policies = OUR_POLICIES, runs = 1000, maxCommands = 12, writeLog } = check;
  if (check.token !== undefined) return checkToken(check.token, policies);
  let acted = 0;
  const property = fc.property(drawings(maxCommands), (drawing) => {
    const run = automationRun(drawing, policies);
    acted += run.acted;
    return run.story.finding === null;
  });
  const chance = check.seed === undefined ? {} : { seed: check.seed };
  const { failed, counterexample, seed, counterexamplePath, numRuns, numShrinks } = fc.check(property, {
    numRuns: runs,
    ...chance,
  });
  if (!failed || !counterexample) return { runs, acted, seed };
  const { story } = automationRun(counterexample[0], policies);
  const { finding } = story;
  // A policy is a pure function of the state, so a failure must repeat.
  if (!finding) throw new Error('a policy answers otherwise when it is asked again');
  const token = formatReplayToken(tokenOf(seed, counterexamplePath ?? '', maxCommands));
  const logFile = (await writeLog?.(`automation-${seed}.ndjson`, logOf(story))) ?? null;
  const told = { runs: numRuns, shrinks: numShrinks, logFile };
  const names = check.policies ? 'policies, ' : '';
  const again = `await checkAutomation({ ${names}token: '${token}' })`;
  throw new LedgerCheckFailure({ finding, story, token, again, ...told });
}

function checkToken(text: string, policies: AutomationPolicies): AutomationCheckReport {
  const token = parseReplayToken(text);
  const obstacle = token.ok ? replayObstacle(token.value, {}) : describeMalformed(token.error);
  if (!token.ok || obstacle !== null) throw new LedgerAssertionError(obstacle ?? '');
  const story = replayAutomation(token.value, policies);
  const { finding } = story;
  if (!finding) return { runs: 1, acted: 0, seed: token.value.seed };
  const again = `await checkAutomation({ policies, token: '${text}' })`;
  throw new LedgerCheckFailure({ finding, story, token: text, again, runs: 1, shrinks: 0, logFile: null });
}

function tokenOf(seed: number, path: string, maxCommands: number): ReplayToken {
  const settings = { starts: AUTOMATION_STARTS, start: null, laws: null, maxCommands, commands: AUTOMATION_COMMANDS };
  return { kit: KIT_VERSION, generator: GENERATOR, system: AUTOMATION, seed, path, ...settings };
}

export function replayAutomation(
  { seed, path, maxCommands }: ReplayToken,
  policies: AutomationPolicies = OUR_POLICIES,
): RunStory {
  const drawing = at(fc.sample(drawings(maxCommands), { seed, path, numRuns: 1 }), 0);
  return automationRun(drawing, policies).story;
}

function drawings(maxCommands: number): fc.Arbitrary<AutomationDrawing> {
  return fc.record({
    start: fc.constantFrom(...AUTOMATION_STARTS),
    steps: sequences(maxCommands, AUTOMATION_COMMANDS),
    question: fc.array(fc.nat(0xf_ffff), { minLength: 6, maxLength: 6 }),
  });
}
