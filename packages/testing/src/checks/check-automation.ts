import { at } from '@coinlab/core/workflows';
import fc from 'fast-check';
import { LedgerCheckFailure } from './failure.js';
import type { AutomationPolicies } from './automation-question.js';
import { automationRun, OUR_POLICIES, type AutomationDrawing } from './automation-run.js';
import { logOf } from './story.js';
import type { Awaitable } from './port.js';
import type { RunStory } from './finding.js';
import { AUTOMATION_COMMANDS, AUTOMATION_STARTS } from './automation-run.js';
import { sequences } from '../generator/commands.js';
import { formatReplayToken, KIT_VERSION, type ReplayToken } from './token.js';

/** What is checked and how. */
export interface AutomationCheck {
  /** Left out: those of the core. */
  readonly policies?: AutomationPolicies;
  /** Random situations; left out: 1000. */
  readonly runs?: number;
  /** Most commands that lead to a situation; left out: 12. */
  readonly maxCommands?: number;
  /** Left out: what fast-check is configured with, or a fresh one. */
  readonly seed?: number;
  /** Writes the log of a failure and tells where: the core itself writes no files. */
  readonly writeLog?: (name: string, text: string) => Awaitable<string>;
}

/** What a check that found nothing did. */
export interface AutomationCheckReport {
  readonly runs: number;
  /** How often a policy wanted something done. */
  readonly acted: number;
  readonly seed: number;
}

/** Name of the system in the tokens of this check. */
export const AUTOMATION: string = 'automation';

/**
 * Asks policies in random situations, with limits at, just below and just above what is there. Merging by delegation acts for those
 * who have more coins than its limit and nobody else, and makes one coin of them; a sweep acts above the greatest balance alone and
 * leaves the least; asked twice both answer the same, and the ledger accepts what they want. Throws a {@link LedgerCheckFailure}
 * with the shortest way into the situation that it finds.
 * Source: specification §8.4, §8.8, §10 (50, 53, 54).
 */
export async function checkAutomation(check: AutomationCheck = {}): Promise<AutomationCheckReport> {
  const { policies = OUR_POLICIES, runs = 1000, maxCommands = 12, writeLog } = check;
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
  // Policies are functions of the state: what failed once fails again.
  if (!finding) throw new Error('a policy answers otherwise when it is asked again');
  const settings = { starts: AUTOMATION_STARTS, maxCommands, commands: AUTOMATION_COMMANDS };
  const token = { kit: KIT_VERSION, system: AUTOMATION, seed, path: counterexamplePath ?? '', ...settings };
  const logFile = (await writeLog?.(`automation-${seed}.ndjson`, logOf(story))) ?? null;
  const told = { runs: numRuns, shrinks: numShrinks, logFile };
  throw new LedgerCheckFailure({ finding, story, token: formatReplayToken(token), ...told });
}

/** Plays the situation of a token once more. */
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
