import type { Contract } from '../contracts/contract.js';
import type { ExecutedTransaction } from '../contracts/external-party.js';
import type { LedgerState } from '../contracts/state.js';
import type { CommandShapes, Context, Outcome } from '../kernel/decision.js';
import type { ContractId } from '../kernel/ids.js';
import type { Malformed } from '../kernel/malformed.js';
import type { Rejection } from '../kernel/rejection.js';
import { err, ok, type Result } from '../kernel/result.js';
import { party, record, text, type Json } from '../kernel/shape.js';
import { openPrepared, type SignedTransaction } from '../rules/prepared.js';

/**
 * The refusals of this workflow itself, before those of the carried command. The reference pages read it.
 * @public
 */
export type { PreparedRejection } from '../rules/prepared.js';

/**
 * Executes a prepared transaction: the command that it carries, as its party. Whoever acts may bring it; what authorises it is the
 * signature of the party's key over the prepared hash. It takes effect once. The update is the one of the command, by the party.
 * Source: specification §9.2, §9.3, §10 (34). Assumption: A-43.
 */
export interface SubmitPrepared extends SignedTransaction {
  readonly type: 'SubmitPrepared';
}

/** How any command is read and decided: what the front hall lends to this workflow, which knows no other. */
export interface CommandHall<Command extends { readonly type: string }> {
  parse(json: Json): Result<Command, readonly Malformed[]>;
  /** Whether a command brings signatures itself; such a one is not prepared. */
  carriesSignature(command: Command): boolean;
  decide(command: Command, state: LedgerState, context: Context): Result<Outcome<Contract, string, object>, Rejection>;
}

/** A workflow whose updates are those of the commands it carries. */
export interface PreparedWorkflow {
  readonly commands: CommandShapes<SubmitPrepared>;
  readonly details: Readonly<Record<never, never>>;
  decide(
    command: SubmitPrepared,
    state: LedgerState,
    context: Context,
  ): Result<Outcome<Contract, string, object>, Rejection>;
}

/** The workflow of prepared transactions. */
export function preparedTransactions<Command extends { readonly type: string }>(
  hall: CommandHall<Command>,
): PreparedWorkflow {
  return {
    commands: {
      SubmitPrepared: record<SignedTransaction>({ party, transaction: text, signature: text, publicKey: text }),
    },
    details: {},
    decide: (command, state, context) => submit(command, state, context, hall),
  };
}

function submit<Command extends { readonly type: string }>(
  signed: SubmitPrepared,
  state: LedgerState,
  { now }: Context,
  hall: CommandHall<Command>,
): Result<Outcome<Contract, string, object>, Rejection> {
  const opened = openPrepared(signed, state, now);
  if (!opened.ok) return opened;
  const { prepared, hash, outdated } = opened.value;
  const command = hall.parse(prepared.command);
  const fault = command.ok ? null : command.error[0];
  if (fault) return err({ code: 'INVALID_ARGUMENT', ...fault });
  if (!command.ok || hall.carriesSignature(command.value))
    return err({
      code: 'INVALID_ARGUMENT',
      field: 'command.type',
      value: command.ok ? command.value.type : 'nothing',
      expected: 'a command that carries no signature of its own',
    });
  const outcome = hall.decide(command.value, state, { now, actAs: [prepared.party] });
  if (!outcome.ok) return outcome;

  const { archived, created } = outcome.value;
  const executed: ExecutedTransaction = {
    id: ((created.at(-1)?.id ?? state.nextContract - 1) + 1) as ContractId,
    template: 'ExecutedTransaction',
    party: prepared.party,
    hash,
    expiresAt: prepared.expiresAt,
  };
  return ok({
    ...outcome.value,
    archived: [...archived, ...outdated.map(({ id }) => id)],
    created: [...created, executed],
    actAs: [prepared.party],
  });
}
