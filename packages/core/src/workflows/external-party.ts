import { Effects } from '../contracts/effects.js';
import type { ExternalPartySetupProposal } from '../contracts/external-party.js';
import { find, firstAbout, firstByKey, type LedgerState } from '../contracts/state.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { contractId, instant, list, optional, party, record, text, type Fields } from '../kernel/shape.js';
import { Instant } from '../kernel/time.js';
import { payForPreapproval, preapprovalPayment, type PreapprovalPayment } from '../rules/transfer/preapproval.js';
import { notFound, refuseFrom, refuseUnlessActing } from '../rules/refusals.js';
import { isSignedBy } from '../rules/signing/signatures.js';
import { readTopology, type Topology } from '../rules/signing/topology.js';
import { by, byRules, onArchived } from '../rules/consent.js';
import { choiceOf, paidBy } from '../rules/history.js';
import { byType, detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * Onboarding of a party whose key is on no participant: its signed topology makes it known and binds its key; a
 * validator offers to host it and pays for a preapproval; the party accepts.
 * Source: specification §9.1, §9.2, §3.16, §7.7. Assumptions.
 */
export type ExternalPartyCommand =
  | SubmitTopology
  | CreateExternalPartySetupProposal
  | AcceptExternalPartySetupProposal
  | RejectExternalPartySetupProposal
  | WithdrawExternalPartySetupProposal;

/** A generated topology transaction. */
interface SignedTopologyTransaction {
  readonly transaction: string;
  /** Signature of the bytes of the transaction's hash, in hex. Left out if the combined hash is signed. */
  readonly signature?: string;
}

/**
 * Makes an external party known. Acts as any party: the signatures of the new party's key authorise it. The key signs
 * either every transaction or their combined hash.
 */
interface SubmitTopology {
  readonly type: 'SubmitTopology';
  /** Raw Ed25519 key of 32 bytes, in hex. */
  readonly publicKey: string;
  /** Id of the participant that receives the submission: the future host of the party, or another one in the topology. */
  readonly participant: string;
  /** The three generated transactions, in any order. */
  readonly transactions: readonly SignedTopologyTransaction[];
  /** Signature of the bytes of the combined hash, in hex. If given, the signatures of the transactions are ignored. */
  readonly signature?: string;
}

/** Offers to host a party, and pays for its preapproval in advance. Acts as the validator. */
interface CreateExternalPartySetupProposal {
  readonly type: 'CreateExternalPartySetupProposal';
  readonly validator: PartyId;
  readonly user: PartyId;
  readonly preapprovalExpiresAt: Instant;
  readonly inputs: readonly ContractId[];
}

/** Creates the ValidatorRight and the preapproval. Acts as the user. */
interface AcceptExternalPartySetupProposal {
  readonly type: 'AcceptExternalPartySetupProposal';
  readonly proposal: ContractId;
}

/** Declines the proposal. Acts as the user. Nothing is refunded. */
interface RejectExternalPartySetupProposal {
  readonly type: 'RejectExternalPartySetupProposal';
  readonly proposal: ContractId;
  readonly reason?: string;
}

/** Withdraws the proposal. Acts as the validator, at any time. Nothing is refunded. */
interface WithdrawExternalPartySetupProposal {
  readonly type: 'WithdrawExternalPartySetupProposal';
  readonly proposal: ContractId;
  readonly reason?: string;
}

interface ExternalPartyDetail extends ValueDetail {
  readonly party: PartyId;
  readonly publicKey: string;
  readonly participant: string;
}

interface SetupProposedDetail extends ValueDetail, PreapprovalPayment {
  readonly proposal: ContractId;
  readonly validator: PartyId;
  readonly user: PartyId;
  readonly preapprovalExpiresAt: Instant;
}

interface SetupAcceptedDetail extends ValueDetail {
  readonly proposal: ContractId;
  readonly validator: PartyId;
  readonly user: PartyId;
  /** The new or existing right. */
  readonly validatorRight: ContractId;
  readonly preapproval: ContractId;
}

interface SetupEndedDetail extends ValueDetail {
  readonly proposal: ContractId;
  readonly validator: PartyId;
  readonly user: PartyId;
  readonly reason: string;
}

export interface ExternalPartyDetails {
  readonly ExternalPartyRegistered: ExternalPartyDetail;
  readonly ExternalPartySetupProposed: SetupProposedDetail;
  readonly ExternalPartySetupAccepted: SetupAcceptedDetail;
  readonly ExternalPartySetupRejected: SetupEndedDetail;
  readonly ExternalPartySetupWithdrawn: SetupEndedDetail;
}

type Answer = Decision<ExternalPartyDetails>;

const parties: Fields<Pick<ExternalPartySetupProposal, 'validator' | 'user'>> = { validator: party, user: party };
const ended = shapeOf<RejectExternalPartySetupProposal>({ proposal: contractId, reason: optional(text) });
const endedDetail = detailShape<SetupEndedDetail>({ proposal: contractId, ...parties, reason: text });

const outcomes = {
  SubmitTopology: {
    becomes: ['ExternalPartyRegistered'],
    refusals: ['INVALID_ARGUMENT', 'GROUP_MISMATCH', 'INVALID_SIGNATURE', 'ALREADY_EXISTS'],
    source: '§9.1',
  },
  CreateExternalPartySetupProposal: {
    becomes: ['ExternalPartySetupProposed'],
    refusals: ['NOT_AUTHORISED', 'DEADLINE_PASSED', 'preapproval fee'],
  },
  AcceptExternalPartySetupProposal: {
    becomes: ['ExternalPartySetupAccepted'],
    refusals: ['choice', 'DEADLINE_PASSED'],
  },
  RejectExternalPartySetupProposal: { becomes: ['ExternalPartySetupRejected'], refusals: ['choice'] },
  WithdrawExternalPartySetupProposal: { becomes: ['ExternalPartySetupWithdrawn'], refusals: ['choice'] },
} as const;

export const externalParty: Workflow<ExternalPartyCommand, ExternalPartyDetails, typeof outcomes> = {
  commands: {
    SubmitTopology: shapeOf<SubmitTopology>({
      publicKey: text,
      participant: text,
      transactions: list(record<SignedTopologyTransaction>({ transaction: text, signature: optional(text) })),
      signature: optional(text),
    }),
    CreateExternalPartySetupProposal: shapeOf<CreateExternalPartySetupProposal>({
      ...parties,
      preapprovalExpiresAt: instant,
      inputs: list(contractId),
    }),
    AcceptExternalPartySetupProposal: shapeOf<AcceptExternalPartySetupProposal>({ proposal: contractId }),
    RejectExternalPartySetupProposal: ended,
    WithdrawExternalPartySetupProposal: ended,
  },
  outcomes,
  source: '§9.1, §3.16',
  updates: {
    ExternalPartyRegistered: unrecorded(
      detailShape<ExternalPartyDetail>({ party, publicKey: text, participant: text }),
      by('party'),
      null,
    ),
    ExternalPartySetupProposed: {
      detail: detailShape<SetupProposedDetail>({
        proposal: contractId,
        ...parties,
        preapprovalExpiresAt: instant,
        ...preapprovalPayment,
      }),
      consent: byRules('validator'),
      ends: null,
      history: paidBy('validator', choiceOf('AmuletRules', 'AmuletRules_CreateExternalPartySetupProposal')),
    },
    ExternalPartySetupAccepted: unrecorded(
      detailShape<SetupAcceptedDetail>({
        proposal: contractId,
        ...parties,
        validatorRight: contractId,
        preapproval: contractId,
      }),
      onArchived('ExternalPartySetupProposal', 'user'),
      'proposal',
    ),
    ExternalPartySetupRejected: unrecorded(endedDetail, onArchived('ExternalPartySetupProposal', 'user'), 'proposal'),
    ExternalPartySetupWithdrawn: unrecorded(
      endedDetail,
      onArchived('ExternalPartySetupProposal', 'validator'),
      'proposal',
    ),
  },
  decide: byType({
    SubmitTopology: submitTopology,
    CreateExternalPartySetupProposal: propose,
    AcceptExternalPartySetupProposal: accept,
    RejectExternalPartySetupProposal: end,
    WithdrawExternalPartySetupProposal: end,
  }),
};

function submitTopology(command: SubmitTopology, state: LedgerState): Answer {
  const { publicKey, participant: submittedAt, transactions } = command;
  const read = readTopology(
    transactions.map(({ transaction }) => transaction),
    publicKey,
  );
  if (!read.ok) return err({ code: 'INVALID_ARGUMENT', ...read.error });
  const topology = read.value;
  const [participant = ''] = topology.participants;
  if (!topology.participants.includes(submittedAt)) {
    const mismatch = { contract: null, field: 'participant', expected: submittedAt, actual: participant };
    return err({ code: 'GROUP_MISMATCH', ...mismatch });
  }
  if (!isSigned(command, topology)) return err({ code: 'INVALID_SIGNATURE', party: topology.party });
  const known = firstAbout(state, 'KnownParty', topology.party);
  if (known) return err({ code: 'ALREADY_EXISTS', what: `party ${topology.party}`, contract: known.id });

  const effects = new Effects(state);
  const key = publicKey.toLowerCase();
  effects.create('KnownParty', { party: topology.party, displayName: '' });
  effects.create('ExternalPartyKey', { party: topology.party, publicKey: key, participant });
  const detail = { party: topology.party, publicKey: key, participant };
  return ok({ ...effects.outcome('ExternalPartyRegistered', detail), actAs: [topology.party] });
}

function isSigned({ publicKey, transactions, signature }: SubmitTopology, topology: Topology): boolean {
  if (signature !== undefined) return isSignedBy({ publicKey, hash: topology.multiHash, signature });
  const signatures = new Map(transactions.map((one) => [one.transaction, one.signature]));
  return topology.transactions.every(({ transaction, hash }) =>
    isSignedBy({ publicKey, hash, signature: signatures.get(transaction) ?? '' }),
  );
}

function propose(command: CreateExternalPartySetupProposal, state: LedgerState, { now, actAs }: Context): Answer {
  const { validator, user, preapprovalExpiresAt, inputs } = command;
  const refused = refuseUnlessActing({ now, actAs }, validator) ?? refuseFrom(preapprovalExpiresAt, now);
  if (refused) return err(refused);
  const effects = new Effects(state);
  const span = Instant.between(now, preapprovalExpiresAt);
  const paid = payForPreapproval({ span, payer: validator, inputs, now }, state, effects);
  if (!paid.ok) return paid;
  const { id: proposal } = effects.create('ExternalPartySetupProposal', {
    validator,
    user,
    createdAt: now,
    preapprovalExpiresAt,
  });
  const detail = { proposal, validator, user, preapprovalExpiresAt, ...paid.value };
  return ok(effects.outcome('ExternalPartySetupProposed', detail));
}

function accept(command: AcceptExternalPartySetupProposal, state: LedgerState, context: Context): Answer {
  const found = find(state, 'ExternalPartySetupProposal', command.proposal);
  if (!found) return err(notFound(command.proposal, 'ExternalPartySetupProposal'));
  const { id: proposal, validator, user, createdAt, preapprovalExpiresAt: expiresAt } = found;
  const refused = refuseUnlessActing(context, user) ?? refuseFrom(expiresAt, context.now);
  if (refused) return err(refused);
  const effects = new Effects(state);
  effects.archive(found);
  const right =
    firstByKey(state, 'ValidatorRight', `right:${user}:${validator}`) ??
    effects.create('ValidatorRight', { user, validator });
  const preapproval = effects.create('TransferPreapproval', {
    receiver: user,
    provider: validator,
    validFrom: createdAt,
    lastRenewedAt: createdAt,
    expiresAt,
  });
  const detail = { proposal, validator, user, validatorRight: right.id, preapproval: preapproval.id };
  return ok(effects.outcome('ExternalPartySetupAccepted', detail));
}

function end(
  command: RejectExternalPartySetupProposal | WithdrawExternalPartySetupProposal,
  state: LedgerState,
  context: Context,
): Answer {
  const found = find(state, 'ExternalPartySetupProposal', command.proposal);
  if (!found) return err(notFound(command.proposal, 'ExternalPartySetupProposal'));
  const { id: proposal, validator, user } = found;
  const rejects = command.type === 'RejectExternalPartySetupProposal';
  const unauthorised = refuseUnlessActing(context, rejects ? user : validator);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  effects.archive(found);
  return ok(
    effects.outcome(rejects ? 'ExternalPartySetupRejected' : 'ExternalPartySetupWithdrawn', {
      proposal,
      validator,
      user,
      reason: command.reason ?? '',
    }),
  );
}
