import { Effects } from '../contracts/effects.js';
import { mintingTerms, type MintingTerms } from '../contracts/minting-delegation.js';
import { countOf, find, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { contractId, instant, integer, list, nullable, optional, party } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import { invalid, notFound, refuseFrom, refuseMismatch, refuseUnlessActing } from '../rules/refusals.js';
import { walletRound } from '../rules/rounds.js';
import { detailOf, transferDetail, type TransferDetail } from '../rules/transfer/transfer-detail.js';
import { transfer } from '../rules/transfer/transfer.js';
import { by, onArchived } from '../rules/consent.js';
import { choiceOf, paidBy } from '../rules/history.js';
import { byType, detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * The life of a MintingDelegation: proposed by a beneficiary and accepted by a delegate, which mints the
 * beneficiary's rewards and merges its coins until the delegation expires or one of them ends it.
 * Source: specification §3.18, §7.7, §8.9. Assumption: A-42 (the ledger keeps the merge limit).
 */
type MintingDelegationCommand =
  | ProposeMintingDelegation
  | AcceptMintingDelegation
  | RejectMintingDelegationProposal
  | WithdrawMintingDelegationProposal
  | MintForBeneficiary
  | RejectMintingDelegation
  | WithdrawMintingDelegation;

/** Proposes to a delegate to mint the beneficiary's rewards. Acts as the beneficiary. */
interface ProposeMintingDelegation extends MintingTerms {
  readonly type: 'ProposeMintingDelegation';
}

/** Accepts the proposal and replaces an older delegation between the two. Acts as the delegate. */
interface AcceptMintingDelegation {
  readonly type: 'AcceptMintingDelegation';
  readonly proposal: ContractId;
  readonly existing?: ContractId;
}

/** Declines the proposal, also after its expiry; automation removes expired proposals by this command. Acts as the delegate. */
interface RejectMintingDelegationProposal {
  readonly type: 'RejectMintingDelegationProposal';
  readonly proposal: ContractId;
}

/** Withdraws the proposal. Acts as the beneficiary. */
interface WithdrawMintingDelegationProposal {
  readonly type: 'WithdrawMintingDelegationProposal';
  readonly proposal: ContractId;
}

/** Merges the beneficiary's rewards and coins into one coin: the network's MintingDelegation_Mint. Acts as the delegate. */
interface MintForBeneficiary {
  readonly type: 'MintForBeneficiary';
  readonly delegation: ContractId;
  readonly inputs: readonly ContractId[];
}

/** Ends the delegation, also after its expiry; the wallet calls this command "withdraw". Acts as the delegate. */
interface RejectMintingDelegation {
  readonly type: 'RejectMintingDelegation';
  readonly delegation: ContractId;
}

/** Ends the delegation. Acts as the beneficiary. */
interface WithdrawMintingDelegation {
  readonly type: 'WithdrawMintingDelegation';
  readonly delegation: ContractId;
}

interface MintingProposalDetail extends ValueDetail, MintingTerms {
  readonly proposal: ContractId;
}

interface MintingDelegationDetail extends ValueDetail {
  readonly delegation: ContractId;
  readonly beneficiary: PartyId;
  readonly delegate: PartyId;
  readonly expiresAt: Instant;
}

interface MintingAcceptedDetail extends MintingProposalDetail {
  readonly delegation: ContractId;
  readonly replaced: ContractId | null;
}

interface DelegatedMintDetail extends TransferDetail {
  readonly delegation: ContractId;
  readonly delegate: PartyId;
  /** Number of coins among the inputs. */
  readonly coins: number;
}

interface MintingDelegationDetails {
  readonly MintingDelegationProposed: MintingProposalDetail;
  readonly MintingDelegationAccepted: MintingAcceptedDetail;
  readonly MintingDelegationProposalRejected: MintingProposalDetail;
  readonly MintingDelegationProposalWithdrawn: MintingProposalDetail;
  readonly MintedForBeneficiary: DelegatedMintDetail;
  readonly MintingDelegationRejected: MintingDelegationDetail;
  readonly MintingDelegationWithdrawn: MintingDelegationDetail;
}

type Answer = Decision<MintingDelegationDetails>;

const proposalNamed = shapeOf<RejectMintingDelegationProposal>({ proposal: contractId });
const delegationNamed = shapeOf<RejectMintingDelegation>({ delegation: contractId });
const proposalDetail = detailShape<MintingProposalDetail>({ proposal: contractId, ...mintingTerms });
const delegationDetail = detailShape<MintingDelegationDetail>({
  delegation: contractId,
  beneficiary: party,
  delegate: party,
  expiresAt: instant,
});

const outcomes = {
  ProposeMintingDelegation: { becomes: ['MintingDelegationProposed'], refusals: ['NOT_AUTHORISED'] },
  AcceptMintingDelegation: { becomes: ['MintingDelegationAccepted'], refusals: ['choice', 'GROUP_MISMATCH'] },
  RejectMintingDelegationProposal: { becomes: ['MintingDelegationProposalRejected'], refusals: ['choice'] },
  WithdrawMintingDelegationProposal: { becomes: ['MintingDelegationProposalWithdrawn'], refusals: ['choice'] },
  MintForBeneficiary: {
    becomes: ['MintedForBeneficiary'],
    refusals: [
      'choice',
      'DEADLINE_PASSED',
      'NO_INPUTS',
      'ROUND_NOT_OPEN',
      'coins and coupons',
      'funds',
      'INVALID_ARGUMENT',
    ],
  },
  RejectMintingDelegation: { becomes: ['MintingDelegationRejected'], refusals: ['choice'] },
  WithdrawMintingDelegation: { becomes: ['MintingDelegationWithdrawn'], refusals: ['choice'] },
} as const;

export const mintingDelegation: Workflow<MintingDelegationCommand, MintingDelegationDetails, typeof outcomes> = {
  commands: {
    ProposeMintingDelegation: shapeOf<ProposeMintingDelegation>(mintingTerms),
    AcceptMintingDelegation: shapeOf<AcceptMintingDelegation>({ proposal: contractId, existing: optional(contractId) }),
    RejectMintingDelegationProposal: proposalNamed,
    WithdrawMintingDelegationProposal: proposalNamed,
    MintForBeneficiary: shapeOf<MintForBeneficiary>({ delegation: contractId, inputs: list(contractId) }),
    RejectMintingDelegation: delegationNamed,
    WithdrawMintingDelegation: delegationNamed,
  },
  outcomes,
  source: '§3.18, §7.7',
  updates: {
    MintingDelegationProposed: unrecorded(proposalDetail, by('beneficiary'), null),
    MintingDelegationAccepted: unrecorded(
      detailShape<MintingAcceptedDetail>({
        proposal: contractId,
        delegation: contractId,
        ...mintingTerms,
        replaced: nullable(contractId),
      }),
      onArchived('MintingDelegationProposal', 'delegate'),
      'proposal',
    ),
    MintingDelegationProposalRejected: unrecorded(
      proposalDetail,
      onArchived('MintingDelegationProposal', 'delegate'),
      'proposal',
    ),
    MintingDelegationProposalWithdrawn: unrecorded(
      proposalDetail,
      onArchived('MintingDelegationProposal', 'beneficiary'),
      'proposal',
    ),
    MintedForBeneficiary: {
      detail: transferDetail<DelegatedMintDetail>({ delegation: contractId, delegate: party, coins: integer }),
      consent: {
        controllers: ({ before, update }) => [[find(before, 'MintingDelegation', update.detail.delegation)?.delegate]],
        exercised: ({ before, update }) => [find(before, 'MintingDelegation', update.detail.delegation)],
        throughRules: true,
      },
      ends: null,
      history: paidBy(
        'sender',
        choiceOf('Wallet.MintingDelegation', 'MintingDelegation_Mint', { template: 'MintingDelegation' }),
      ),
    },
    MintingDelegationRejected: unrecorded(delegationDetail, onArchived('MintingDelegation', 'delegate'), 'delegation'),
    MintingDelegationWithdrawn: unrecorded(
      delegationDetail,
      onArchived('MintingDelegation', 'beneficiary'),
      'delegation',
    ),
  },
  decide: byType({
    ProposeMintingDelegation: propose,
    AcceptMintingDelegation: accept,
    RejectMintingDelegationProposal: endProposal,
    WithdrawMintingDelegationProposal: endProposal,
    MintForBeneficiary: mint,
    RejectMintingDelegation: end,
    WithdrawMintingDelegation: end,
  }),
};

function propose(command: ProposeMintingDelegation, state: LedgerState, context: Context): Answer {
  const terms = termsOf(command);
  const unauthorised = refuseUnlessActing(context, terms.beneficiary);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  const { id: proposal } = effects.create('MintingDelegationProposal', { ...terms });
  return ok(effects.outcome('MintingDelegationProposed', { proposal, ...terms }));
}

function accept(command: AcceptMintingDelegation, state: LedgerState, context: Context): Answer {
  const proposal = find(state, 'MintingDelegationProposal', command.proposal);
  if (!proposal) return err(notFound(command.proposal, 'MintingDelegationProposal'));
  const terms = termsOf(proposal);
  const unauthorised = refuseUnlessActing(context, terms.delegate);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  if (command.existing !== undefined) {
    const existing = find(state, 'MintingDelegation', command.existing);
    if (!existing) return err(notFound(command.existing, 'MintingDelegation'));
    const { id, beneficiary, delegate } = existing;
    const stranger =
      refuseMismatch(id, 'beneficiary', terms.beneficiary, beneficiary) ??
      refuseMismatch(id, 'delegate', terms.delegate, delegate);
    if (stranger) return err(stranger);
    effects.archive(existing);
  }
  effects.archive(proposal);
  const { id: delegation } = effects.create('MintingDelegation', { ...terms });
  return ok(
    effects.outcome('MintingDelegationAccepted', {
      proposal: proposal.id,
      delegation,
      ...terms,
      replaced: command.existing ?? null,
    }),
  );
}

function endProposal(
  command: RejectMintingDelegationProposal | WithdrawMintingDelegationProposal,
  state: LedgerState,
  context: Context,
): Answer {
  const found = find(state, 'MintingDelegationProposal', command.proposal);
  if (!found) return err(notFound(command.proposal, 'MintingDelegationProposal'));
  const terms = termsOf(found);
  const rejects = command.type === 'RejectMintingDelegationProposal';
  const unauthorised = refuseUnlessActing(context, rejects ? terms.delegate : terms.beneficiary);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  effects.archive(found);
  const kind = rejects ? 'MintingDelegationProposalRejected' : 'MintingDelegationProposalWithdrawn';
  return ok(effects.outcome(kind, { proposal: found.id, ...terms }));
}

function end(
  command: RejectMintingDelegation | WithdrawMintingDelegation,
  state: LedgerState,
  context: Context,
): Answer {
  const found = find(state, 'MintingDelegation', command.delegation);
  if (!found) return err(notFound(command.delegation, 'MintingDelegation'));
  const { id: delegation, beneficiary, delegate, expiresAt } = found;
  const rejects = command.type === 'RejectMintingDelegation';
  const unauthorised = refuseUnlessActing(context, rejects ? delegate : beneficiary);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  effects.archive(found);
  return ok(
    effects.outcome(rejects ? 'MintingDelegationRejected' : 'MintingDelegationWithdrawn', {
      delegation,
      beneficiary,
      delegate,
      expiresAt,
    }),
  );
}

/** Mints by a transfer without outputs, so that the whole sum becomes one coin of change. The transfer counts as unfeatured. */
function mint(command: MintForBeneficiary, state: LedgerState, context: Context): Answer {
  const found = find(state, 'MintingDelegation', command.delegation);
  if (!found) return err(notFound(command.delegation, 'MintingDelegation'));
  const { id: delegation, beneficiary, delegate, expiresAt, amuletMergeLimit } = found;
  const { now } = context;
  const { inputs } = command;
  const refused = refuseUnlessActing(context, delegate) ?? refuseFrom(expiresAt, now);
  if (refused) return err(refused);
  if (inputs.length === 0) return err({ code: 'NO_INPUTS' });
  const round = walletRound(state, now);
  if (!round.ok) return round;
  const effects = new Effects(state);
  const done = transfer(
    { sender: beneficiary, provider: delegate, inputs, outputs: [], round: round.value, now },
    state,
    effects,
  );
  if (!done.ok) return done;
  const { change } = done.value;
  const coins = inputs.filter((id) => find(state, 'Holding', id)).length;
  const unlocked = inputs.filter((id) => find(state, 'Holding', id)?.lock === null).length;
  const before = countOf(state, beneficiary);
  const after = before - unlocked + (change ? 1 : 0);
  if (after < Math.min(before, amuletMergeLimit)) {
    const expected = `a merge that leaves at least ${amuletMergeLimit} of ${before} coins, not ${after}`;
    return err(invalid('inputs', `${unlocked} unlocked coins`, expected));
  }
  const terms = { sender: beneficiary, receiver: beneficiary, amount: change?.amount ?? Amount.zero, meta: {} };
  const more = { delegation, delegate, coins };
  return ok(effects.outcomeOf('MintedForBeneficiary', detailOf(terms, inputs.length, done.value, effects, more)));
}

function termsOf({ beneficiary, delegate, expiresAt, amuletMergeLimit }: MintingTerms): MintingTerms {
  return { beneficiary, delegate, expiresAt, amuletMergeLimit };
}
