import { contractsOf, isKnownParty, settingsOf, PartyId } from '@coinlab/core';
import { dsoRulesOf } from '@coinlab/core/rules';
import type { LedgerView } from '../history/ledger-view.js';
import type { ValidatorIdentity } from '../host/hosted-parties.js';

export type Hosting = Pick<LedgerView, 'state'> & Pick<ValidatorIdentity, 'participantId'>;

/**
 * Returns the participant that hosts a party, or null for an unknown party. A super validator has its own, the DSO has that of the
 * first super validator, an external party the one in its topology, every other party this validator's.
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
