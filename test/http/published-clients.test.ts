import { generateKeyPairSync, sign } from 'node:crypto';
import type { PostRequest } from '@canton-network/core-token-standard';
import { Amount, ContractId, Duration, holdingsOf, Instant, PartyId } from '@coinlab/core';
import { listen, type ListeningServer } from '@coinlab/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { published } from './published.ts';
import { alice, bob, fund, inSeconds, walletServer, type WalletServer } from './wallet-fixture.ts';

/*
 * The published clients of the network against a listening server: their types check the requests, and their methods read the
 * responses. There is no published client for the wallet's own routes.
 */

let world: WalletServer;
let open: ListeningServer;
let validator: ReturnType<typeof published.validator>;
let scan: ReturnType<typeof published.scan>;
let proxy: ReturnType<typeof published.proxy>;

beforeEach(async () => {
  world = await walletServer({ port: 0 });
  open = await listen(world.server);
  validator = await validatorAs('ledger-api-user');
  scan = published.scan(open.url);
  proxy = published.proxy(open.url, await world.server.token('alice'));
});
afterEach(() => open.close());

const validatorAs = async (user: string): Promise<typeof validator> =>
  published.validator(open.url, await world.server.token(user));
const dso = PartyId.of('DSO');

const coinsOf = (owner: PartyId): string[] =>
  [...holdingsOf(world.server.host.state, owner, 'largest')].map(({ id }) => ContractId.format(id));

describe('the token standard client', () => {
  /** The arguments of a wallet. The client's type does not describe them. */
  function transferOf(receiver: PartyId): PostRequest<'/registry/transfer-instruction/v1/transfer-factory'> {
    const choiceArguments: object = {
      expectedAdmin: dso,
      transfer: {
        sender: alice,
        receiver,
        amount: '5.0',
        instrumentId: { admin: dso, id: 'Amulet' },
        requestedAt: '2026-01-01T00:00:00Z',
        executeBefore: '2026-01-02T00:00:00Z',
        inputHoldingCids: coinsOf(alice),
        meta: { values: {} },
      },
      extraArgs: { context: { values: {} }, meta: { values: {} } },
    };
    return { choiceArguments: choiceArguments as Record<string, never>, excludeDebugFields: false };
  }

  it.each(['', '/api/scan', '/v0/scan-proxy', '/api/validator/v0/scan-proxy'])(
    'makes a transfer with the registry at %s',
    async (base) => {
      const registry = published.registry(`${open.url}${base}`, await world.server.token('alice'));
      await fund(world, alice, '100');
      expect(await registry.get('/registry/metadata/v1/info')).toMatchObject({ adminId: dso });
      const { instruments } = await registry.get('/registry/metadata/v1/instruments');
      expect(instruments).toMatchObject([{ id: 'Amulet', decimals: 10 }]);
      expect(
        await registry.get('/registry/metadata/v1/instruments/{instrumentId}', { path: { instrumentId: 'Amulet' } }),
      ).toEqual(instruments[0]);

      const factory = await registry.post('/registry/transfer-instruction/v1/transfer-factory', transferOf(bob));
      expect(factory.transferKind).toBe('offer');
      expect(factory.choiceContext.disclosedContracts.map(({ contractId }) => contractId)).toContain(factory.factoryId);
      expect(
        (await registry.post('/registry/transfer-instruction/v1/transfer-factory', transferOf(alice))).transferKind,
      ).toBe('self');

      const offered = await world.post('alice', '/v0/wallet/token-standard/transfers', {
        receiver_party_id: bob,
        amount: '5',
        description: 'rent',
        expires_at: inSeconds(3600),
        tracking_id: 'rent',
      });
      const path = { transferInstructionId: offered.body.output.transfer_instruction_cid as string };
      const asked = { meta: {}, excludeDebugFields: true };
      for (const verb of ['accept', 'reject', 'withdraw'] as const) {
        const { choiceContextData, disclosedContracts } = await registry.post(
          `/registry/transfer-instruction/v1/{transferInstructionId}/choice-contexts/${verb}`,
          asked,
          { path },
        );
        expect(choiceContextData).toHaveProperty('values');
        expect(disclosedContracts[0]?.createdEventBlob).toMatch(/^Cg/);
        expect(disclosedContracts[0]).not.toHaveProperty('debugPayload');
      }
    },
  );

  it('gets an error object for an unknown instruction', async () => {
    const registry = published.registry(open.url);
    await expect(
      registry.post(
        '/registry/transfer-instruction/v1/{transferInstructionId}/choice-contexts/accept',
        { excludeDebugFields: true },
        { path: { transferInstructionId: `00${'0'.repeat(136)}` } },
      ),
    ).rejects.toEqual({ error: expect.any(String) as string });
  });
});

