import { z } from '@hono/zod-openapi';
import { PartyId } from '@coinlab/core';
import { LedgerProblem } from '../../../gates/ledger/errors.js';
import { submit } from '../../../gates/submit.js';
import { synchronizerOf } from '../../../wire/contract.js';
import { defaultProvider, objectMeta } from '../../../wire/ledger/users.js';
import { mergedAnnotations } from '../update-mask.js';
import { grantRights, userNamed, userProblem, type UserNeeds } from '../users/changes.js';

export const allocation = z
  .object({
    partyIdHint: z.string().optional().describe('Beginning of the party id; default: a unique text.'),
    localMetadata: objectMeta.optional(),
    identityProviderId: defaultProvider,
    synchronizerId: z.string().optional(),
    userId: z.string().optional().describe('User that may act as the new party.'),
  })
  .openapi('AllocatePartyRequest');

export type AllocationNeeds = UserNeeds & {
  readonly salt: () => string;
};

export async function allocateParty(request: z.infer<typeof allocation>, server: AllocationNeeds): Promise<PartyId> {
  const { partyIdHint = '', localMetadata = {}, synchronizerId, userId = '' } = request;
  const { host, validator: operator, participantId: participant } = server;
  if ((localMetadata.resourceVersion ?? '') !== '')
    throw new LedgerProblem('INVALID_ARGUMENT', 'localMetadata.resourceVersion: expected none for a new party');
  requireSynchronizer(synchronizerId, 'synchronizerId', server);
  if (userId !== '') userNamed(userId, server);
  const hint = partyIdHint === '' ? `party-${server.salt()}` : partyIdHint;
  const namespace = participant.slice(participant.lastIndexOf(':') + 1);
  const party = PartyId.parse(`${hint}::${namespace}`, 'partyIdHint');
  if (!party.ok) {
    const expected = 'expected 1 to 185 letters, digits, points, dashes or underscores';
    throw new LedgerProblem('INVALID_ARGUMENT', `partyIdHint: got ${partyIdHint}, ${expected}`);
  }
  const answer = await host.submit({ type: 'AllocateParty', party: party.value, displayName: hint }, [party.value]);
  if (!answer.ok && answer.error.code === 'ALREADY_EXISTS')
    throw new LedgerProblem(
      'INVALID_ARGUMENT',
      `Party already exists: party ${party.value} is already allocated on this node`,
    );
  if (!answer.ok) throw userProblem(answer.error);
  const annotations = mergedAnnotations({}, localMetadata.annotations ?? {});
  if (Object.keys(annotations).length > 0)
    await submit(server, { type: 'AnnotateParty', operator, participant, party: party.value, annotations }, operator);
  if (userId !== '') await grantRights(userId, [{ kind: 'CanActAs', party: party.value }], server);
  return party.value;
}

export function requireSynchronizer(given: string | undefined, field: string, server: UserNeeds): void {
  const expected = synchronizerOf(server);
  if (given !== undefined && given !== '' && given !== expected)
    throw new LedgerProblem('INVALID_ARGUMENT', `${field}: got ${given}, expected ${expected}`);
}
