import { rulesOf, settingsOf, type LedgerState, type PartyId, type Update } from '@coinlab/core';
import { RESERVED_TRAFFIC_BYTES } from '@coinlab/automation';
import type { TrafficMember } from '@coinlab/core/contracts';
import { dsoRulesOf } from '@coinlab/core/rules';
import { findAny, messageBytesOf, trafficStatusOf } from '@coinlab/core/views';
import type { ServerConfig } from '../config.js';
import type { TrafficCharge, TrafficCharges } from '../host/traffic-charges.js';
import type { Peer } from '../host/hosted-parties.js';
import { isOfNetwork } from '../wire/templates.js';
import { participantHosting } from './hosting.js';

/**
 * The size of a message is estimated from its inputs and outputs. Parties of other nodes, and updates that no synchronizer
 * carries (users, allocated parties), cost nothing. With top-ups, a client's transaction is refused below the traffic reserved
 * for them, as the network does.
 * Source: specification of the domain §2.4, §8.3. Assumptions: A-14 (sizes), A-133.
 */
export function countedTraffic(
  peers: readonly Peer[],
  { automation }: Pick<ServerConfig, 'automation'>,
): TrafficCharges {
  const reserved = (automation.topUp?.targetThroughput ?? 0) > 0 ? RESERVED_TRAFFIC_BYTES : 0;
  return {
    chargeOf(update, state, now, source) {
      const synchronizerId = rulesOf(state)?.config.traffic.activeSynchronizer;
      const sender = synchronizerId === undefined ? null : senderOf(update.actAs, state, peers);
      if (synchronizerId === undefined || !sender || !isTransaction(update, state)) return null;
      const member: TrafficMember = { memberId: sender, synchronizerId, migrationId: 0 };
      const bytes = messageBytesOf(update);
      const charge: TrafficCharge = {
        command: { type: 'ConsumeTraffic', ...member, bytes },
        actAs: [settingsOf(state).dso],
      };
      if (source === 'automation' || reserved === 0) return { ok: true, value: charge };
      const { baseBytes, extraBytes } = trafficStatusOf(state, member, now);
      const availableBytes = baseBytes + extraBytes;
      if (availableBytes >= bytes + reserved) return { ok: true, value: charge };
      return {
        ok: false,
        error: { code: 'INSUFFICIENT_TRAFFIC', trafficBytes: bytes + reserved, availableBytes },
      };
    },
  };
}

/** Nodes of super validators have unlimited traffic. */
function senderOf(actAs: readonly PartyId[], state: LedgerState, peers: readonly Peer[]): string | null {
  const svs = dsoRulesOf(state)?.svs ?? [];
  for (const party of actAs) {
    const host = participantHosting(party, { state, participantId: peers[0]?.participantId ?? '', peers });
    if (peers.some(({ participantId }) => participantId === host) && svs.every((sv) => sv.participantId !== host))
      return host;
  }
  return null;
}

function isTransaction({ created, archived }: Update, before: LedgerState): boolean {
  if (created.some(isOfNetwork)) return true;
  return archived.some((id) => {
    const contract = findAny(before, id);
    return contract !== null && isOfNetwork(contract);
  });
}
