import type { DsoRules, SuperValidator } from '../contracts/governance/dso-rules.js';
import { Effects } from '../contracts/effects.js';
import {
  governanceAction,
  reasonShape,
  type GovernanceAction,
  type Reason,
  type Vote,
  type VoteRequest,
} from '../contracts/governance/vote-request.js';
import { find, settingsOf, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { REJECTION_CODES, type RejectionCode } from '../kernel/rejection.js';
import { err, ok } from '../kernel/result.js';
import {
  bool,
  contractId,
  instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  party,
  text,
  type Fields,
} from '../kernel/shape.js';
import { Instant } from '../kernel/time.js';
import { applyAction, notSuperValidator } from '../rules/governance/governance.js';
import { invalid, notDecimal, notFound, refuseUnlessActing, refuseUnlessRoutine } from '../rules/refusals.js';
import { dsoRulesOf, rulingOn, superValidatorOf, tallyOf, type Tally } from '../rules/governance/super-majority.js';
import { byRules, onArchived, routineOn, throughRules } from '../rules/consent.js';
import { detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * The life of a vote request: a super validator creates it with its own vote in favour, the others vote and may
 * change their votes, and a routine closes it, which counts the votes and executes the action.
 * Source: specification §3.19.
 */
type VoteCommand = RequestVote | CastVote | CloseVote;

/** Puts an action to the vote. Acts as a super validator. */
interface RequestVote {
  readonly type: 'RequestVote';
  readonly requester: PartyId;
  readonly action: GovernanceAction;
  readonly reason: Reason;
  /** Exclusive end of voting; default: now plus the lifetime in the DSO's configuration. */
  readonly voteBefore?: Instant;
  /** When the action takes effect, not before `voteBefore`; default: as soon as it is accepted. */
  readonly targetEffectiveAt?: Instant;
}

/** Votes, or changes a vote after the cool-down. Acts as the super validator. */
interface CastVote {
  readonly type: 'CastVote';
  /** The current id of the request: each vote changes it. */
  readonly request: ContractId;
  readonly sv: PartyId;
  readonly accept: boolean;
  readonly reason: Reason;
}

/** Counts the votes and executes an accepted action. Acts as the DSO or any super validator. */
interface CloseVote {
  readonly type: 'CloseVote';
  readonly request: ContractId;
}

interface VoteDetail extends ValueDetail {
  readonly request: ContractId;
  /** The id of the original request. */
  readonly trackingCid: ContractId;
  readonly sv: PartyId;
  readonly accept: boolean;
}

type VoteOutcome = 'Accepted' | 'AcceptedButActionFailed' | 'Rejected' | 'Expired';

interface VoteClosedDetail extends ValueDetail, Tally {
  readonly trackingCid: ContractId;
  readonly action: GovernanceAction;
  readonly outcome: VoteOutcome;
  /** Time at which an accepted action took effect, or would have if it had not failed. */
  readonly effectiveAt: Instant | null;
  /** Code of the refusal when an accepted action failed. */
  readonly failure: RejectionCode | null;
}

interface VoteDetails {
  readonly VoteRequested: VoteDetail & { readonly action: GovernanceAction };
  readonly VoteCast: VoteDetail;
  readonly VoteClosed: VoteClosedDetail;
}

type Answer = Decision<VoteDetails>;

const voteDetail: Fields<Omit<VoteDetail, keyof ValueDetail>> = {
  request: contractId,
  trackingCid: contractId,
  sv: party,
  accept: bool,
};

const outcomes = {
  RequestVote: {
    becomes: ['VoteRequested'],
    refusals: [
      'NOT_BOOTSTRAPPED',
      'NOT_AUTHORISED',
      'GROUP_MISMATCH',
      'DEADLINE_PASSED',
      'INVALID_DECIMAL',
      'INVALID_ARGUMENT',
    ],
  },
  CastVote: {
    becomes: ['VoteCast'],
    refusals: ['NOT_BOOTSTRAPPED', 'choice', 'GROUP_MISMATCH', 'DEADLINE_PASSED', 'TOO_SOON'],
  },
  CloseVote: {
    becomes: ['VoteClosed'],
    refusals: [
      'NOT_BOOTSTRAPPED',
      'choice',
      'VOTE_NOT_CLOSABLE',
      'INVALID_ARGUMENT',
      'ALREADY_EXISTS',
      'GROUP_MISMATCH',
      'NON_POSITIVE_AMOUNT',
      'DEADLINE_PASSED',
      'INSUFFICIENT_FUNDS',
    ],
  },
} as const;

export const votes: Workflow<VoteCommand, VoteDetails, typeof outcomes> = {
  commands: {
    RequestVote: shapeOf<RequestVote>({
      requester: party,
      action: governanceAction,
      reason: reasonShape,
      voteBefore: optional(instant),
      targetEffectiveAt: optional(instant),
    }),
    CastVote: shapeOf<CastVote>({ request: contractId, sv: party, accept: bool, reason: reasonShape }),
    CloseVote: shapeOf<CloseVote>({ request: contractId }),
  },
  outcomes,
  source: '§3.19',
  updates: {
    VoteRequested: unrecorded(
      detailShape<VoteDetails['VoteRequested']>({ ...voteDetail, action: governanceAction }),
      byRules('sv'),
      null,
    ),
    VoteCast: unrecorded(
      detailShape<VoteDetail>(voteDetail),
      throughRules(onArchived('VoteRequest', (_, { update }) => [[update.detail.sv]])),
      null,
    ),
    VoteClosed: unrecorded(
      detailShape<VoteClosedDetail>({
        yes: integer,
        no: integer,
        required: integer,
        offboardedVoters: list(text),
        abstainingSvs: list(text),
        trackingCid: contractId,
        action: governanceAction,
        outcome: oneOf(['Accepted', 'AcceptedButActionFailed', 'Rejected', 'Expired']),
        effectiveAt: nullable(instant),
        failure: nullable(oneOf(REJECTION_CODES)),
      }),
      throughRules(routineOn('VoteRequest')),
      null,
    ),
  },
  decide,
};

function decide(command: VoteCommand, state: LedgerState, context: Context): Answer {
  const rules = dsoRulesOf(state);
  if (!rules) return err({ code: 'NOT_BOOTSTRAPPED' });
  if (command.type === 'RequestVote') return requestVote(command, rules, state, context);
  const request = find(state, 'VoteRequest', command.request);
  if (!request) return err(notFound(command.request, 'VoteRequest'));
  return command.type === 'CastVote'
    ? castVote(command, request, rules, state, context)
    : closeVote(request, rules, state, context);
}

function requestVote(command: RequestVote, rules: DsoRules, state: LedgerState, context: Context): Answer {
  const { requester, action, reason, targetEffectiveAt = null } = command;
  const { now } = context;
  const unauthorised = refuseUnlessActing(context, requester);
  if (unauthorised) return err(unauthorised);
  const sv = superValidatorOf(rules, requester);
  if (!sv) return err(notSuperValidator(rules, requester));
  const voteBefore = command.voteBefore ?? Instant.plus(now, rules.config.voteRequestLifetime);
  if (now >= voteBefore) return err({ code: 'DEADLINE_PASSED', deadline: voteBefore, at: now });
  if (action.type === 'AllocateUnclaimedActivityRecord' && !Amount.inRange(action.amount))
    return err(notDecimal('action.amount', action.amount));
  if (targetEffectiveAt !== null && targetEffectiveAt < voteBefore) {
    return err(
      invalid(
        'targetEffectiveAt',
        Instant.format(targetEffectiveAt),
        `not before the end of the vote, ${Instant.format(voteBefore)}`,
      ),
    );
  }
  const effects = new Effects(state);
  const own = voteOf(sv, true, { url: '', body: 'I accept, as I requested the vote.' }, now);
  const { id } = effects.create('VoteRequest', {
    requester: sv.name,
    action,
    reason,
    voteBefore,
    votes: [own],
    trackingCid: null,
    targetEffectiveAt,
  });
  return ok(effects.outcome('VoteRequested', { request: id, trackingCid: id, sv: requester, accept: true, action }));
}

function castVote(
  { sv: party, accept, reason }: CastVote,
  request: VoteRequest,
  rules: DsoRules,
  state: LedgerState,
  context: Context,
): Answer {
  const { now } = context;
  const unauthorised = refuseUnlessActing(context, party);
  if (unauthorised) return err(unauthorised);
  const sv = superValidatorOf(rules, party);
  if (!sv) return err(notSuperValidator(rules, party));
  const deadline = request.targetEffectiveAt ?? request.voteBefore;
  if (now >= deadline) return err({ code: 'DEADLINE_PASSED', deadline, at: now });
  const before = request.votes.find((vote) => vote.sv === party);
  const notBefore = before ? Instant.plus(before.castAt, rules.config.voteCooldown) : now;
  if (now < notBefore) return err({ code: 'TOO_SOON', notBefore, at: now });

  const effects = new Effects(state);
  const trackingCid = request.trackingCid ?? request.id;
  const cast = [...request.votes.filter((vote) => vote.sv !== party), voteOf(sv, accept, reason, now)];
  const { id } = effects.replace(request, { trackingCid, votes: cast.sort((a, b) => (a.sv < b.sv ? -1 : 1)) });
  return ok(effects.outcome('VoteCast', { request: id, trackingCid, sv: party, accept }));
}

function closeVote(request: VoteRequest, rules: DsoRules, state: LedgerState, context: Context): Answer {
  const { profile } = settingsOf(state);
  const unauthorised = refuseUnlessRoutine(context, state);
  if (unauthorised) return err(unauthorised);
  const tally = tallyOf(request.votes, rules);
  const { yes, no, required } = tally;
  const ruling = rulingOn(request, tally, context.now);
  if (ruling === 'open') return err({ code: 'VOTE_NOT_CLOSABLE', yes, no, required });

  const effects = new Effects(state);
  effects.archive(request);
  const { id, action } = request;
  const answer = (outcome: VoteOutcome, effectiveAt: Instant | null, failure: RejectionCode | null): Answer =>
    ok(
      effects.outcome('VoteClosed', {
        ...tally,
        trackingCid: request.trackingCid ?? id,
        action,
        outcome,
        effectiveAt,
        failure,
      }),
    );
  if (ruling !== 'accepted') return answer(ruling === 'rejected' ? 'Rejected' : 'Expired', null, null);
  const effectiveAt = request.targetEffectiveAt ?? context.now;
  const mark = effects.mark();
  const failed = applyAction(action, state, effects, context.now);
  if (!failed) return answer('Accepted', effectiveAt, null);
  if (profile.failureAborts) return err(failed);
  effects.rollback(mark);
  return answer('AcceptedButActionFailed', effectiveAt, failed.code);
}

function voteOf({ party: sv, name }: SuperValidator, accept: boolean, reason: Reason, castAt: Instant): Vote {
  return { sv, name, accept, reason, castAt };
}
