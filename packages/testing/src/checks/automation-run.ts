import { mergeDelegatedHoldings, sweep, type Policy, type Task } from '@coinlab/automation';
import { type Ledger, formatCommand, type CommandType } from '@coinlab/core';
import { Dice } from '../generator/dice.js';
import { resolve, type Drawn } from '../generator/commands.js';
import type { AutomationPolicies } from './automation-question.js';
import { mergeQuestions } from './automation-merge.js';
import { sweepQuestions } from './automation-sweep.js';
import type { RunStory, ToldStep } from './finding.js';
import { crashed } from './guard.js';
import { startOf, type StartName } from './starts.js';

export const OUR_POLICIES: AutomationPolicies = { sweep, mergeDelegatedHoldings };

export interface AutomationDrawing {
  readonly start: StartName;
  readonly steps: readonly Drawn[];
  readonly question: readonly number[];
}

/** Their profiles have no transfer fees, so a sweep's remaining balance is exact to the unit. */
export const AUTOMATION_STARTS: readonly StartName[] = ['feeless', 'feeless-24h'];

export const AUTOMATION_COMMANDS: readonly CommandType[] = [
  'Tap',
  'SelfTransfer',
  'MergeHoldings',
  'DirectTransfer',
  'CreateOffer',
  'AcceptOffer',
  'CreateWalletOffer',
  'AcceptWalletOffer',
  'CompleteWalletOffer',
  'CancelPreapproval',
];

export function automationRun(
  { start, steps: drawn, question }: AutomationDrawing,
  policies: AutomationPolicies,
): { readonly story: RunStory; readonly acted: number } {
  const begun = startOf(start);
  const steps: ToldStep[] = [];
  let ledger = begun;
  for (const step of drawn) {
    const submission = resolve(step, ledger.state);
    if (!AUTOMATION_COMMANDS.includes(submission.command.type)) continue;
    const result = ledger.submit(submission.command, submission.context);
    const outcome = result.ok ? result.value.update.kind : result.error.code;
    steps.push({ submission, outcome, accepted: result.ok });
    if (result.ok) ({ ledger } = result.value);
  }
  const told = { start: begun, before: ledger.state, predicted: 0 };
  const dice = new Dice(question);
  let acted = 0;
  for (const { policy, judge, invariant } of [
    ...mergeQuestions(ledger, policies, dice),
    ...sweepQuestions(ledger, policies, dice),
  ]) {
    const answer = ask(ledger, policy);
    const what = answer.wrong ?? judge(answer.tasks, answer.after);
    acted += answer.tasks.length;
    if (what === null) continue;
    const finding = { by: 'automation', what, invariant } as const;
    return { story: { ...told, steps: [...steps, ...answer.steps], finding, after: answer.after }, acted };
  }
  return { story: { ...told, steps, finding: null, after: ledger }, acted };
}

interface Answer {
  readonly tasks: readonly Task[];
  readonly steps: readonly ToldStep[];
  readonly after: Ledger;
  readonly wrong: string | null;
}

function ask(ledger: Ledger, policy: Policy): Answer {
  const now = ledger.state.time;
  const steps: ToldStep[] = [];
  let after = ledger;
  let tasks: readonly Task[] = [];
  try {
    tasks = policy(ledger.state, now);
    if (told(tasks) !== told(policy(ledger.state, now)))
      return { tasks, steps, after, wrong: 'asked twice, it answers otherwise' };
    for (const { command, actAs } of tasks) {
      const result = after.submit(command, { now, actAs });
      const outcome = result.ok ? result.value.update.kind : result.error.code;
      steps.push({ submission: { command, context: { now, actAs } }, outcome, accepted: result.ok });
      if (!result.ok) return { tasks, steps, after, wrong: `wants ${command.type}, which is refused with ${outcome}` };
      after = result.value.ledger;
    }
  } catch (error) {
    return { tasks, steps, after, wrong: crashed(error).what };
  }
  return { tasks, steps, after, wrong: null };
}

function told(tasks: readonly Task[]): string {
  return JSON.stringify(tasks.map(({ command, actAs }) => [formatCommand(command), actAs]));
}
