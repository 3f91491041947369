import { firstByKey, hasRightsOrKeys, settingsOf, type LedgerState } from '../contracts/state.js';
import type { Context } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import type { Rejected } from '../kernel/rejection.js';
import { dsoRulesOf, superValidatorOf } from './super-majority.js';

/** A refusal when one of the required parties does not act, else null. Source: specification §3 (authority rule). */
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
 * A refusal when a party acts that has a key of its own: it acts by signature alone, which no shell can vouch for.
 * Source: specification §9.1, §10 (34). Decision: ADR 0006.
 */
export function refuseUnsigned(context: Context, state: LedgerState): Rejected<'NOT_AUTHORISED'> | null {
  if (!hasRightsOrKeys(state)) return null;
  const unsigned = context.actAs.find((party) => firstByKey(state, 'ExternalPartyKey', party));
  return unsigned ? { code: 'NOT_AUTHORISED', actAs: context.actAs, required: unsigned } : null;
}

/**
 * A refusal of a routine of the DSO when neither the DSO acts nor any one of its super validators, nor one of the `others`; else
 * null.
 * Source: specification §3.19, §8.10. Assumption: A-69 (what is routine).
 */
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
