import { Effects } from '../contracts/effects.js';
import type { MergeDelegation } from '../contracts/merge-delegation.js';
import { find, type LedgerState } from '../contracts/state.js';
import { invalid, notFound, refuseMismatch, refuseUnlessActing } from '../rules/refusals.js';
import type { FeesPaid } from '../rules/transfer/transfer.js';
import { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { contractId, list, mapOf, nullable, optional, party, record, text, type Fields } from '../kernel/shape.js';
import { makeCall, mergeCall, mergedCall, type MergeCall, type MergedCall } from './merge-delegation/call.js';
import { by, onArchived } from '../rules/consent.js';
import { transferEntry, FACTORY, type Recorded } from '../rules/history.js';
import { byType, detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * The life of a MergeDelegation: proposed by an owner, accepted by a wallet provider (the specification's word:
 * operator), used to merge the owner's holdings without a signature of the owner, ended by either. One call merges
 * for one owner; a batch takes effect as a whole or not at all. The network advises about 100 calls a batch.
 * Source: specification §3.17, §7.7, §8.8. Assumptions.
 */
type MergeDelegationCommand =
  | ProposeMergeDelegation
  | AcceptMergeDelegation
  | RejectMergeDelegationProposal
  | WithdrawMergeDelegationProposal
  | RejectMergeDelegation
  | WithdrawMergeDelegation
  | CreateBatchMergeUtility
  | MergeDelegatedHoldings
  | BatchMergeHoldings;

/** Proposes merges of the owner's holdings to a wallet provider. Acts as the owner. */
interface ProposeMergeDelegation {
  readonly type: 'ProposeMergeDelegation';
  readonly owner: PartyId;
  readonly operator: PartyId;
  readonly meta?: Readonly<Record<string, string>>;
}

/** Accepts the proposal. Acts as the operator. */
interface AcceptMergeDelegation {
  readonly type: 'AcceptMergeDelegation';
  readonly proposal: ContractId;
}

/** Declines the proposal. Acts as the operator. */
interface RejectMergeDelegationProposal {
  readonly type: 'RejectMergeDelegationProposal';
  readonly proposal: ContractId;
}

/** Withdraws the proposal. Acts as the owner. */
interface WithdrawMergeDelegationProposal {
  readonly type: 'WithdrawMergeDelegationProposal';
  readonly proposal: ContractId;
}

/** Ends the delegation. Acts as the operator. */
interface RejectMergeDelegation {
  readonly type: 'RejectMergeDelegation';
  readonly delegation: ContractId;
}

/** Ends a merge delegation. Acts as the owner. */
interface WithdrawMergeDelegation {
  readonly type: 'WithdrawMergeDelegation';
  readonly delegation: ContractId;
}

/** Creates a contract needed by {@link BatchMergeHoldings}; an operator may have several. Acts as the operator. */
interface CreateBatchMergeUtility {
  readonly type: 'CreateBatchMergeUtility';
  readonly operator: PartyId;
}

/** Merges the holdings of one owner (MergeDelegation_Merge of the network). Acts as the operator. */
interface MergeDelegatedHoldings extends MergeCall {
  readonly type: 'MergeDelegatedHoldings';
}

/**
 * Merges the holdings of many owners in order. The operator's change from one extra transfer is an input of the next.
 * In the network this is BatchMergeUtility_MergeHoldings, in its code BatchMergeUtility_BatchMerge. Acts as the operator.
 */
interface BatchMergeHoldings {
  readonly type: 'BatchMergeHoldings';
  readonly utility: ContractId;
  readonly calls: readonly MergeCall[];
}

interface MergeProposalDetail extends ValueDetail {
  readonly proposal: ContractId;
  readonly owner: PartyId;
  readonly operator: PartyId;
}

interface MergeDelegationDetail extends ValueDetail {
  readonly delegation: ContractId;
  readonly owner: PartyId;
  readonly operator: PartyId;
}

interface MergeAcceptedDetail extends MergeDelegationDetail {
  readonly proposal: ContractId;
}

interface DelegatedMergeDetail extends ValueDetail {
  readonly operator: PartyId;
  /** The utility contract of a batch; null for a single call. */
  readonly utility: ContractId | null;
  readonly calls: readonly MergedCall[];
  /** Change of the operator's extra transfers. */
  readonly operatorChange: ContractId | null;
}

interface MergeDelegationDetails {
  readonly MergeDelegationProposed: MergeProposalDetail;
  readonly MergeDelegationAccepted: MergeAcceptedDetail;
  readonly MergeDelegationProposalRejected: MergeProposalDetail;
  readonly MergeDelegationProposalWithdrawn: MergeProposalDetail;
  readonly MergeDelegationRejected: MergeDelegationDetail;
  readonly MergeDelegationWithdrawn: MergeDelegationDetail;
  readonly BatchMergeUtilityCreated: ValueDetail & { readonly utility: ContractId; readonly operator: PartyId };
  readonly DelegatedHoldingsMerged: DelegatedMergeDetail;
}

type Answer = Decision<MergeDelegationDetails>;

const proposalNamed = shapeOf<AcceptMergeDelegation>({ proposal: contractId });
const delegationNamed = shapeOf<RejectMergeDelegation>({ delegation: contractId });
const parties: Fields<Pick<MergeDelegation, 'owner' | 'operator'>> = { owner: party, operator: party };
const proposalDetail = detailShape<MergeProposalDetail>({ proposal: contractId, ...parties });
const delegationDetail = detailShape<MergeDelegationDetail>({ delegation: contractId, ...parties });

const outcomes = {
  ProposeMergeDelegation: { becomes: ['MergeDelegationProposed'], refusals: ['NOT_AUTHORISED'] },
  AcceptMergeDelegation: { becomes: ['MergeDelegationAccepted'], refusals: ['choice'] },
  RejectMergeDelegationProposal: { becomes: ['MergeDelegationProposalRejected'], refusals: ['choice'] },
  WithdrawMergeDelegationProposal: { becomes: ['MergeDelegationProposalWithdrawn'], refusals: ['choice'] },
  RejectMergeDelegation: { becomes: ['MergeDelegationRejected'], refusals: ['choice'] },
  WithdrawMergeDelegation: { becomes: ['MergeDelegationWithdrawn'], refusals: ['choice'] },
  CreateBatchMergeUtility: { becomes: ['BatchMergeUtilityCreated'], refusals: ['NOT_AUTHORISED'] },
  MergeDelegatedHoldings: {
    becomes: ['DelegatedHoldingsMerged'],
    refusals: [
      'choice',
      'INVALID_ARGUMENT',
      'GROUP_MISMATCH',
      'ADMIN_MISMATCH',
      'PREAPPROVAL_EXPIRED',
      'registry terms',
      'coins',
      'funds',
      'MERGE_NOT_REDUCING',
    ],
  },
  BatchMergeHoldings: {
    becomes: ['DelegatedHoldingsMerged'],
    refusals: [
      'choice',
      'INVALID_ARGUMENT',
      'GROUP_MISMATCH',
      'ADMIN_MISMATCH',
      'PREAPPROVAL_EXPIRED',
      'registry terms',
      'coins',
      'funds',
      'MERGE_NOT_REDUCING',
    ],
  },
} as const;

export const mergeDelegation: Workflow<MergeDelegationCommand, MergeDelegationDetails, typeof outcomes> = {
  commands: {
    ProposeMergeDelegation: shapeOf<ProposeMergeDelegation>({ ...parties, meta: optional(mapOf(text)) }),
    AcceptMergeDelegation: proposalNamed,
    RejectMergeDelegationProposal: proposalNamed,
    WithdrawMergeDelegationProposal: proposalNamed,
    RejectMergeDelegation: delegationNamed,
    WithdrawMergeDelegation: delegationNamed,
    CreateBatchMergeUtility: shapeOf<CreateBatchMergeUtility>({ operator: party }),
    MergeDelegatedHoldings: shapeOf<MergeDelegatedHoldings>(mergeCall),
    BatchMergeHoldings: shapeOf<BatchMergeHoldings>({ utility: contractId, calls: list(record<MergeCall>(mergeCall)) }),
  },
  outcomes,
  source: '§3.17, §7.7',
  updates: {
    MergeDelegationProposed: unrecorded(proposalDetail, by('owner'), null),
    MergeDelegationAccepted: unrecorded(
      detailShape<MergeAcceptedDetail>({ proposal: contractId, delegation: contractId, ...parties }),
      onArchived('MergeDelegationProposal', 'operator'),
      'proposal',
    ),
    MergeDelegationProposalRejected: unrecorded(
      proposalDetail,
      onArchived('MergeDelegationProposal', 'operator'),
      'proposal',
    ),
    MergeDelegationProposalWithdrawn: unrecorded(
      proposalDetail,
      onArchived('MergeDelegationProposal', 'owner'),
      'proposal',
    ),
    MergeDelegationRejected: unrecorded(delegationDetail, onArchived('MergeDelegation', 'operator'), 'delegation'),
    MergeDelegationWithdrawn: unrecorded(delegationDetail, onArchived('MergeDelegation', 'owner'), 'delegation'),
    BatchMergeUtilityCreated: unrecorded(
      detailShape<MergeDelegationDetails['BatchMergeUtilityCreated']>({ utility: contractId, operator: party }),
      by('operator'),
      null,
    ),
    DelegatedHoldingsMerged: {
      detail: detailShape<DelegatedMergeDetail>({
        operator: party,
        utility: nullable(contractId),
        calls: list(mergedCall),
        operatorChange: nullable(contractId),
      }),
      consent: {
        controllers: ({ before, update: { detail } }) => [
          [
            ...detail.calls.map(({ delegation }) => find(before, 'MergeDelegation', delegation)?.operator),
            ...(detail.utility === null ? [] : [find(before, 'BatchMergeUtility', detail.utility)?.operator]),
          ],
        ],
        exercised: ({ before, update }) =>
          update.detail.calls.map(({ delegation }) => find(before, 'MergeDelegation', delegation)),
        throughRules: true,
      },
      ends: null,
      history: (update) => update.detail.calls.flatMap((call) => recordCall(call, update.detail.operator)),
    },
  },
  decide: byType({
    ProposeMergeDelegation: propose,
    AcceptMergeDelegation: settleProposal,
    RejectMergeDelegationProposal: settleProposal,
    WithdrawMergeDelegationProposal: settleProposal,
    RejectMergeDelegation: end,
    WithdrawMergeDelegation: end,
    CreateBatchMergeUtility: createUtility,
    MergeDelegatedHoldings: mergeOne,
    BatchMergeHoldings: mergeBatch,
  }),
};

function propose({ owner, operator, meta = {} }: ProposeMergeDelegation, state: LedgerState, context: Context): Answer {
  const unauthorised = refuseUnlessActing(context, owner);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  const { id: proposal } = effects.create('MergeDelegationProposal', { operator, owner, meta });
  return ok(effects.outcome('MergeDelegationProposed', { proposal, owner, operator }));
}

function settleProposal(
  command: AcceptMergeDelegation | RejectMergeDelegationProposal | WithdrawMergeDelegationProposal,
  state: LedgerState,
  context: Context,
): Answer {
  const found = find(state, 'MergeDelegationProposal', command.proposal);
  if (!found) return err(notFound(command.proposal, 'MergeDelegationProposal'));
  const { id: proposal, owner, operator, meta } = found;
  const unauthorised = refuseUnlessActing(
    context,
    command.type === 'WithdrawMergeDelegationProposal' ? owner : operator,
  );
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  effects.archive(found);
  switch (command.type) {
    case 'AcceptMergeDelegation': {
      const { id: delegation } = effects.create('MergeDelegation', { operator, owner, meta });
      return ok(effects.outcome('MergeDelegationAccepted', { proposal, delegation, owner, operator }));
    }
    case 'RejectMergeDelegationProposal':
      return ok(effects.outcome('MergeDelegationProposalRejected', { proposal, owner, operator }));
    case 'WithdrawMergeDelegationProposal':
      return ok(effects.outcome('MergeDelegationProposalWithdrawn', { proposal, owner, operator }));
  }
}

function end(command: RejectMergeDelegation | WithdrawMergeDelegation, state: LedgerState, context: Context): Answer {
  const found = find(state, 'MergeDelegation', command.delegation);
  if (!found) return err(notFound(command.delegation, 'MergeDelegation'));
  const { id: delegation, owner, operator } = found;
  const rejects = command.type === 'RejectMergeDelegation';
  const unauthorised = refuseUnlessActing(context, rejects ? operator : owner);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  effects.archive(found);
  return ok(
    effects.outcome(rejects ? 'MergeDelegationRejected' : 'MergeDelegationWithdrawn', { delegation, owner, operator }),
  );
}

function createUtility({ operator }: CreateBatchMergeUtility, state: LedgerState, context: Context): Answer {
  const unauthorised = refuseUnlessActing(context, operator);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  const { id: utility } = effects.create('BatchMergeUtility', { operator });
  return ok(effects.outcome('BatchMergeUtilityCreated', { utility, operator }));
}

function mergeOne(command: MergeDelegatedHoldings, state: LedgerState, context: Context): Answer {
  const delegation = find(state, 'MergeDelegation', command.delegation);
  if (!delegation) return err(notFound(command.delegation, 'MergeDelegation'));
  const { operator } = delegation;
  const unauthorised = refuseUnlessActing(context, operator);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  const made = makeCall({ call: command, delegation, operatorChange: null }, state, context.now, effects);
  if (!made.ok) return made;
  const { call, operatorChange } = made.value;
  return ok(effects.outcome('DelegatedHoldingsMerged', { operator, utility: null, calls: [call], operatorChange }));
}

function mergeBatch(command: BatchMergeHoldings, state: LedgerState, context: Context): Answer {
  const utility = find(state, 'BatchMergeUtility', command.utility);
  if (!utility) return err(notFound(command.utility, 'BatchMergeUtility'));
  const { operator } = utility;
  const unauthorised = refuseUnlessActing(context, operator);
  if (unauthorised) return err(unauthorised);
  if (command.calls.length === 0) return err(invalid('calls', '[]', 'at least one call'));
  const effects = new Effects(state);
  const calls: MergedCall[] = [];
  let operatorChange: ContractId | null = null;
  for (const call of command.calls) {
    const delegation = find(state, 'MergeDelegation', call.delegation);
    if (!delegation) return err(notFound(call.delegation, 'MergeDelegation'));
    const stranger = refuseMismatch(delegation.id, 'operator', operator, delegation.operator);
    if (stranger) return err(stranger);
    const made = makeCall({ call, delegation, operatorChange }, state, context.now, effects);
    if (!made.ok) return made;
    calls.push(made.value.call);
    operatorChange = made.value.operatorChange;
  }
  return ok(effects.outcome('DelegatedHoldingsMerged', { operator, utility: utility.id, calls, operatorChange }));
}

function recordCall(call: MergedCall, operator: PartyId): readonly Recorded[] {
  const { owner, extra, extraFees, inputs, mergeFees } = call;
  const receivers = owner === operator || extra === 0n ? [] : [{ party: owner, amount: extra }];
  const given = Amount.sum(receivers.map(({ amount }) => amount));
  const payer = { party: operator, amount: Amount.sub(costOf(extraFees), given) };
  const brought = transferEntry(payer, receivers, FACTORY, { fees: extraFees });
  const whole = transferEntry({ party: owner, amount: costOf(mergeFees) }, [], FACTORY, { fees: mergeFees });
  return [
    ...(extra > 0n ? [{ seenBy: [...new Set([operator, owner])], entry: brought }] : []),
    ...(inputs > 0 ? [{ seenBy: [owner], entry: whole }] : []),
  ];
}

function costOf(fees: FeesPaid | null): Amount {
  if (!fees) return Amount.zero;
  return Amount.sub(Amount.zero, Amount.sum([fees.holdingFees, ...fees.outputFees, fees.changeFee]));
}
