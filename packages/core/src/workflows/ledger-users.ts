import { Effects } from '../contracts/effects.js';
import {
  isSameRight,
  ledgerRight,
  ledgerUserKey,
  type LedgerRight,
  type LedgerUser,
  type LedgerUserProfile,
} from '../contracts/ledger-user.js';
import { find, firstByKey, type LedgerState } from '../contracts/state.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Rejected } from '../kernel/rejection.js';
import { err, ok, type Result } from '../kernel/result.js';
import { bool, contractId, list, mapOf, nullable, optional, party, text, type Fields } from '../kernel/shape.js';
import { refuseAnnotations } from '../rules/annotations.js';
import { by, onArchived } from '../rules/consent.js';
import { invalid, notFound, refuseUnlessActing } from '../rules/refusals.js';
import { byType, detailShape, shapeOf, unrecorded, type Decision, type Workflow } from '../rules/workflow.js';

/**
 * Users of a participant's ledger API and their rights. They are part of the log, so that they survive a restart. The
 * ledger itself does not read them: the server checks the rights of its callers. Assumption: A-117.
 */
type LedgerUserCommand =
  CreateLedgerUser | UpdateLedgerUser | DeleteLedgerUser | GrantLedgerRights | RevokeLedgerRights;

/** Creates a user. Acts as the operator. A taken id is refused; the refusal names the existing record. */
interface CreateLedgerUser extends Partial<LedgerUserProfile> {
  readonly type: 'CreateLedgerUser';
  readonly operator: PartyId;
  readonly participant: string;
  /** Id of the user, unique at the participant: 1 to 128 letters, digits and characters of `` @^$.!`-#+'~_|:() ``. */
  readonly userId: string;
  /** Rights of the user, at most 1,000 different ones; default: none. */
  readonly rights?: readonly LedgerRight[];
}

/** Changes the given fields of a user. Acts as the operator. */
interface UpdateLedgerUser extends Partial<LedgerUserProfile> {
  readonly type: 'UpdateLedgerUser';
  readonly user: ContractId;
}

/** Deletes a user with its rights. Acts as the operator. */
interface DeleteLedgerUser {
  readonly type: 'DeleteLedgerUser';
  readonly user: ContractId;
}

/** Adds rights to a user; existing ones have no effect. Acts as the operator. */
interface GrantLedgerRights {
  readonly type: 'GrantLedgerRights';
  readonly user: ContractId;
  readonly rights: readonly LedgerRight[];
}

/** Removes rights from a user; missing ones have no effect. Acts as the operator. */
interface RevokeLedgerRights {
  readonly type: 'RevokeLedgerRights';
  readonly user: ContractId;
  readonly rights: readonly LedgerRight[];
}

interface LedgerUserDetail extends ValueDetail {
  /** Id of the new record; of the archived one if the user was deleted. */
  readonly user: ContractId;
  readonly operator: PartyId;
  readonly participant: string;
  readonly userId: string;
}

interface LedgerUserDetails {
  readonly LedgerUserCreated: LedgerUserDetail;
  readonly LedgerUserUpdated: LedgerUserDetail;
  readonly LedgerUserDeleted: LedgerUserDetail;
  readonly LedgerRightsGranted: LedgerUserDetail & { readonly granted: readonly LedgerRight[] };
  readonly LedgerRightsRevoked: LedgerUserDetail & { readonly revoked: readonly LedgerRight[] };
}

type Answer = Decision<LedgerUserDetails>;

