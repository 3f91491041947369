import { contractsOf, isKnownParty, settingsOf, PartyId } from '@coinlab/core';
import { dsoRulesOf } from '@coinlab/core/rules';
import type { LedgerView } from '../history/ledger-view.js';
import type { ValidatorIdentity } from '../host/hosted-parties.js';

/** What tells who hosts a party. */
export type Hosting = Pick<LedgerView, 'state'> & Pick<ValidatorIdentity, 'participantId'>;

/**
 * The participant that hosts a party: a super validator's own, for the DSO that of the first of them, for an external party the one
 * that its topology names, for every other the one of this validator; null when the party is not known.
 * Assumption: A-86.
 */
export function participantHosting(party: string, { state, participantId }: Hosting): string | null {
  const svs = dsoRulesOf(state)?.svs ?? [];
  const sv = party === settingsOf(state).dso ? svs[0] : svs.find((one) => one.party === party);
  if (sv) return sv.participantId;
  const id = PartyId.parse(party);
  if (!id.ok || !isKnownParty(state, id.value)) return null;
  for (const { participant } of contractsOf(state, 'ExternalPartyKey', id.value)) return participant;
  return participantId;
}
