import type { PartyId } from '@coinlab/core';
import { isSameRight, type LedgerRight } from '@coinlab/core/contracts';
import type { Context } from 'hono';
import { isUser } from '../../host/callers.js';
import { Problem } from '../../problem.js';
import { soon, type Caller, type Soon } from '../../request.js';
import { requireToken, type TokenCheck } from '../caller.js';

export interface LedgerRights {
  readonly isAdmin: boolean;
  readonly readsAsAny: boolean;
  readonly executesAsAny: boolean;
  readonly actAs: ReadonlySet<string>;
  readonly readAs: ReadonlySet<string>;
  readonly executeAs: ReadonlySet<string>;
}

/** A user has these rights without a grant, and they cannot be revoked. Assumption: A-117. */
export function impliedRights({ isOperator, party }: Caller): readonly LedgerRight[] {
  return [
    ...(isOperator ? [{ kind: 'ParticipantAdmin' } as const] : []),
    ...(party === null ? [] : [{ kind: 'CanActAs', party } as const]),
  ];
}

export function heldRights(caller: Caller): readonly LedgerRight[] {
  const implied = impliedRights(caller);
  const granted = caller.ledgerUser?.rights ?? [];
  return [...implied, ...granted.filter((right) => !implied.some((one) => isSameRight(one, right)))];
}

/** The authenticator returns the same object for a caller until the state changes, so most requests find their rights here. */
const rightsOfCallers: WeakMap<Caller, LedgerRights> = new WeakMap();

export function rightsOf(caller: Caller): LedgerRights {
  let rights = rightsOfCallers.get(caller);
  if (rights === undefined) {
    rights = byKind(heldRights(caller));
    rightsOfCallers.set(caller, rights);
  }
  return rights;
}

function byKind(held: readonly LedgerRight[]): LedgerRights {
  const has = (kind: LedgerRight['kind']): boolean => held.some((right) => right.kind === kind);
  const partiesOf = (kind: LedgerRight['kind']): ReadonlySet<string> =>
    new Set(held.flatMap((right) => (right.kind === kind && 'party' in right ? [right.party] : [])));
  return {
    isAdmin: has('ParticipantAdmin'),
    readsAsAny: has('CanReadAsAnyParty'),
    executesAsAny: has('CanExecuteAsAnyParty'),
    actAs: partiesOf('CanActAs'),
    readAs: partiesOf('CanReadAs'),
    executeAs: partiesOf('CanExecuteAs'),
  };
}

export function requireUser(c: Context, server: TokenCheck): Soon<Caller> {
  return soon(requireToken(c, server), requireKnown);
}

export function requireKnown(caller: Caller): Caller {
  if (!isUser(caller)) throw new Problem(403, `the participant has no user ${caller.user}`);
  return caller;
}

export function requireParticipantAdmin(c: Context, server: TokenCheck): Soon<Caller> {
  return soon(requireToken(c, server), (caller) => {
    requireAdmin(rightsOf(caller));
    return caller;
  });
}

export function requireAdmin(rights: LedgerRights): void {
  if (!rights.isAdmin) throw new Problem(403, 'the user does not administer the participant');
}

export function requireActAs(rights: LedgerRights, parties: readonly PartyId[]): void {
  const missing = parties.find((party) => !rights.actAs.has(party));
  if (missing !== undefined) throw new Problem(403, `the user may not act as ${missing}`);
}

export function requireReadAs(rights: LedgerRights, parties: readonly PartyId[]): void {
  const missing = parties.find((party) => !rights.readsAsAny && !rights.actAs.has(party) && !rights.readAs.has(party));
  if (missing !== undefined) throw new Problem(403, `the user may not read as ${missing}`);
}

export function requirePrepareAs(rights: LedgerRights, parties: readonly PartyId[]): void {
  const mayExecute = (party: PartyId): boolean => rights.executesAsAny || rights.executeAs.has(party);
  requireReadAs(
    rights,
    parties.filter((party) => !mayExecute(party)),
  );
}

export function requireReadAsAny(rights: LedgerRights): void {
  if (!rights.readsAsAny) throw new Problem(403, 'the user may not read as any party');
}

export function requireExecuteAs(rights: LedgerRights, parties: readonly string[]): void {
  const missing = parties.find(
    (party) => !rights.executesAsAny && !rights.actAs.has(party) && !rights.executeAs.has(party),
  );
  if (missing !== undefined) throw new Problem(403, `the user may not execute as ${missing}`);
}