type Asked = 'getAmuletRules' | 'getAmuletSynchronizerId' | 'isDevNet' | 'getOpenMiningRounds';

describe.each(['scan', 'scan proxy'])('the published %s client', (name) => {
  const client = (): Pick<typeof scan, Asked> & Pick<typeof proxy, Asked> => (name === 'scan' ? scan : proxy);

  it('reads the rules, the rounds and the synchronizer', async () => {
    expect((await client().getAmuletRules()).template_id).toMatch(/:Splice.AmuletRules:AmuletRules$/);
    expect(await client().getAmuletSynchronizerId()).toBe(PartyId.of('global-domain'));
    expect(await client().isDevNet()).toBe(true);
    const rounds = await client().getOpenMiningRounds();
    expect(rounds.map(({ payload }) => payload)).toMatchObject(
      ['0', '1', '2'].map((number) => ({ round: { number }, amuletPrice: '0.005' })),
    );
  });
});

describe('the scan clients', () => {
  it('read the current state', async () => {
    await fund(world, alice, '100');
    expect(await scan.get('/v0/dso-party-id')).toEqual({ dso_party_id: dso });
    expect(await scan.get('/v0/dso')).toMatchObject({ dso_party_id: dso, sv_party_id: PartyId.of('sv-1') });
    expect((await scan.post('/v0/ans-rules', {})).ans_rules_update.contract?.template_id).toMatch(/:AnsRules$/);
    expect((await scan.post('/v0/external-party-amulet-rules', {})).external_party_amulet_rules_update).toBeDefined();
    expect((await scan.get('/v0/closed-rounds')).rounds).toEqual([]);
    expect((await scan.get('/v0/featured-apps')).featured_apps).toEqual([]);
    expect((await scan.get('/v0/admin/validator/licenses')).validator_licenses).toHaveLength(1);
    expect((await scan.get('/v0/splice-instance-names')).amulet_name).toBeTypeOf('string');
    expect((await scan.get('/v0/amulet-price/votes')).amulet_price_votes).toEqual([]);
    expect((await scan.get('/version')).version).toBe(world.server.config.release);
    expect((await scan.get('/v0/ans-entries', { query: { page_size: '5' } })).entries).toBeInstanceOf(Array);
    const { transactions } = await scan.post('/v2/updates', { page_size: 3 });
    expect(transactions).toHaveLength(3);
    await expect(scan.get('/v0/transfer-preapprovals/by-party/{party}', { path: { party: bob } })).rejects.toEqual({
      error: expect.any(String) as string,
    });
  });

  it('list holdings as of an earlier snapshot', async () => {
    await fund(world, alice, '100');
    const { record_time } = await scan.post('/v0/state/acs/force', undefined as never);
    const at = { migration_id: 0, record_time, record_time_match: 'exact' as const };
    const { created_events } = await scan.post('/v0/holdings/state', {
      ...at,
      page_size: 10,
      owner_party_ids: [alice],
    });
    expect(created_events).toMatchObject([{ create_arguments: { owner: alice } }]);
    expect((await scan.post('/v0/state/acs', { ...at, page_size: 5 })).created_events).toHaveLength(5);
    const { summaries } = await scan.post('/v0/holdings/summary', { ...at, owner_party_ids: [alice], as_of_round: 0 });
    expect(summaries).toMatchObject([{ party_id: alice, total_unlocked_coin: '100.0000000000' }]);
  });

  it('read through the proxy', async () => {
    expect(await proxy.get('/v0/scan-proxy/dso-party-id')).toEqual({ dso_party_id: dso });
    expect(await proxy.get('/v0/scan-proxy/dso')).toEqual(await scan.get('/v0/dso'));
    expect((await proxy.post('/v0/scan-proxy/ans-rules', {})).ans_rules_update.contract).toBeDefined();
    await fund(world, world.server.validator, '1000');
    await world.post('bob', '/v0/wallet/transfer-preapproval');
    const { transfer_preapproval } = await proxy.get('/v0/scan-proxy/transfer-preapprovals/by-party/{party}', {
      path: { party: bob },
    });
    expect(transfer_preapproval.contract.payload).toMatchObject({ receiver: bob });
  });
});

