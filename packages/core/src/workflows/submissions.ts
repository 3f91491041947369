import { contractsByKey, dueOf, type LedgerState } from '../contracts/state.js';
import { changeIdKey, type ChangeId, type SubmittedCommand } from '../contracts/submitted-command.js';
import type { Context } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { JsonObject } from '../kernel/json.js';
import type { Rejected } from '../kernel/rejection.js';
import { err, ok } from '../kernel/result.js';
import { integer, jsonObject, list, party, text } from '../kernel/shape.js';
import { DEDUPLICATION_PERIOD } from '../rules/deduplication.js';
import { Instant } from '../kernel/time.js';
import { shapeOf, type AnyDecision, type CarryingWorkflow, type CommandRunner } from '../rules/workflow.js';
import { invalid } from '../rules/refusals.js';

/**
 * Executes a command of a user once: a second command with the same user, acting parties and command id is refused.
 * The update is that of the command, with a {@link SubmittedCommand}. Refused commands leave no record, so they can
 * be submitted again. Acts as the parties that the command needs.
 * Assumption: A-131.
 */
interface SubmitOnce extends ChangeId {
  readonly type: 'SubmitOnce';
  readonly userId: string;
  /** The acting parties; of a signed transaction, the signer. */
  readonly actAs: readonly PartyId[];
  readonly commandId: string;
  readonly submissionId: string;
  readonly workflowId: string;
  /** Offset up to which earlier commands are no duplicates; 0: every recorded command counts. */
  readonly deduplicateAfter: number;
  /** The command in its JSON form, as `formatCommand` returns it. It may carry a signature. */
  readonly command: JsonObject;
}

const outcomes = {
  SubmitOnce: { becomes: [], refusals: ['INVALID_ARGUMENT', 'DUPLICATE_COMMAND'], carries: true },
} as const;

const CARRIED = 'a command other than SubmitOnce';

/** Bounds the cost of one submission. */
const MOST_DROPPED = 100;

export const submissions: CarryingWorkflow<SubmitOnce, Record<never, never>, typeof outcomes> = {
  commands: {
    SubmitOnce: shapeOf<SubmitOnce>({
      userId: text,
      actAs: list(party),
      commandId: text,
      submissionId: text,
      workflowId: text,
      deduplicateAfter: integer,
      command: jsonObject,
    }),
  },
  outcomes,
  source: '§9.3',
  updates: {},
  decide: submitOnce,
};

function submitOnce(submitted: SubmitOnce, state: LedgerState, context: Context, runner: CommandRunner): AnyDecision {
  const { userId, commandId, submissionId, workflowId } = submitted;
  const actAs = [...new Set(submitted.actAs)].sort();
  const command = runner.parse(submitted.command);
  if (!command.ok || command.value.type === submitted.type) {
    const [fault] = command.ok ? [] : command.error;
    const { field, value, expected } = fault ?? { field: 'type', value: submitted.type, expected: CARRIED };
    return err(invalid(`command.${field}`, value, expected));
  }
  const duplicate = refuseDuplicate({ userId, actAs, commandId }, submitted.deduplicateAfter, state, context.now);
  if (duplicate) return err(duplicate);
  const outcome = runner.decide(command.value, state, context);
  if (!outcome.ok) return outcome;

  const { kind, archived, created, detail, actAs: signers = context.actAs } = outcome.value;
  const acting = [...new Set(signers)].sort();
  if (acting.join() !== actAs.join()) return err(invalid('actAs', actAs.join(), acting.join()));
  const record: SubmittedCommand = {
    // The next id after the contracts that the command created.
    id: ((created.at(-1)?.id ?? state.nextContract - 1) + 1) as ContractId,
    template: 'SubmittedCommand',
    userId,
    actAs,
    commandId,
    submissionId,
    workflowId,
    offset: state.offset + 1,
    expiresAt: Instant.plus(context.now, DEDUPLICATION_PERIOD),
  };
  return ok({
    kind,
    archived: [...archived, ...expired(state, context.now)],
    created: [...created, record],
    detail,
    actAs: signers,
  });
}

function refuseDuplicate(
  changeId: ChangeId,
  deduplicateAfter: number,
  state: LedgerState,
  now: Instant,
): Rejected<'DUPLICATE_COMMAND'> | null {
  for (const earlier of contractsByKey(state, 'SubmittedCommand', changeIdKey(changeId))) {
    const { offset, submissionId, expiresAt } = earlier;
    if (offset > deduplicateAfter && now < expiresAt)
      return { code: 'DUPLICATE_COMMAND', commandId: changeId.commandId, submissionId, offset };
  }
  return null;
}

function expired(state: LedgerState, now: Instant): readonly ContractId[] {
  const ids: ContractId[] = [];
  for (const { id } of dueOf(state, 'SubmittedCommand', now)) {
    if (ids.length === MOST_DROPPED) break;
    ids.push(id);
  }
  return ids;
}
