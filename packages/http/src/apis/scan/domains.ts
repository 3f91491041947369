import type { ValidatorIdentity } from '../../host/hosted-parties.js';
import { dsoRulesOf, participantOf } from '@coinlab/core/rules';
import { firstByKey, trafficStatusOf } from '@coinlab/core/views';
import { memberKey, type TrafficMember } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { participantHosting } from '../../network/hosting.js';
import { Problem, problems } from '../../problem.js';
import { answer } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { synchronizerOf } from '../../wire/contract.js';
import { foundOr404 } from '../../wire/values.js';

const MEMBER = /^(PAR|MED)::[^:]+::[^:]+$/;
const ofParty = { params: z.object({ domain_id: z.string(), party_id: z.string() }) };

export const registerScanTraffic: Register<LedgerView & ValidatorIdentity> = (api, ledger) => {
  const bytes = z.number().int();
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/domains/{domain_id}/members/{member_id}/traffic-status',
      operationId: 'getMemberTrafficStatus',
      summary: 'Get the traffic status of a member',
      tags: ['scan'],
      request: { params: z.object({ domain_id: z.string(), member_id: z.string() }) },
      responses: {
        200: answer(
          'Extra traffic in bytes: consumed, allowed by the synchronizer, and purchased.',
          z
            .object({
              traffic_status: z.object({
                actual: z.object({ total_consumed: bytes, total_limit: bytes }),
                target: z.object({ total_purchased: bytes }),
              }),
            })
            .openapi('GetMemberTrafficStatusResponse'),
        ),
        ...problems(400, 404),
      },
    }),
    (c) => {
      const { domain_id, member_id } = c.req.valid('param');
      if (!MEMBER.test(member_id)) throw new Problem(400, `member_id: ${member_id} is no PAR:: or MED:: member id`);
      requireSynchronizer(domain_id, ledger);
      const member = { memberId: member_id, synchronizerId: domain_id, migrationId: 0 };
      if (!isMember(member, ledger)) throw new Problem(404, `no member ${member_id}`);
      const status = trafficStatusOf(ledger.state, member, ledger.now());
      const { consumedBytes, purchasedBytes } = status;
      return c.json(
        {
          traffic_status: {
            actual: { total_consumed: consumedBytes, total_limit: purchasedBytes },
            target: { total_purchased: purchasedBytes },
          },
        },
        200,
      );
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/domains/{domain_id}/parties/{party_id}/participant-id',
      operationId: 'getPartyToParticipant',
      summary: 'Get the participant of a party',
      tags: ['scan'],
      request: ofParty,
      responses: {
        200: answer(
          'The participant that hosts the party.',
          z.object({ participant_id: z.string() }).openapi('GetPartyToParticipantResponse'),
        ),
        ...problems(404),
      },
    }),
    (c) => {
      const { domain_id, party_id } = c.req.valid('param');
      return c.json({ participant_id: hostOf(party_id, domain_id, ledger) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v1/domains/{domain_id}/parties/{party_id}/participant-id',
      operationId: 'getPartyToParticipantV1',
      summary: 'List the participants of a party',
      tags: ['scan'],
      request: ofParty,
      responses: {
        200: answer(
          'The participants that host the party.',
          z.object({ participant_ids: z.array(z.string()) }).openapi('GetPartyToParticipantResponseV1'),
        ),
        ...problems(404),
      },
    }),
    (c) => {
      const { domain_id, party_id } = c.req.valid('param');
      return c.json({ participant_ids: [hostOf(party_id, domain_id, ledger)] }, 200);
    },
  );
};

function requireSynchronizer(id: string, ledger: LedgerView): void {
  if (id !== synchronizerOf(ledger)) throw new Problem(404, `no synchronizer ${id}`);
}

function isMember(member: TrafficMember, ledger: LedgerView & ValidatorIdentity): boolean {
  const { state, peers } = ledger;
  const { memberId } = member;
  return (
    peers.some((own) => memberId === own.participantId || memberId === participantOf(own.validator)) ||
    firstByKey(state, 'MemberTrafficBalance', memberKey(member)) !== null ||
    (dsoRulesOf(state)?.svs.some(({ participantId }) => participantId === memberId) ?? false)
  );
}

function hostOf(party: string, synchronizer: string, ledger: LedgerView & ValidatorIdentity): string {
  requireSynchronizer(synchronizer, ledger);
  return foundOr404(participantHosting(party, ledger), 'party', party);
}