describe('the validator client', () => {
  it('onboards and offboards users', async () => {
    const { party_id } = await validator.post('/v0/admin/users', { name: 'carol' });
    expect((await validator.get('/v0/admin/users')).usernames).toEqual(expect.arrayContaining(['alice', 'carol']));
    await (await validatorAs('dave')).post('/v0/register', undefined as never);
    expect(await world.get('dave', '/v0/wallet/user-status')).toMatchObject({ body: { user_onboarded: true } });
    expect(party_id).toMatch(/^carol::1220/);
    expect((await validator.get('/v0/validator-user')).party_id).toBe(world.server.validator);
    await validator.post('/v0/admin/users/offboard', undefined as never, { query: { username: 'carol' } });
    expect((await validator.get('/v0/admin/users')).usernames).not.toContain('carol');
    await expect((await validatorAs('alice')).get('/v0/admin/users')).rejects.toHaveProperty('error');
  });

  it('lists the preapproval of a wallet', async () => {
    await fund(world, world.server.validator, '1000');
    await world.post('bob', '/v0/wallet/transfer-preapproval');
    const path = { 'receiver-party': bob };
    const { transfer_preapproval } = await validator.get('/v0/admin/transfer-preapprovals/by-party/{receiver-party}', {
      path,
    });
    const { contracts } = await validator.get('/v0/admin/transfer-preapprovals');
    expect(contracts).toContainEqual(transfer_preapproval);
  });

  it('sets up an external party that pays with its own signature', async () => {
    const operator = world.server.validator;
    await fund(world, operator, '1000');
    await world.post('bob', '/v0/wallet/transfer-preapproval');
    const keys = generateKeyPairSync('ed25519');
    const public_key = keys.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
    const signed = (hash: string): string => sign(null, Buffer.from(hash, 'hex'), keys.privateKey).toString('hex');

    const topology = await validator.post('/v0/admin/external-party/topology/generate', {
      party_hint: 'treasury',
      public_key,
    });
    const { party_id } = await validator.post('/v0/admin/external-party/topology/submit', {
      public_key,
      signed_topology_txs: topology.topology_txs.map(({ topology_tx, hash }) => ({
        topology_tx,
        signed_hash: signed(hash),
      })),
    });
    const submissionOf = (prepared: { readonly transaction: string; readonly tx_hash: string }) => ({
      submission: {
        party_id,
        transaction: prepared.transaction,
        signed_tx_hash: signed(prepared.tx_hash),
        public_key,
      },
    });
    const { contract_id } = await validator.post('/v0/admin/external-party/setup-proposal', {
      user_party_id: party_id,
    });
    expect((await validator.get('/v0/admin/external-party/setup-proposal')).contracts).toHaveLength(1);
    const accept = await validator.post('/v0/admin/external-party/setup-proposal/prepare-accept', {
      contract_id,
      user_party_id: party_id,
      verbose_hashing: false,
    });
    await validator.post('/v0/admin/external-party/setup-proposal/submit-accept', submissionOf(accept));

    const inputs = [...holdingsOf(world.server.host.state, operator, 'largest')].map(({ id }) => id);
    const gift = { sender: operator, receiver: party_id as PartyId, amount: Amount.of('100'), inputs };
    await world.submit({ type: 'DirectTransfer', ...gift }, operator);
    const send = await validator.post('/v0/admin/external-party/transfer-preapproval/prepare-send', {
      sender_party_id: party_id,
      receiver_party_id: bob,
      amount: 30,
      expires_at: Instant.format(Instant.plus(world.server.host.clock.now(), Duration.hours(1))),
      nonce: 0,
      verbose_hashing: false,
    });
    await validator.post('/v0/admin/external-party/transfer-preapproval/submit-send', submissionOf(send));
    await world.server.advance(Duration.minutes(1));
    const { transfer_command_counter } = await proxy.get('/v0/scan-proxy/transfer-command-counter/{party}', {
      path: { party: party_id },
    });
    expect(transfer_command_counter.contract.payload).toMatchObject({ nextNonce: '1' });
    const { total_unlocked_coin } = await validator.get('/v0/admin/external-party/balance', { query: { party_id } });
    expect(total_unlocked_coin).toBe('70.0000000000');
    expect(Amount.of((await world.get('bob', '/v0/wallet/balance')).body.effective_unlocked_qty)).toBe(Amount.of('30'));
  });
});
