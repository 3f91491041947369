import type { ExecutedTransaction } from '../contracts/external-party.js';
import type { LedgerState } from '../contracts/state.js';
import type { Context } from '../kernel/decision.js';
import type { ContractId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { party, record, text } from '../kernel/shape.js';
import { openPrepared, type SignedTransaction } from '../rules/signing/prepared.js';
import type { CarryingWorkflow, CommandRunner, AnyDecision } from '../rules/workflow.js';
import { invalid } from '../rules/refusals.js';

/**
 * The refusals of this workflow itself, before those of the carried command. The reference pages read it.
 * @public
 */

/**
 * Executes the command of a prepared transaction as its party, once. Acts as any party: the signature of the
 * transaction's party over the prepared hash authorises it. The update is that of the command.
 * Source: specification §9.2, §9.3, §10 (34). Assumption: A-43.
 */
interface SubmitPrepared extends SignedTransaction {
  readonly type: 'SubmitPrepared';
}

const outcomes = {
  SubmitPrepared: {
    becomes: [],
    refusals: [
      'INVALID_ARGUMENT',
      'GROUP_MISMATCH',
      'DSO_MISMATCH',
      'CONTRACT_NOT_FOUND',
      'INVALID_SIGNATURE',
      'ALREADY_EXISTS',
      'DEADLINE_PASSED',
    ],
    carries: true,
  },
} as const;

export const prepared: CarryingWorkflow<SubmitPrepared, Record<never, never>, typeof outcomes> = {
  commands: {
    SubmitPrepared: record<SignedTransaction>({ party, transaction: text, signature: text, publicKey: text }),
  },
  outcomes,
  source: '§9.2, §9.3',
  updates: {},
  decide: submit,
};

function submit(signed: SubmitPrepared, state: LedgerState, { now }: Context, runner: CommandRunner): AnyDecision {
  const opened = openPrepared(signed, state, now, runner);
  if (!opened.ok) return opened;
  const { prepared: transaction, hash, outdated } = opened.value;
  const json = opened.value.commandOn(state, now);
  if (!json.ok) return json;
  const command = runner.parse(json.value);
  const fault = command.ok ? null : command.error[0];
  if (fault) return err({ code: 'INVALID_ARGUMENT', ...fault });
  if (!command.ok || runner.isSubmission(command.value))
    return err(
      invalid(
        'command.type',
        command.ok ? command.value.type : 'nothing',
        'a command that carries no signature and no other command',
      ),
    );
  const outcome = runner.decide(command.value, state, { now, actAs: [transaction.party] });
  if (!outcome.ok) return outcome;

  const { kind, archived, created, detail } = outcome.value;
  const executed: ExecutedTransaction = {
    // The next id after the contracts that the command created.
    id: ((created.at(-1)?.id ?? state.nextContract - 1) + 1) as ContractId,
    template: 'ExecutedTransaction',
    party: transaction.party,
    hash,
    expiresAt: transaction.expiresAt,
  };
  return ok({
    kind,
    archived: [...archived, ...outdated.map(({ id }) => id)],
    created: [...created, executed],
    detail,
    actAs: [transaction.party],
  });
}
