import type { Command, LedgerState, Rejection } from '@coinlab/core';
import { isSameRight, type LedgerRight } from '@coinlab/core/contracts';
import { LedgerProblem } from '../../../gates/ledger/errors.js';
import { heldRights, impliedRights } from '../../../gates/ledger/rights.js';
import { describeRejection } from '../../../gates/status.js';
import type { LedgerAccess } from '../../../gates/submit.js';
import { callerNamed, isUser, type Identified } from '../../../host/callers.js';
import type { ValidatorIdentity } from '../../../host/hosted-parties.js';
import type { Caller } from '../../../request.js';

export type UserNeeds = LedgerAccess & ValidatorIdentity & Identified;

export function userNamed(user: string, server: UserNeeds, state: LedgerState = server.state): Caller {
  const caller = callerNamed(user, state, server);
  if (!isUser(caller)) throw noUser(user);
  return caller;
}

function noUser(user: string): LedgerProblem {
  return new LedgerProblem('USER_NOT_FOUND', `the participant has no user "${user}"`, { resources: [['USER', user]] });
}

export async function grantRights(
  user: string,
  rights: readonly LedgerRight[],
  server: UserNeeds,
): Promise<readonly LedgerRight[]> {
  const held = heldRights(userNamed(user, server));
  if (rights.every((right) => includes(held, right))) return [];
  const update = await submitFor(user, server, (target) => {
    const missing = rights.filter((right) => !includes(impliedRights(target), right));
    return target.ledgerUser
      ? { type: 'GrantLedgerRights', user: target.ledgerUser.id, rights: missing }
      : recordOf(target, server, { rights: missing });
  });
  if (update.kind === 'LedgerRightsGranted') return update.detail.granted;
  return update.created.flatMap((one) => (one.template === 'LedgerUser' ? one.rights : []));
}

export async function revokeRights(
  user: string,
  rights: readonly LedgerRight[],
  server: UserNeeds,
): Promise<readonly LedgerRight[]> {
  const granted = userNamed(user, server).ledgerUser?.rights ?? [];
  if (!rights.some((right) => includes(granted, right))) return [];
  const update = await submitFor(user, server, ({ ledgerUser }) => {
    if (!ledgerUser) throw noUser(user);
    return { type: 'RevokeLedgerRights', user: ledgerUser.id, rights };
  });
  return update.kind === 'LedgerRightsRevoked' ? update.detail.revoked : [];
}

export function recordOf(
  { user, party }: Caller,
  { validator, participantId }: UserNeeds,
  fields: Partial<Extract<Command, { type: 'CreateLedgerUser' }>>,
): Command {
  const named = { type: 'CreateLedgerUser', operator: validator, participant: participantId, userId: user } as const;
  return { ...named, ...(party === null ? {} : { primaryParty: party }), ...fields };
}

export async function submitFor(user: string, server: UserNeeds, make: (target: Caller) => Command) {
  const submitted = await server.host.submitFrom((state) => make(userNamed(user, server, state)), [server.validator]);
  if (submitted.ok) return submitted.value.update;
  throw userProblem(submitted.error);
}

export function userProblem(rejection: Rejection): LedgerProblem {
  const isTooMany = rejection.code === 'INVALID_ARGUMENT' && rejection.field === 'rights';
  return new LedgerProblem(isTooMany ? 'TOO_MANY_USER_RIGHTS' : 'INVALID_ARGUMENT', describeRejection(rejection));
}

function includes(rights: readonly LedgerRight[], right: LedgerRight): boolean {
  return rights.some((one) => isSameRight(one, right));
}
