import { ContractId, Instant, PartyId, type PartyId as Party } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, bob, inSeconds, NO_CONTRACT, walletServer, type WalletServer } from './wallet-fixture.ts';

const PROPOSALS = '/v0/wallet/minting-delegation-proposals';
const DELEGATIONS = '/v0/wallet/minting-delegations';
const stranger = PartyId.of('stranger');

/** Proposes a delegation to bob. Returns its id. */
async function proposed({ submit }: WalletServer, beneficiary: Party = alice): Promise<string> {
  const expiresAt = Instant.ofMicros(BigInt(inSeconds(3600)));
  const terms = { beneficiary, delegate: bob, expiresAt, amuletMergeLimit: 10 };
  const update = await submit({ type: 'ProposeMintingDelegation', ...terms }, beneficiary);
  const [made] = update.created;
  if (!made) throw new Error('a proposal is created');
  return ContractId.format(made.id);
}

const idsIn = (list: readonly { contract: { contract_id: string } }[]) =>
  list.map(({ contract }) => contract.contract_id);

describe('minting delegations', () => {
  it('are proposed, listed, accepted and replaced by newer ones', async () => {
    const world = await walletServer();
    const first = await proposed(world);
    const { status, body } = await world.get('bob', PROPOSALS);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      proposals: [
        {
          contract: { contract_id: first, payload: { delegation: { beneficiary: alice, amuletMergeLimit: '10' } } },
          beneficiary_hosted: true,
        },
      ],
    });
    const accepted = await world.post('bob', `${PROPOSALS}/${first}/accept`);
    expect(accepted.status).toBe(200);
    expect((await world.get('bob', PROPOSALS)).body).toEqual({ proposals: [] });
    expect(idsIn((await world.get('bob', DELEGATIONS)).body.delegations)).toEqual([accepted.body.contract_id]);
    const renewed = await world.post('bob', `${PROPOSALS}/${await proposed(world)}/accept`);
    expect(idsIn((await world.get('bob', DELEGATIONS)).body.delegations)).toEqual([renewed.body.contract_id]);
    expect(await world.post('bob', `${DELEGATIONS}/${renewed.body.contract_id}/reject`)).toEqual({
      status: 200,
      body: {},
    });
    expect((await world.get('bob', DELEGATIONS)).body).toEqual({ delegations: [] });
    expect((await world.post('bob', `${DELEGATIONS}/${renewed.body.contract_id}/reject`)).status).toBe(404);
  });

  it('can be rejected while they are proposals; rejecting or accepting them again returns 404', async () => {
    const world = await walletServer();
    const id = await proposed(world);
    expect(await world.post('bob', `${PROPOSALS}/${id}/reject`)).toEqual({ status: 200, body: {} });
    expect((await world.post('bob', `${PROPOSALS}/${id}/reject`)).status).toBe(404);
    expect((await world.post('bob', `${PROPOSALS}/${id}/accept`)).status).toBe(404);
  });

  it('show whether the validator hosts the beneficiary', async () => {
    const world = await walletServer();
    await world.submit({ type: 'AllocateParty', party: stranger, displayName: '' }, stranger);
    await proposed(world, stranger);
    expect((await world.get('bob', PROPOSALS)).body.proposals).toMatchObject([{ beneficiary_hosted: false }]);
  });

  it('are listed in pages', async () => {
    const world = await walletServer();
    const ids = [await proposed(world), await proposed(world), await proposed(world)];
    const first = (await world.get('bob', `${PROPOSALS}?limit=2`)).body;
    expect(idsIn(first.proposals)).toEqual(ids.slice(0, 2));
    const second = (await world.get('bob', `${PROPOSALS}?limit=2&after=${first.next_page_token}`)).body;
    expect(idsIn(second.proposals)).toEqual(ids.slice(2));
    expect(second).not.toHaveProperty('next_page_token');
    for (const query of ['limit=0', 'limit=x', 'after=-1', 'after=1.5'])
      for (const path of [PROPOSALS, DELEGATIONS])
        expect((await world.get('bob', `${path}?${query}`)).status).toBe(400);
  });

  it('are hidden from other users, who cannot accept, reject or withdraw them', async () => {
    const world = await walletServer();
    const proposal = await proposed(world);
    const { contract_id: delegation } = (await world.post('bob', `${PROPOSALS}/${await proposed(world)}/accept`)).body;
    expect((await world.get('alice', PROPOSALS)).body).toEqual({ proposals: [] });
    expect((await world.get('alice', DELEGATIONS)).body).toEqual({ delegations: [] });
    for (const path of [
      `${PROPOSALS}/${proposal}/accept`,
      `${PROPOSALS}/${proposal}/reject`,
      `${DELEGATIONS}/${delegation}/reject`,
    ]) {
      expect((await world.post('alice', path)).status).toBe(404);
      expect((await world.call(null, 'POST', path, '')).status).toBe(401);
      expect((await world.call('carol', 'POST', path, '')).status).toBe(404);
    }
    for (const path of [PROPOSALS, DELEGATIONS]) {
      expect((await world.get(null, path)).status).toBe(401);
      expect((await world.get('carol', path)).status).toBe(404);
      expect((await world.post('bob', `${path}/${NO_CONTRACT}/reject`)).status).toBe(404);
      expect((await world.post('bob', `${path}/nonsense/reject`)).status).toBe(404);
    }
    expect((await world.get('bob', PROPOSALS)).body.proposals).toHaveLength(1);
  });
});
