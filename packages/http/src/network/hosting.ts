import { contractsOf, isKnownParty, settingsOf, PartyId, type LedgerState } from '@coinlab/core';
import { dsoRulesOf } from '@coinlab/core/rules';
import type { LedgerView } from '../history/ledger-view.js';
import { hasWalletAt, type Peer, type ValidatorIdentity } from '../host/hosted-parties.js';
import { namespaceOf } from '../host/validators.js';

export type Hosting = Pick<LedgerView, 'state'> & Pick<ValidatorIdentity, 'participantId' | 'peers'>;

/** Null: an unknown party. Assumption. */
export function participantHosting(party: string, { state, participantId, peers }: Hosting): string | null {
  const svs = dsoRulesOf(state)?.svs ?? [];
  const sv = party === settingsOf(state).dso ? svs[0] : svs.find((one) => one.party === party);
  if (sv) return sv.participantId;
  const id = PartyId.parse(party);
  if (!id.ok || !isKnownParty(state, id.value)) return null;
  for (const { participant } of contractsOf(state, 'ExternalPartyKey', id.value)) return participant;
  const [first, ...others] = peers;
  if (first === undefined || others.length === 0) return participantId;
  return (peerHosting(state, id.value, peers) ?? first).participantId;
}

function peerHosting(state: LedgerState, party: PartyId, peers: readonly Peer[]): Peer | undefined {
  const namespace = namespaceOf(party);
  return (
    peers.find(({ validator }) => validator === party) ??
    peers.find(({ participantId }) => namespaceOf(participantId) === namespace) ??
    peers.find(({ validator }) => hasWalletAt(state, validator, party))
  );
}
