import { contractShape, type Contract } from '../contracts/contract.js';
import { findAny, firstByKey, forkState, settingsOf, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { Context, Outcome, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { shown } from '../kernel/malformed.js';
import { REJECTION_CODES, type Rejection, type RejectionCode } from '../kernel/rejection.js';
import { err, ok } from '../kernel/result.js';
import { contractId, list, oneOf, party, record, tagged, text, type Shape } from '../kernel/shape.js';
import { isCoupon } from '../rules/rewards/coupons.js';
import { invalid, notDecimal, refuseUnlessActing } from '../rules/refusals.js';
import { outOfFundsReason } from '../rules/tracking.js';
import { batchOperation, commandOf, OPERATION_TYPES, takesCoinsOnly, type BatchOperation } from './batch/operations.js';
import { by } from '../rules/consent.js';
import { notified, inBatch, failureOf, type Recorded, type HistorySubtype } from '../rules/history.js';
import {
  detailShape,
  shapeOf,
  type CarryingWorkflow,
  type CommandRunner,
  type AnyDecision,
} from '../rules/workflow.js';

export type * from './batch/operations.js';

/**
 * Spends a wallet's coins on several operations as one transaction. The first operation gets all inputs, each later
 * one the change of the last successful one and the inputs that it did not take; a tapped coin comes before the
 * inputs. A failed operation leaves the inputs unchanged; depending on the profile it is reported in the update or
 * refuses the whole batch. A merge is dropped when other operations take the inputs. Acts as the owner, the
 * validator, and other parties that an operation needs.
 * Source: specification §0, §8.1. Assumptions.
 */
export interface ExecuteBatch {
  readonly type: 'ExecuteBatch';
  /** Owner of the wallet: pays, receives the change, and owns the inputs. */
  readonly owner: PartyId;
  /** Party that runs the wallet and receives the app rewards. */
  readonly validator: PartyId;
  /** The owner's coins and coupons, consumed in this order. */
  readonly inputs: readonly ContractId[];
  /** One to ten, with at most one merge among them. */
  readonly operations: readonly BatchOperation[];
}

/** Result of one operation of a batch. */
export type BatchResult = OperationDone | OperationFailed | OperationDropped;

/** A successful operation, as the update that its own command would have produced, without the later operations' spending. */
interface OperationDone {
  readonly outcome: 'done';
  readonly operation: BatchOperation['type'];
  readonly archived: readonly ContractId[];
  readonly created: readonly Contract[];
  readonly happened: Happened;
}

interface Happened {
  readonly kind: string;
  readonly detail: ValueDetail;
}

/** A refused operation in a batch whose other operations took effect. */
interface OperationFailed {
  readonly outcome: 'failed';
  readonly operation: BatchOperation['type'];
  readonly code: RejectionCode;
  readonly reason: string;
}

/** A merge without effect, because the other operations merge all inputs. */
interface OperationDropped {
  readonly outcome: 'dropped';
  readonly operation: BatchOperation['type'];
}

/** The detail of a batch. The update's archived and created contracts leave out contracts created and archived within the batch. */
interface BatchExecutedDetail extends ValueDetail {
  readonly owner: PartyId;
  readonly validator: PartyId;
  readonly operations: readonly BatchResult[];
}

export interface BatchDetails {
  readonly BatchExecuted: BatchExecutedDetail;
}

/** A missing operation fails to compile. */
type OperationUpdates = {
  readonly [Type in BatchOperation['type']]: Readonly<Record<string, { readonly detail: Shape<ValueDetail> }>>;
};

const MOST_OPERATIONS = 10;

export const outcomes = {
  ExecuteBatch: {
    becomes: ['BatchExecuted'],
    refusals: ['NOT_AUTHORISED', 'INVALID_ARGUMENT', 'DUPLICATE_INPUT'],
    carries: true,
  },
} as const;

export function batches(updates: OperationUpdates): CarryingWorkflow<ExecuteBatch, BatchDetails, typeof outcomes> {
  return {
    outcomes,
    source: '§0, §8.1',
    commands: {
      ExecuteBatch: shapeOf<ExecuteBatch>({
        owner: party,
        validator: party,
        inputs: list(contractId),
        operations: list(batchOperation),
      }),
    },
    updates: {
      BatchExecuted: {
        detail: detailShape<BatchExecutedDetail>({
          owner: party,
          validator: party,
          operations: list(resultShape(updates)),
        }),
        consent: by('owner', 'validator'),
        ends: null,
        // Only failed operations; successful ones are recorded as updates of their own.
        history: ({ detail }) => detail.operations.flatMap((result) => recordFailure(result, detail.owner)),
      },
    },
    decide(command, state, context, runner) {
      const refused = refuse(command, state, context);
      return refused ? err(refused) : execute(command, state, context, runner);
    },
  };
}

function resultShape(updates: OperationUpdates): Shape<BatchResult> {
  const operation = oneOf(OPERATION_TYPES);
  return tagged<BatchResult>('outcome', {
    done: record<Omit<OperationDone, 'outcome'>>({
      operation,
      archived: list(contractId),
      created: list(contractShape),
      happened: happenedShape(updates),
    }),
    failed: record<Omit<OperationFailed, 'outcome'>>({ operation, code: oneOf(REJECTION_CODES), reason: text }),
    dropped: record<Omit<OperationDropped, 'outcome'>>({ operation }),
  });
}

/** Does not list the details again, because the reference pages explain each with its kind. */
function happenedShape(updates: OperationUpdates): Shape<Happened> {
  const records = Object.values(updates)
    .flatMap((kinds) => Object.entries(kinds))
    .map(([kind, { detail }]) => [kind, record<Pick<Happened, 'detail'>>({ detail })]);
  const { variants: _, ...happened } = tagged<Happened>('kind', Object.fromEntries(records));
  return { ...happened, expected: 'record of kind, detail' };
}

function refuse(
  { owner, validator, inputs, operations }: ExecuteBatch,
  state: LedgerState,
  context: Context,
): Rejection | null {
  const unauthorised = refuseUnlessActing(context, owner, validator);
  if (unauthorised) return unauthorised;
  if (firstByKey(state, 'ExternalPartyKey', owner))
    return invalid('owner', owner, 'a party that no key of its own signs for');
  const { length } = operations;
  if (length < 1 || length > MOST_OPERATIONS)
    return invalid('operations', `${length} operations`, `one to ${MOST_OPERATIONS}`);
  const merges = operations.filter(isMerge).length;
  if (merges > 1) return invalid('operations', `${merges} merges`, 'at most one merge');
  const twice = inputs.find((id, i) => inputs.indexOf(id) < i);
  return twice === undefined ? null : { code: 'DUPLICATE_INPUT', contract: twice };
}

function execute(command: ExecuteBatch, state: LedgerState, context: Context, runner: CommandRunner): AnyDecision {
  const { owner, validator, operations } = command;
  const { failureAborts } = settingsOf(state).profile;
  const ahead = forkState(state);
  const net = new Net();
  const results: BatchResult[] = [];
  let { inputs } = command;
  for (const operation of operations) {
    const { type } = operation;
    if (isMerge(operation) && operations.length > 1) {
      results.push({ outcome: 'dropped', operation: type });
      continue;
    }
    const given = takesCoinsOnly(operation) ? inputs.filter((id) => !namesCoupon(ahead, id)) : inputs;
    const decided = net.add(runner.decide(commandOf(operation, { owner, validator, inputs: given }), ahead, context));
    if (!decided.ok) {
      if (failureAborts) return decided;
      const { code } = decided.error;
      results.push({ outcome: 'failed', operation: type, code, reason: reasonOf(decided.error) });
      continue;
    }
    runner.apply(decided.value, ahead, context);
    const { kind, archived, created } = decided.value;
    // Details of operations all have these fields.
    const detail = decided.value.detail as ValueDetail & Leftover;
    results.push({ outcome: 'done', operation: type, archived, created, happened: { kind, detail } });
    const first = type === 'Tap' ? detail.holding : detail.change;
    inputs = [...(first ? [first] : []), ...inputs.filter((id) => findAny(ahead, id) !== null)];
  }
  return ok({ kind: 'BatchExecuted', ...net.outcome({ owner, validator, operations: results }) });
}

interface Leftover {
  readonly change?: ContractId | null;
  readonly holding?: ContractId;
}

class Net {
  readonly #archived: ContractId[] = [];
  readonly #created: Map<ContractId, Contract> = new Map();
  #minted: Amount = Amount.zero;
  #burned: Amount = Amount.zero;

  add(answer: AnyDecision): AnyDecision {
    if (!answer.ok) return answer;
    const { archived, created, detail } = answer.value;
    const minted = this.#minted + detail.minted;
    if (!Amount.inRange(minted)) return err(notDecimal('minted', minted));
    const burned = this.#burned + detail.burned;
    if (!Amount.inRange(burned)) return err(notDecimal('burned', burned));
    this.#minted = minted;
    this.#burned = burned;
    for (const id of archived) if (!this.#created.delete(id)) this.#archived.push(id);
    for (const contract of created) this.#created.set(contract.id, contract);
    return answer;
  }

  outcome(
    detail: Omit<BatchExecutedDetail, keyof ValueDetail>,
  ): Omit<Outcome<Contract, string, BatchExecutedDetail>, 'kind'> {
    return {
      archived: this.#archived,
      created: [...this.#created.values()],
      detail: { minted: this.#minted, burned: this.#burned, ...detail },
    };
  }
}

function isMerge({ type }: BatchOperation): boolean {
  return type === 'MergeHoldings';
}

function namesCoupon(state: LedgerState, id: ContractId): boolean {
  const input = findAny(state, id);
  return input !== null && isCoupon(input);
}

function reasonOf(rejection: Rejection): string {
  if (rejection.code === 'INSUFFICIENT_FUNDS') return outOfFundsReason(rejection.missing);
  const { code, ...facts } = rejection;
  return Object.keys(facts).length === 0 ? code : `${code} ${shown(facts)}`;
}

/** Automatic payments: the owner's history shows them when they fail. Source: specification §7.8. */
const PAYMENTS: { readonly [Type in BatchOperation['type']]?: HistorySubtype } = {
  CompleteWalletOffer: inBatch('CO_CompleteAcceptedTransfer'),
  PayAnsSubscription: inBatch('CO_SubscriptionMakePayment'),
};

function recordFailure(result: BatchResult, owner: PartyId): readonly Recorded[] {
  const subtype = result.outcome === 'failed' ? PAYMENTS[result.operation] : undefined;
  return subtype && result.outcome === 'failed' ? [notified([owner], subtype, failureOf(result.reason))] : [];
}
