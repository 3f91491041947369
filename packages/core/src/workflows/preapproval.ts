import { Effects } from '../contracts/effects.js';
import { find, type LedgerState } from '../contracts/state.js';
import type { TransferPreapproval, TransferPreapprovalProposal } from '../contracts/transfer-preapproval.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { contractId, instant, list, party, type Fields } from '../kernel/shape.js';
import { Instant } from '../kernel/time.js';
import {
  NOTHING_PAID,
  payForPreapproval,
  preapprovalPayment,
  type PreapprovalPayment,
} from '../rules/transfer/preapproval.js';
import { by, onArchived, routineOn, archivedOf } from '../rules/consent.js';
import { choiceOf, paidBy } from '../rules/history.js';
import { invalid, notFound, refuseUnlessActing, refuseUnlessAnyActs, refuseUnlessRoutine } from '../rules/refusals.js';
import { byType, detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * The life of a TransferPreapproval: proposed by the receiver, created when the provider pays for its time, renewed,
 * cancelled by either, expired by the DSO. Fees are burned; nothing is refunded.
 * Source: specification §3.15, §7.7.
 */
export type PreapprovalCommand =
  | ProposePreapproval
  | WithdrawPreapprovalProposal
  | AcceptPreapprovalProposal
  | CreatePreapproval
  | RenewPreapproval
  | CancelPreapproval
  | ExpirePreapproval;

/** Proposes to a provider to pay for a preapproval. Acts as the receiver. */
interface ProposePreapproval {
  readonly type: 'ProposePreapproval';
  readonly receiver: PartyId;
  readonly provider: PartyId;
}

/** Withdraws the proposal. Acts as the receiver. */
interface WithdrawPreapprovalProposal {
  readonly type: 'WithdrawPreapprovalProposal';
  readonly proposal: ContractId;
}

/** Pays for a proposed preapproval. Acts as the provider. */
interface AcceptPreapprovalProposal {
  readonly type: 'AcceptPreapprovalProposal';
  readonly proposal: ContractId;
  readonly expiresAt: Instant;
  readonly inputs: readonly ContractId[];
}

/** Creates a preapproval without a proposal. Acts as the receiver and the provider. */
interface CreatePreapproval {
  readonly type: 'CreatePreapproval';
  readonly receiver: PartyId;
  readonly provider: PartyId;
  readonly expiresAt: Instant;
  readonly inputs: readonly ContractId[];
}

/** Extends a preapproval to `newExpiresAt` and pays for the added time. Acts as the provider. */
interface RenewPreapproval {
  readonly type: 'RenewPreapproval';
  readonly preapproval: ContractId;
  readonly newExpiresAt: Instant;
  readonly inputs: readonly ContractId[];
}

/** Ends a preapproval early. Acts as the receiver or the provider. */
interface CancelPreapproval {
  readonly type: 'CancelPreapproval';
  readonly preapproval: ContractId;
}

/** Removes an expired preapproval. Acts as the DSO or any super validator. */
interface ExpirePreapproval {
  readonly type: 'ExpirePreapproval';
  readonly preapproval: ContractId;
}

interface ProposalDetail extends ValueDetail {
  readonly proposal: ContractId;
  readonly receiver: PartyId;
  readonly provider: PartyId;
}

interface PreapprovalDetail extends ValueDetail, PreapprovalPayment {
  readonly preapproval: ContractId;
  readonly receiver: PartyId;
  readonly provider: PartyId;
  readonly expiresAt: Instant;
}

export interface PreapprovalDetails {
  readonly PreapprovalProposed: ProposalDetail;
  readonly PreapprovalProposalWithdrawn: ProposalDetail;
  readonly PreapprovalCreated: PreapprovalDetail;
  readonly PreapprovalRenewed: PreapprovalDetail;
  readonly PreapprovalCancelled: PreapprovalDetail;
  readonly PreapprovalExpired: PreapprovalDetail;
}

type Answer = Decision<PreapprovalDetails>;

const parties: Fields<Pick<ProposePreapproval, 'receiver' | 'provider'>> = { receiver: party, provider: party };
const named = shapeOf<CancelPreapproval>({ preapproval: contractId });
const payment: Fields<Pick<CreatePreapproval, 'expiresAt' | 'inputs'>> = {
  expiresAt: instant,
  inputs: list(contractId),
};
const proposalDetail = detailShape<ProposalDetail>({ proposal: contractId, ...parties });
const detail = detailShape<PreapprovalDetail>({
  preapproval: contractId,
  ...parties,
  expiresAt: instant,
  ...preapprovalPayment,
});

const outcomes = {
  ProposePreapproval: { becomes: ['PreapprovalProposed'], refusals: ['NOT_AUTHORISED'] },
  WithdrawPreapprovalProposal: { becomes: ['PreapprovalProposalWithdrawn'], refusals: ['choice'] },
  AcceptPreapprovalProposal: {
    becomes: ['PreapprovalCreated'],
    refusals: ['choice', 'DEADLINE_PASSED', 'preapproval fee'],
  },
  CreatePreapproval: {
    becomes: ['PreapprovalCreated'],
    refusals: ['NOT_AUTHORISED', 'DEADLINE_PASSED', 'preapproval fee'],
  },
  RenewPreapproval: {
    becomes: ['PreapprovalRenewed'],
    refusals: ['choice', 'PREAPPROVAL_EXPIRED', 'INVALID_ARGUMENT', 'preapproval fee'],
  },
  CancelPreapproval: { becomes: ['PreapprovalCancelled'], refusals: ['choice', 'PREAPPROVAL_EXPIRED'] },
  ExpirePreapproval: { becomes: ['PreapprovalExpired'], refusals: ['choice', 'DEADLINE_NOT_REACHED'] },
} as const;

export const preapproval: Workflow<PreapprovalCommand, PreapprovalDetails, typeof outcomes> = {
  commands: {
    ProposePreapproval: shapeOf<ProposePreapproval>(parties),
    WithdrawPreapprovalProposal: shapeOf<WithdrawPreapprovalProposal>({ proposal: contractId }),
    AcceptPreapprovalProposal: shapeOf<AcceptPreapprovalProposal>({ proposal: contractId, ...payment }),
    CreatePreapproval: shapeOf<CreatePreapproval>({ ...parties, ...payment }),
    RenewPreapproval: shapeOf<RenewPreapproval>({
      preapproval: contractId,
      newExpiresAt: instant,
      inputs: list(contractId),
    }),
    CancelPreapproval: named,
    ExpirePreapproval: named,
  },
  outcomes,
  source: '§3.15, §7.7',
  updates: {
    PreapprovalProposed: unrecorded(proposalDetail, by('receiver'), null),
    PreapprovalProposalWithdrawn: unrecorded(
      proposalDetail,
      onArchived('TransferPreapprovalProposal', 'receiver'),
      'proposal',
    ),
    PreapprovalCreated: {
      detail,
      consent: {
        controllers: (step) => {
          const [proposal] = archivedOf(step, 'TransferPreapprovalProposal');
          const { receiver, provider } = step.update.detail;
          return proposal ? [[proposal.provider]] : [[provider, receiver]];
        },
        exercised: (step) => archivedOf(step, 'TransferPreapprovalProposal'),
        throughRules: true,
      },
      ends: null,
      history: paidBy('provider', choiceOf('AmuletRules', 'AmuletRules_CreateTransferPreapproval')),
    },
    PreapprovalRenewed: {
      detail,
      consent: onArchived('TransferPreapproval', 'provider'),
      ends: null,
      history: paidBy(
        'provider',
        choiceOf('AmuletRules', 'TransferPreapproval_Renew', { template: 'TransferPreapproval' }),
      ),
    },
    PreapprovalCancelled: unrecorded(
      detail,
      onArchived('TransferPreapproval', ({ receiver, provider }) => [[receiver], [provider]]),
      'preapproval',
    ),
    PreapprovalExpired: unrecorded(detail, routineOn('TransferPreapproval'), 'preapproval'),
  },
  decide: byType({
    ProposePreapproval: propose,
    WithdrawPreapprovalProposal: withdrawProposal,
    AcceptPreapprovalProposal: acceptProposal,
    CreatePreapproval: createDirectly,
    RenewPreapproval: renew,
    CancelPreapproval: end,
    ExpirePreapproval: end,
  }),
};

function createDirectly(command: CreatePreapproval, state: LedgerState, context: Context): Answer {
  const unauthorised = refuseUnlessActing(context, command.provider, command.receiver);
  return unauthorised ? err(unauthorised) : create(command, null, state, context);
}

function propose({ receiver, provider }: ProposePreapproval, state: LedgerState, context: Context): Answer {
  const unauthorised = refuseUnlessActing(context, receiver);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  const { id: proposal } = effects.create('TransferPreapprovalProposal', { receiver, provider });
  return ok(effects.outcome('PreapprovalProposed', { proposal, receiver, provider }));
}

function withdrawProposal(command: WithdrawPreapprovalProposal, state: LedgerState, context: Context): Answer {
  const proposal = find(state, 'TransferPreapprovalProposal', command.proposal);
  if (!proposal) return err(notFound(command.proposal, 'TransferPreapprovalProposal'));
  const { receiver, provider } = proposal;
  const unauthorised = refuseUnlessActing(context, receiver);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  effects.archive(proposal);
  return ok(effects.outcome('PreapprovalProposalWithdrawn', { proposal: proposal.id, receiver, provider }));
}

function acceptProposal(command: AcceptPreapprovalProposal, state: LedgerState, context: Context): Answer {
  const proposal = find(state, 'TransferPreapprovalProposal', command.proposal);
  if (!proposal) return err(notFound(command.proposal, 'TransferPreapprovalProposal'));
  const unauthorised = refuseUnlessActing(context, proposal.provider);
  if (unauthorised) return err(unauthorised);
  const { receiver, provider } = proposal;
  return create(
    { type: 'CreatePreapproval', receiver, provider, expiresAt: command.expiresAt, inputs: command.inputs },
    proposal,
    state,
    context,
  );
}

function create(
  command: CreatePreapproval,
  proposal: TransferPreapprovalProposal | null,
  state: LedgerState,
  context: Context,
): Answer {
  const { receiver, provider, expiresAt, inputs } = command;
  const { now } = context;
  if (now >= expiresAt) return err({ code: 'DEADLINE_PASSED', deadline: expiresAt, at: now });
  const effects = new Effects(state);
  if (proposal) effects.archive(proposal);
  const paid = payForPreapproval(
    { span: Instant.between(now, expiresAt), payer: provider, inputs, now },
    state,
    effects,
  );
  if (!paid.ok) return paid;
  const made = effects.add<TransferPreapproval>({
    id: effects.nextId,
    template: 'TransferPreapproval',
    receiver,
    provider,
    validFrom: now,
    lastRenewedAt: now,
    expiresAt,
  });
  const { minted, burned } = effects;
  const { fee, inputs: spent, change, rewards, fees } = paid.value;
  return ok(
    effects.outcomeOf('PreapprovalCreated', {
      minted,
      burned,
      preapproval: made.id,
      receiver,
      provider,
      expiresAt,
      fee,
      inputs: spent,
      change,
      rewards,
      fees,
    }),
  );
}

function renew(
  { preapproval: id, newExpiresAt, inputs }: RenewPreapproval,
  state: LedgerState,
  context: Context,
): Answer {
  const old = find(state, 'TransferPreapproval', id);
  if (!old) return err(notFound(id, 'TransferPreapproval'));
  const { receiver, provider, validFrom, expiresAt } = old;
  const unauthorised = refuseUnlessActing(context, provider);
  if (unauthorised) return err(unauthorised);
  if (context.now >= expiresAt) return err({ code: 'PREAPPROVAL_EXPIRED', deadline: expiresAt, at: context.now });
  if (newExpiresAt <= expiresAt) {
    return err(invalid('newExpiresAt', Instant.format(newExpiresAt), `after ${Instant.format(expiresAt)}`));
  }
  const effects = new Effects(state);
  effects.archive(old);
  const paid = payForPreapproval(
    { span: Instant.between(expiresAt, newExpiresAt), payer: provider, inputs, now: context.now },
    state,
    effects,
  );
  if (!paid.ok) return paid;
  const made = effects.create('TransferPreapproval', {
    receiver,
    provider,
    validFrom,
    lastRenewedAt: context.now,
    expiresAt: newExpiresAt,
  });
  return ok(
    effects.outcome('PreapprovalRenewed', {
      preapproval: made.id,
      receiver,
      provider,
      expiresAt: newExpiresAt,
      ...paid.value,
    }),
  );
}

function end(command: CancelPreapproval | ExpirePreapproval, state: LedgerState, context: Context): Answer {
  const ended = find(state, 'TransferPreapproval', command.preapproval);
  if (!ended) return err(notFound(command.preapproval, 'TransferPreapproval'));
  const { id, receiver, provider, expiresAt } = ended;
  const { now } = context;
  const cancels = command.type === 'CancelPreapproval';
  const unauthorised = cancels ? refuseUnlessAnyActs(context, receiver, provider) : refuseUnlessRoutine(context, state);
  if (unauthorised) return err(unauthorised);
  if (cancels && now >= expiresAt) return err({ code: 'PREAPPROVAL_EXPIRED', deadline: expiresAt, at: now });
  if (!cancels && now < expiresAt) return err({ code: 'DEADLINE_NOT_REACHED', deadline: expiresAt, at: now });
  const effects = new Effects(state);
  effects.archive(ended);
  return ok(
    effects.outcome(cancels ? 'PreapprovalCancelled' : 'PreapprovalExpired', {
      preapproval: id,
      receiver,
      provider,
      expiresAt,
      ...NOTHING_PAID,
    }),
  );
}