const USER_ID = /^[A-Za-z0-9@^$.!`\-#+'~_|:()]{1,128}$/;
const MOST_RIGHTS = 1_000;

const profile: Fields<Partial<LedgerUserProfile>> = {
  primaryParty: optional(nullable(party)),
  isDeactivated: optional(bool),
  annotations: optional(mapOf(text)),
};
const named: Fields<Omit<LedgerUserDetail, keyof ValueDetail>> = {
  user: contractId,
  operator: party,
  participant: text,
  userId: text,
};
const detail = detailShape<LedgerUserDetail>(named);
const change = shapeOf<GrantLedgerRights>({ user: contractId, rights: list(ledgerRight) });
const byOperator = onArchived('LedgerUser', 'operator');

const outcomes = {
  CreateLedgerUser: {
    becomes: ['LedgerUserCreated'],
    refusals: ['NOT_AUTHORISED', 'INVALID_ARGUMENT', 'ALREADY_EXISTS'],
  },
  UpdateLedgerUser: { becomes: ['LedgerUserUpdated'], refusals: ['choice', 'INVALID_ARGUMENT'] },
  DeleteLedgerUser: { becomes: ['LedgerUserDeleted'], refusals: ['choice'] },
  GrantLedgerRights: { becomes: ['LedgerRightsGranted'], refusals: ['choice', 'INVALID_ARGUMENT'] },
  RevokeLedgerRights: { becomes: ['LedgerRightsRevoked'], refusals: ['choice'] },
} as const;

export const ledgerUsers: Workflow<LedgerUserCommand, LedgerUserDetails, typeof outcomes> = {
  commands: {
    CreateLedgerUser: shapeOf<CreateLedgerUser>({
      operator: party,
      participant: text,
      userId: text,
      ...profile,
      rights: optional(list(ledgerRight)),
    }),
    UpdateLedgerUser: shapeOf<UpdateLedgerUser>({ user: contractId, ...profile }),
    DeleteLedgerUser: shapeOf<DeleteLedgerUser>({ user: contractId }),
    GrantLedgerRights: change,
    RevokeLedgerRights: change,
  },
  outcomes,
  source: 'A-117',
  updates: {
    LedgerUserCreated: unrecorded(detail, by('operator'), null),
    LedgerUserUpdated: unrecorded(detail, byOperator, null),
    LedgerUserDeleted: unrecorded(detail, byOperator, 'user'),
    LedgerRightsGranted: unrecorded(
      detailShape<LedgerUserDetails['LedgerRightsGranted']>({ ...named, granted: list(ledgerRight) }),
      byOperator,
      null,
    ),
    LedgerRightsRevoked: unrecorded(
      detailShape<LedgerUserDetails['LedgerRightsRevoked']>({ ...named, revoked: list(ledgerRight) }),
      byOperator,
      null,
    ),
  },
  decide: byType({
    CreateLedgerUser: create,
    UpdateLedgerUser: update,
    DeleteLedgerUser: remove,
    GrantLedgerRights: grant,
    RevokeLedgerRights: revoke,
  }),
};

function create(command: CreateLedgerUser, state: LedgerState, context: Context): Answer {
  const { operator, participant, userId, primaryParty = null, isDeactivated = false, annotations = {} } = command;
  const unauthorised = refuseUnlessActing(context, operator);
  if (unauthorised) return err(unauthorised);
  const rights = distinct(command.rights ?? []);
  const refused = refuseName(participant, userId) ?? refuseAnnotations(annotations) ?? refuseMany(rights);
  if (refused) return err(refused);
  const known = firstByKey(state, 'LedgerUser', ledgerUserKey(participant, userId));
  if (known) return err({ code: 'ALREADY_EXISTS', what: `user ${userId}`, contract: known.id });
  const effects = new Effects(state);
  const { id: user } = effects.create('LedgerUser', {
    operator,
    participant,
    userId,
    primaryParty,
    isDeactivated,
    annotations,
    resourceVersion: 0,
    rights,
  });
  return ok(effects.outcome('LedgerUserCreated', { user, operator, participant, userId }));
}

function update(command: UpdateLedgerUser, state: LedgerState, context: Context): Answer {
  const found = foundFor(command, state, context);
  if (!found.ok) return found;
  const before = found.value;
  const { primaryParty = before.primaryParty, isDeactivated = before.isDeactivated } = command;
  const { annotations = before.annotations } = command;
  const refused = refuseAnnotations(annotations);
  if (refused) return err(refused);
  const effects = new Effects(state);
  const resourceVersion = before.resourceVersion + 1;
  const changed = detailOf(effects.replace(before, { primaryParty, isDeactivated, annotations, resourceVersion }));
  return ok(effects.outcome('LedgerUserUpdated', changed));
}

function remove(command: DeleteLedgerUser, state: LedgerState, context: Context): Answer {
  const found = foundFor(command, state, context);
  if (!found.ok) return found;
  const effects = new Effects(state);
  effects.archive(found.value);
  return ok(effects.outcome('LedgerUserDeleted', detailOf(found.value)));
}

function grant(command: GrantLedgerRights, state: LedgerState, context: Context): Answer {
  const found = foundFor(command, state, context);
  if (!found.ok) return found;
  const before = found.value;
  const granted = distinct(command.rights).filter((right) => !includes(before.rights, right));
  const rights = [...before.rights, ...granted];
  const refused = refuseMany(rights);
  if (refused) return err(refused);
  const effects = new Effects(state);
  return ok(effects.outcome('LedgerRightsGranted', { ...detailOf(effects.replace(before, { rights })), granted }));
}

function revoke(command: RevokeLedgerRights, state: LedgerState, context: Context): Answer {
  const found = foundFor(command, state, context);
  if (!found.ok) return found;
  const before = found.value;
  const revoked = distinct(command.rights).filter((right) => includes(before.rights, right));
  const rights = before.rights.filter((right) => !includes(revoked, right));
  const effects = new Effects(state);
  return ok(effects.outcome('LedgerRightsRevoked', { ...detailOf(effects.replace(before, { rights })), revoked }));
}

function foundFor(
  { user }: { readonly user: ContractId },
  state: LedgerState,
  context: Context,
): Result<LedgerUser, Rejected<'CONTRACT_NOT_FOUND' | 'NOT_AUTHORISED'>> {
  const found = find(state, 'LedgerUser', user);
  if (!found) return err(notFound(user, 'LedgerUser'));
  const unauthorised = refuseUnlessActing(context, found.operator);
  return unauthorised ? err(unauthorised) : ok(found);
}

function detailOf({ id: user, operator, participant, userId }: LedgerUser): Omit<LedgerUserDetail, keyof ValueDetail> {
  return { user, operator, participant, userId };
}

function includes(rights: readonly LedgerRight[], right: LedgerRight): boolean {
  return rights.some((one) => isSameRight(one, right));
}

function distinct(rights: readonly LedgerRight[]): readonly LedgerRight[] {
  const found: LedgerRight[] = [];
  for (const right of rights) if (!includes(found, right)) found.push(right);
  return found;
}

function refuseName(participant: string, userId: string): Rejected<'INVALID_ARGUMENT'> | null {
  if (participant === '') return invalid('participant', '', 'the id of a participant');
  if (USER_ID.test(userId)) return null;
  const expected = "1 to 128 letters, digits and characters of @^$.!`-#+'~_|:()";
  return invalid('userId', userId, expected);
}

function refuseMany(rights: readonly LedgerRight[]): Rejected<'INVALID_ARGUMENT'> | null {
  if (rights.length <= MOST_RIGHTS) return null;
  const expected = `at most ${MOST_RIGHTS} rights of a user`;
  return invalid('rights', `${rights.length}`, expected);
}
