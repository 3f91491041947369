import type { PartyId } from '@coinlab/core';
import { Problem } from '../problem.js';
import type { Caller } from '../request.js';

/** The rights of a user of the JSON Ledger API. */
export interface LedgerRights {
  readonly isAdmin: boolean;
  readonly readsAsAny: boolean;
  readonly executesAsAny: boolean;
  readonly actAs: ReadonlySet<string>;
  readonly readAs: ReadonlySet<string>;
  readonly executeAs: ReadonlySet<string>;
}

/** Returns the rights of a caller. The operator administers the participant; a wallet's user acts for its party. */
export function rightsOf({ isOperator, party }: Caller): LedgerRights {
  const own: ReadonlySet<string> = new Set(party === null ? [] : [party]);
  return {
    isAdmin: isOperator,
    readsAsAny: false,
    executesAsAny: false,
    actAs: own,
    readAs: new Set(),
    executeAs: new Set(),
  };
}

/** Throws 403 for a caller that is not an administrator of the participant. */
export function requireAdmin(rights: LedgerRights): void {
  if (!rights.isAdmin) throw new Problem(403, 'the user does not administer the participant');
}

/** Throws 403 unless the caller may act as every party. */
export function requireActAs(rights: LedgerRights, parties: readonly PartyId[]): void {
  const missing = parties.find((party) => !rights.actAs.has(party));
  if (missing !== undefined) throw new Problem(403, `the user may not act as ${missing}`);
}

/** Throws 403 unless the caller may read as every party; the right to act includes it. */
export function requireReadAs(rights: LedgerRights, parties: readonly PartyId[]): void {
  const missing = parties.find((party) => !rights.readsAsAny && !rights.actAs.has(party) && !rights.readAs.has(party));
  if (missing !== undefined) throw new Problem(403, `the user may not read as ${missing}`);
}

/** Throws 403 unless the caller may execute transactions that every party has signed. */
export function requireExecuteAs(rights: LedgerRights, parties: readonly PartyId[]): void {
  const missing = parties.find(
    (party) => !rights.executesAsAny && !rights.actAs.has(party) && !rights.executeAs.has(party),
  );
  if (missing !== undefined) throw new Problem(403, `the user may not execute as ${missing}`);
}
