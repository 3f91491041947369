import { firstOf } from '@coinlab/collections';
import type { TemplateName } from '../contracts/contract.js';
import { contractsOf, hasTransferGuards, settingsOf, type LedgerState } from '../contracts/state.js';
import type { Context } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Rejected } from '../kernel/rejection.js';
import type { Instant } from '../kernel/time.js';
import { dsoRulesOf, superValidatorOf } from './governance/super-majority.js';

/** Source: specification §3 (authority rule). */
export function refuseUnlessActing(
  context: Context,
  ...required: readonly PartyId[]
): Rejected<'NOT_AUTHORISED'> | null {
  for (const party of required) {
    if (!context.actAs.includes(party)) return { code: 'NOT_AUTHORISED', actAs: context.actAs, required: party };
  }
  return null;
}

/**
 * Only the signature of a party with a key authorises, and the core cannot check who passes `actAs`. Source:
 * specification §9.1, §10 (34). Decision: ADR 0006.
 */
export function refuseUnsigned(context: Context, state: LedgerState): Rejected<'NOT_AUTHORISED'> | null {
  if (!hasTransferGuards(state)) return null;
  // Comes before the parties are checked, and plain JavaScript may pass other values.
  const unsigned = context.actAs.find((party) => firstOf(contractsOf(state, 'ExternalPartyKey', party), 1).length > 0);
  return unsigned ? { code: 'NOT_AUTHORISED', actAs: context.actAs, required: unsigned } : null;
}

/** Source: specification §3.19, §8.10. Assumption: A-69 (list of routines). */
export function refuseUnlessRoutine(
  context: Context,
  state: LedgerState,
  ...others: readonly PartyId[]
): Rejected<'NOT_AUTHORISED'> | null {
  const unauthorised = refuseUnlessAnyActs(context, settingsOf(state).dso, ...others);
  if (!unauthorised) return null;
  const rules = dsoRulesOf(state);
  return rules && context.actAs.some((party) => superValidatorOf(rules, party)) ? null : unauthorised;
}

export function refuseUnlessAnyActs(
  context: Context,
  ...allowed: readonly [PartyId, ...PartyId[]]
): Rejected<'NOT_AUTHORISED'> | null {
  return allowed.some((party) => context.actAs.includes(party))
    ? null
    : { code: 'NOT_AUTHORISED', actAs: context.actAs, required: allowed[0] };
}

export function notFound(
  contract: ContractId,
  ...templates: readonly [TemplateName, ...TemplateName[]]
): Rejected<'CONTRACT_NOT_FOUND'> {
  const wanted = templates.map((template) => `${/^[AEIOU]/.test(template) ? 'an' : 'a'} ${template}`);
  return { code: 'CONTRACT_NOT_FOUND', contract, wanted: wanted.join(' or ') };
}

export function notDecimal(field: string, units: bigint): Rejected<'INVALID_DECIMAL'> {
  return { code: 'INVALID_DECIMAL', field, units, expected: 'a Decimal of at most 38 digits' };
}

export function refuseMismatch(
  contract: ContractId | null,
  field: string,
  expected: string,
  actual: string,
): Rejected<'GROUP_MISMATCH'> | null {
  return expected === actual ? null : { code: 'GROUP_MISMATCH', contract, field, expected, actual };
}

export function invalid(field: string, value: string, expected: string): Rejected<'INVALID_ARGUMENT'> {
  return { code: 'INVALID_ARGUMENT', field, value, expected };
}

/** Deadlines are exclusive. Assumption: A-04. */
export function refuseFrom(deadline: Instant, now: Instant): Rejected<'DEADLINE_PASSED'> | null {
  return now >= deadline ? { code: 'DEADLINE_PASSED', deadline, at: now } : null;
}

export function refuseUntil(deadline: Instant, now: Instant): Rejected<'DEADLINE_NOT_REACHED'> | null {
  return now < deadline ? { code: 'DEADLINE_NOT_REACHED', deadline, at: now } : null;
}
