import { z } from '@hono/zod-openapi';
import type { LedgerState, PartyId } from '@coinlab/core';
import { partyAnnotationsKey, type PartyAnnotations } from '@coinlab/core/contracts';
import { firstByKey } from '@coinlab/core/views';
import { participantHosting, type Hosting } from '../../../network/hosting.js';
import { defaultProvider, objectMeta } from '../../../wire/ledger/users.js';

export const partyDetails = z
  .object({
    party: z.string(),
    isLocal: z.boolean().optional(),
    localMetadata: objectMeta.optional(),
    identityProviderId: defaultProvider,
  })
  .openapi('PartyDetails');

export function detailsOf(party: PartyId, server: Hosting, isLocal = true): z.infer<typeof partyDetails> {
  const known = annotationsOf(party, server.state, server.participantId);
  return {
    party,
    isLocal: isLocal && participantHosting(party, server) === server.participantId,
    localMetadata: {
      resourceVersion: String(known?.resourceVersion ?? 0),
      annotations: { ...known?.annotations },
    },
    identityProviderId: '',
  };
}

export function annotationsOf(party: PartyId, state: LedgerState, participantId: string): PartyAnnotations | null {
  return firstByKey(state, 'PartyAnnotations', partyAnnotationsKey(participantId, party));
}
