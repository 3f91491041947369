import { Amount, ContractId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { dso, pass, scanServer, sv, type ScanServer } from './scan-fixture.ts';
import { alice, bob } from './wallet-fixture.ts';

const reason = { url: 'https://example.com', body: 'because' };

/** Adds two super validators, so that a request stays open; sv-1 requests to feature alice. */
async function withRequest(): Promise<{ scan: ScanServer; request: ContractId }> {
  const scan = await scanServer();
  for (const [party, name] of [
    [alice, 'alice-sv'],
    [bob, 'bob-sv'],
  ] as const) {
    const participantId = `PAR::${party}`;
    await scan.submit(
      { type: 'ExecuteAction', action: { type: 'AddSv', party, name, rewardWeight: 10, participantId } },
      dso,
    );
  }
  const action = { type: 'GrantFeaturedAppRight', provider: alice } as const;
  const asked = await scan.submit({ type: 'RequestVote', requester: sv, action, reason }, sv);
  return { scan, request: asked.created[0]?.id as ContractId };
}

describe('an open vote request', () => {
  it('is found by its contract id', async () => {
    const { scan, request } = await withRequest();
    const { status, body } = await scan.ask('GET', `/v0/voterequests/${ContractId.format(request)}`);
    expect(status).toBe(200);
    expect(body.dso_rules_vote_request.template_id).toContain('Splice.DsoRules:VoteRequest');
    expect(body.dso_rules_vote_request.payload).toMatchObject({ dso, requester: 'sv-1', trackingCid: null, reason });
    expect(body.dso_rules_vote_request.payload.votes).toMatchObject([['sv-1', { sv, accept: true }]]);
  });

  it('is found after a vote by its tracking id and by its contract id', async () => {
    const { scan, request } = await withRequest();
    const voted = await scan.submit({ type: 'CastVote', request, sv: alice, accept: false, reason }, alice);
    const next = voted.created.find(({ template }) => template === 'VoteRequest')?.id as ContractId;
    const [first, second] = await Promise.all(
      [request, next].map((id) => scan.ask('GET', `/v0/voterequests/${ContractId.format(id)}`)),
    );
    expect(first).toEqual(second);
    expect(first?.body.dso_rules_vote_request).toMatchObject({
      contract_id: ContractId.format(next),
      payload: { trackingCid: ContractId.format(request) },
    });
    const ids = [request, next].map(ContractId.format);
    const { body } = await scan.ask('POST', '/v0/voterequest', { vote_request_contract_ids: [...ids, 'x'] });
    expect(body).toEqual({ vote_requests: [first?.body.dso_rules_vote_request] });
    expect((await scan.ask('GET', '/v0/admin/sv/voterequests')).body).toEqual({
      dso_rules_vote_requests: [first?.body.dso_rules_vote_request],
    });
  });

  it('is answered with 404 after the vote is closed', async () => {
    const { scan, request } = await withRequest();
    pass(scan, 8 * 86_400);
    await scan.submit({ type: 'CloseVote', request }, sv);
    const id = ContractId.format(request);
    expect((await scan.ask('GET', `/v0/voterequests/${id}`)).status).toBe(404);
    expect((await scan.ask('POST', '/v0/voterequest', { vote_request_contract_ids: [id] })).body).toEqual({
      vote_requests: [],
    });
  });

  it.each(['x', ContractId.format(ContractId.of(1)), ContractId.format(ContractId.of(999_999))])(
    'is answered with 404 for the id %s',
    async (id) => {
      const { status, body } = await (await scanServer()).ask('GET', `/v0/voterequests/${id}`);
      expect(status).toBe(404);
      expect(Object.keys(body)).toEqual(['error']);
    },
  );

  it.each([{}, { vote_request_contract_ids: 'x' }])('is answered with 400 for the batch %j', async (body) => {
    expect((await (await scanServer()).ask('POST', '/v0/voterequest', body)).status).toBe(400);
  });
});

describe('the votes on the coin price', () => {
  it('are listed with the super validator and the price', async () => {
    const scan = await scanServer();
    await scan.submit({ type: 'VoteAmuletPrice', sv, amuletPrice: Amount.of('0.007') }, sv);
    const { status, body } = await scan.ask('GET', '/v0/amulet-price/votes');
    expect(status).toBe(200);
    expect(body.amulet_price_votes).toMatchObject([{ payload: { sv, amuletPrice: '0.007' } }]);
  });
});

describe('the vote results', () => {
  async function decided(): Promise<{ scan: ScanServer; ask: (body: object) => Promise<any[]> }> {
    const { scan, request } = await withRequest();
    pass(scan, 8 * 86_400);
    await scan.submit({ type: 'CloseVote', request }, sv);
    const action = { type: 'SetSvRewardWeight', party: sv, rewardWeight: 7 } as const;
    const asked = await scan.submit({ type: 'RequestVote', requester: alice, action, reason }, alice);
    let open = asked.created[0]?.id as ContractId;
    for (const party of [sv, bob]) {
      const voted = await scan.submit({ type: 'CastVote', request: open, sv: party, accept: true, reason }, party);
      open = voted.created.find(({ template }) => template === 'VoteRequest')?.id as ContractId;
    }
    await scan.submit({ type: 'CloseVote', request: open }, sv);
    const ask = async (body: object): Promise<any[]> => {
      const answer = await scan.ask('POST', '/v0/admin/sv/voteresults', { limit: 10, ...body });
      expect(answer.status).toBe(200);
      return answer.body.dso_rules_vote_results;
    };
    return { scan, ask };
  }

  it('are listed newest first, with the closed request', async () => {
    const { ask } = await decided();
    const [accepted, expired, ...rest] = await ask({});
    expect(rest).toEqual([]);
    expect(accepted).toMatchObject({
      request: { requester: 'alice-sv', reason, action: { tag: 'ARC_DsoRules' } },
      outcome: { tag: 'VRO_Accepted', value: { effectiveAt: '2026-01-09T00:00:00.000000Z' } },
      completedAt: '2026-01-09T00:00:00.000000Z',
      offboardedVoters: [],
      abstainingSvs: [],
    });
    expect(accepted.request.votes).toHaveLength(3);
    expect(expired).toMatchObject({ request: { requester: 'sv-1' }, outcome: { tag: 'VRO_Expired', value: {} } });
    expect(expired.abstainingSvs.toSorted()).toEqual(['alice-sv', 'bob-sv']);
    expect(await ask({ limit: 1 })).toEqual([accepted]);
  });

  it('are filtered by outcome, requester, action and time', async () => {
    const { ask } = await decided();
    const [accepted, expired] = await ask({});
    expect(await ask({ accepted: true })).toEqual([accepted]);
    expect(await ask({ accepted: false })).toEqual([expired]);
    expect(await ask({ requester: 'sv-1' })).toEqual([expired]);
    expect(await ask({ actionName: 'SRARC_UpdateSvRewardWeight' })).toEqual([accepted]);
    expect(await ask({ actionName: 'SRARC_OffboardSv' })).toEqual([]);
    expect(await ask({ effectiveFrom: '2026-01-09T00:00:01Z' })).toEqual([]);
    expect(await ask({ effectiveTo: '2026-01-08T00:00:00Z' })).toEqual([]);
    expect(await ask({ effectiveFrom: '2026-01-08T00:00:00Z', effectiveTo: '2026-01-10T00:00:00Z' })).toHaveLength(2);
  });

  it.each([{}, { limit: 0 }, { limit: 'x' }, { limit: 1, effectiveFrom: 'x' }, { limit: 1, accepted: 'yes' }])(
    'are refused with 400 for the filter %j',
    async (body) => {
      expect((await (await scanServer()).ask('POST', '/v0/admin/sv/voteresults', body)).status).toBe(400);
    },
  );
});
