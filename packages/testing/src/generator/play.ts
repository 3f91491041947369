import {
  brokenLaws,
  codec,
  COMMAND_TYPES,
  LAWS,
  UPDATE_KINDS,
  type Command,
  type CommandType,
  type Ledger,
  type Rejection,
  type Result,
  type Submission,
  type Update,
} from '@coinlab/core';
import { describeSubmission, resolve } from './commands.js';
import type { Drawn } from './recipe.js';

/**
 * Counts the outcomes of commands: acceptances and refusals by command type, refusals by code, and kinds of
 * updates.
 */
export class Coverage {
  readonly accepted: Map<CommandType, number> = new Map();
  readonly refused: Map<CommandType, number> = new Map();
  readonly codes: Map<string, number> = new Map();
  readonly kinds: Map<string, number> = new Map();

  count(command: Command, result: Result<{ readonly update: Update }, Rejection>): void {
    bump(result.ok ? this.accepted : this.refused, command.type);
    if (result.ok) bump(this.kinds, result.value.update.kind);
    else bump(this.codes, result.error.code);
  }

  /**
   * Returns the command types that were never accepted, those that were never refused, and the update kinds
   * that never occurred.
   */
  gaps(): { readonly neverAccepted: string[]; readonly neverRefused: string[]; readonly neverHappened: string[] } {
    return {
      neverAccepted: COMMAND_TYPES.filter((type) => !this.accepted.has(type)),
      neverRefused: COMMAND_TYPES.filter((type) => !this.refused.has(type)),
      neverHappened: UPDATE_KINDS.filter((kind) => !this.kinds.has(kind)),
    };
  }
}

function bump<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/**
 * Submits a sequence and checks every law after every update.
 * @returns the ledger after the last command
 * @throws an error with the commands so far, the update and the broken law
 */
export function play(start: Ledger, steps: readonly Drawn[], coverage: Coverage = new Coverage()): Ledger {
  let ledger = start;
  const told: string[] = [];
  const accepted: Submission[] = [];
  for (const step of steps) {
    const submission = resolve(step, ledger.state, accepted);
    const result = ledger.submit(submission.command, submission.context);
    coverage.count(submission.command, result);
    told.push(`${describeSubmission(submission)} → ${result.ok ? result.value.update.kind : result.error.code}`);
    if (!result.ok) continue;
    accepted.push(submission);
    requireLaws(ledger, result.value.update, result.value.ledger, told);
    ledger = result.value.ledger;
  }
  return ledger;
}

export function requireLaws(before: Ledger, update: Update, after: Ledger, told: readonly string[]): void {
  const [broken] = brokenLaws(LAWS, { before: before.state, update, after: after.state });
  if (!broken) return;
  throw new Error(
    [`✗ ${broken.name} (invariant ${broken.invariant})`, ...told.map((line) => `  ${line}`), codec.encode(update)].join(
      '\n',
    ),
  );
}
