import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { Amount, Duration, holdingsOf, Instant, PartyId } from '@coinlab/core';
import { beforeEach, afterEach, describe, expect, it } from 'vitest';
import { GENESIS_FIGURES } from './steady-settings.ts';

let server: CoinlabServer;

beforeEach(async () => {
  server = await createServer({ ...GENESIS_FIGURES, clock: 'manual' });
});
afterEach(() => server.close());

type Answer = Promise<{
  status: number;
  body: Record<string, string> & { topology_txs: { topology_tx: string; hash: string }[] };
}>;

async function call(method: string, path: string, body?: unknown): Answer {
  const answer = await server.app.request(`/v0/admin/${path}`, {
    method,
    headers: { authorization: `Bearer ${await server.token('ledger-api-user')}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Awaited<Answer>['body'] };
}

/** A holder of an Ed25519 key. */
function keyHolder(): { publicKey: string; sign: (hash: string) => string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    publicKey: spki.subarray(-32).toString('hex'),
    sign: (hash) => sign(null, Buffer.from(hash, 'hex'), key).toString('hex'),
  };
}

type Holder = ReturnType<typeof keyHolder>;

async function onboardTopology(holder: Holder, hint: string): Promise<string> {
  const { body } = await call('POST', 'external-party/topology/generate', {
    party_hint: hint,
    public_key: holder.publicKey,
  });
  const signed_topology_txs = body.topology_txs.map(({ topology_tx, hash }) => ({
    topology_tx,
    signed_hash: holder.sign(hash),
  }));
  const submitted = await call('POST', 'external-party/topology/submit', {
    public_key: holder.publicKey,
    signed_topology_txs,
  });
  expect(submitted).toEqual({ status: 200, body: { party_id: body['party_id'] } });
  return submitted.body['party_id'] ?? '';
}

function submissionOf(holder: Holder, party: string, prepared: object): unknown {
  const { transaction, tx_hash: hash = '' } = prepared as { transaction?: string; tx_hash?: string };
  return {
    submission: { party_id: party, transaction, signed_tx_hash: holder.sign(hash), public_key: holder.publicKey },
  };
}

const tap = async (party: PartyId, coin: bigint): Promise<unknown> =>
  server.host.submit({ type: 'Tap', receiver: party, amount: Amount.ofWhole(coin) }, [party]);

const proposal = (party: string): Answer => call('POST', 'external-party/setup-proposal', { user_party_id: party });

/** Sets up a party that has accepted the validator's proposal. */
async function setUp(hint: string): Promise<{ holder: Holder; party: string }> {
  const holder = keyHolder();
  const party = await onboardTopology(holder, hint);
  const { body } = await proposal(party);
  const prepared = await call('POST', 'external-party/setup-proposal/prepare-accept', {
    contract_id: body['contract_id'],
    user_party_id: party,
  });
  const accepted = await call(
    'POST',
    'external-party/setup-proposal/submit-accept',
    submissionOf(holder, party, prepared.body),
  );
  expect(accepted.status).toBe(200);
  return { holder, party };
}

describe('the topology of an external party', () => {
  it('allocates the party, and returns the same party when it is submitted again', async () => {
    const holder = keyHolder();
    const party = await onboardTopology(holder, 'treasury');
    expect(party).toMatch(/^treasury::1220[0-9a-f]{64}$/);
    expect(await onboardTopology(holder, 'treasury')).toBe(party);
  });

  it('is refused when a transaction is missing, a signature is wrong, or the key differs from the signing key', async () => {
    const holder = keyHolder();
    const { body } = await call('POST', 'external-party/topology/generate', {
      party_hint: 'x',
      public_key: holder.publicKey,
    });
    const signed = body.topology_txs.map(({ topology_tx, hash }) => ({ topology_tx, signed_hash: holder.sign(hash) }));
    const submit = async (public_key: string, signed_topology_txs: unknown): Promise<number> =>
      (await call('POST', 'external-party/topology/submit', { public_key, signed_topology_txs })).status;
    expect(await submit(holder.publicKey, signed.slice(1))).toBe(400);
    expect(
      await submit(
        holder.publicKey,
        signed.map((tx) => ({ ...tx, signed_hash: '00'.repeat(64) })),
      ),
    ).toBe(400);
    expect(await submit(keyHolder().publicKey, signed)).toBe(400);
    expect(await submit('zz', signed)).toBe(400);
    expect(await submit(holder.publicKey, [{ topology_tx: '!', signed_hash: '!' }])).toBe(400);
  });

  it('is refused with an invalid key or hint', async () => {
    const generate = async (body: unknown): Promise<number> =>
      (await call('POST', 'external-party/topology/generate', body)).status;
    expect(await generate({ party_hint: 'x', public_key: 'abc' })).toBe(400);
    expect(await generate({ party_hint: '', public_key: '00'.repeat(32) })).toBe(400);
    expect(await generate({})).toBe(400);
  });
});

describe('an update signed by an external party', () => {
  it('is found in the history by its signed hash', async () => {
    await tap(server.validator, 1000n);
    const holder = keyHolder();
    const party = await onboardTopology(holder, 'treasury');
    const { body } = await proposal(party);
    const wanted = { contract_id: body['contract_id'], user_party_id: party };
    const prepared = await call('POST', 'external-party/setup-proposal/prepare-accept', wanted);
    const hash = prepared.body['tx_hash'] ?? '';
    const find = (): Promise<Response> => Promise.resolve(server.app.request(`/v2/updates/hash/${hash}`));
    expect((await find()).status).toBe(404);
    const { body: accepted } = await call(
      'POST',
      'external-party/setup-proposal/submit-accept',
      submissionOf(holder, party, prepared.body),
    );
    const found = await find();
    expect(found.status).toBe(200);
    expect(await found.json()).toMatchObject({ update_id: accepted['update_id'], external_transaction_hash: hash });
  });
});

describe('the setup proposal of an external party', () => {
  it("is paid by the operator, is listed, and is accepted with the party's signature", async () => {
    const { validator } = server;
    await tap(validator, 1000n);
    const holder = keyHolder();
    const party = await onboardTopology(holder, 'treasury');
    const created = await proposal(party);
    expect(created.status).toBe(200);
    const listed = await call('GET', 'external-party/setup-proposal');
    expect(listed.body['contracts']).toMatchObject([
      { contract: { contract_id: created.body['contract_id'], payload: { validator, user: party } } },
    ]);
    const prepared = await call('POST', 'external-party/setup-proposal/prepare-accept', {
      contract_id: created.body['contract_id'],
      user_party_id: party,
      verbose_hashing: true,
    });
    expect(prepared).toMatchObject({
      status: 200,
      body: { tx_hash: expect.stringMatching(/^1220/) as string, hashing_details: expect.any(String) as string },
    });
    const submission = submissionOf(holder, party, prepared.body);
    const accepted = await call('POST', 'external-party/setup-proposal/submit-accept', submission);
    expect(accepted.status).toBe(200);
    const preapproval = await call('GET', `transfer-preapprovals/by-party/${party}`);
    expect(preapproval.body['transfer_preapproval']).toMatchObject({
      contract: {
        contract_id: accepted.body['transfer_preapproval_contract_id'],
        payload: { receiver: party, provider: validator },
      },
    });
    expect((await call('POST', 'external-party/setup-proposal/submit-accept', submission)).status).toBe(400);
  });

  it('is refused for an unknown party, for lack of coin, and when a proposal or preapproval exists', async () => {
    expect((await proposal(PartyId.of('nobody'))).status).toBe(404);
    const holder = keyHolder();
    const party = await onboardTopology(holder, 'treasury');
    const poor = await proposal(party);
    expect(poor.status).toBe(400);
    expect(poor.body['error']).toContain('49.32');
    await tap(server.validator, 1000n);
    const created = await proposal(party);
    expect(created.status).toBe(200);
    const again = await proposal(party);
    expect(again.status).toBe(409);
    expect(again.body['error']).toContain(created.body['contract_id']);
    const { party: ready } = await setUp('ready');
    expect((await proposal(ready)).status).toBe(409);
  });

  it('cannot be accepted for another party, with another contract or with a bad signature', async () => {
    await tap(server.validator, 1000n);
    const holder = keyHolder();
    const party = await onboardTopology(holder, 'treasury');
    const other = await onboardTopology(keyHolder(), 'other');
    const { body: first } = await proposal(party);
    const { body: second } = await proposal(other);
    const prepare = (contract_id: unknown, user_party_id: string): Answer =>
      call('POST', 'external-party/setup-proposal/prepare-accept', { contract_id, user_party_id });
    expect((await prepare(first['contract_id'], PartyId.of('nobody'))).status).toBe(404);
    expect((await prepare(second['contract_id'], party)).status).toBe(400);
    const prepared = await prepare(first['contract_id'], party);
    const submit = async (submission: unknown): Promise<number> =>
      (await call('POST', 'external-party/setup-proposal/submit-accept', submission)).status;
    expect(await submit(submissionOf(keyHolder(), party, prepared.body))).toBe(400);
    expect(await submit(submissionOf(holder, party, { ...prepared.body, transaction: 'bm90aGluZw==' }))).toBe(400);
    expect(await submit(submissionOf(holder, other, prepared.body))).toBe(400);
    expect(await submit({})).toBe(400);
  });
});

describe('the preapproved send of an external party', () => {
  it('is executed by automation and changes both balances', async () => {
    await tap(server.validator, 1000n);
    const { holder, party } = await setUp('sender');
    const { party: receiver } = await setUp('receiver');
    // Fund the external party by a transfer.
    const { host, validator } = server;
    const inputs = Array.from(holdingsOf(host.state, validator, 'largest'), ({ id }) => id);
    const funded = await host.submit(
      { type: 'DirectTransfer', sender: validator, receiver: party as PartyId, amount: Amount.of('5'), inputs },
      [validator],
    );
    expect(funded.ok).toBe(true);
    const prepared = await call(
      'POST',
      'external-party/transfer-preapproval/prepare-send',
      sendOf(party, receiver, { amount: 0.1 }),
    );
    expect(prepared.status).toBe(200);
    const submitted = await call(
      'POST',
      'external-party/transfer-preapproval/submit-send',
      submissionOf(holder, party, prepared.body),
    );
    expect(submitted).toMatchObject({ status: 200, body: { update_id: expect.any(String) as string } });
    // The id's prefix was known before; it separates commands with the same nonce.
    const { transfer_command_contract_id_prefix: prefix = '' } = prepared.body;
    expect(prefix).toMatch(/^00[0-9a-f]{64}$/);
    const other = await call(
      'POST',
      'external-party/transfer-preapproval/prepare-send',
      sendOf(party, receiver, { amount: 0.1 }),
    );
    await call('POST', 'external-party/transfer-preapproval/submit-send', submissionOf(holder, party, other.body));
    const found = await server.app.request(`/v0/transfer-command/status?sender=${party}&nonce=0`);
    const commands = (await found.json()) as {
      transfer_commands_by_contract_id: Record<string, { contract: { contract_id: string } }>;
    };
    const ids = Object.keys(commands.transfer_commands_by_contract_id);
    expect(ids).toHaveLength(2);
    expect(ids.filter((id) => id.startsWith(prefix))).toHaveLength(1);
    for (const [id, { contract }] of Object.entries(commands.transfer_commands_by_contract_id)) {
      expect(id).toMatch(/^00[0-9a-f]{64}ca121220[0-9a-f]{64}$/);
      expect(contract.contract_id).toBe(id);
    }
    await server.advance(Duration.seconds(60));
    const coinOf = async (owner: string): Promise<unknown> =>
      (await call('GET', `external-party/balance?party_id=${owner}`)).body['total_unlocked_coin'];
    expect(await coinOf(party)).toBe('4.9000000000');
    expect(await coinOf(receiver)).toBe('0.1000000000');
  });

  it.each([
    ['a receiver without preapproval', { receiver_party_id: PartyId.of('bob') }, 400],
    ['an amount with more than ten places', { amount: 1.5e-11 }, 400],
    ['no amount', { amount: 0 }, 400],
    ['an amount as text', { amount: '1' }, 400],
    ['a past time', { expires_at: '2020-01-01T00:00:00Z' }, 400],
    ['a malformed time', { expires_at: 'soon' }, 400],
    ['an unknown sender', { sender_party_id: PartyId.of('nobody') }, 404],
  ])('is refused for %s', async (_, change, status) => {
    await tap(server.validator, 1000n);
    const { party } = await setUp('sender');
    const { party: receiver } = await setUp('receiver');
    expect(
      (await call('POST', 'external-party/transfer-preapproval/prepare-send', sendOf(party, receiver, change))).status,
    ).toBe(status);
  });
});

function sendOf(sender: string, receiver: string, change: object): unknown {
  const expires_at = Instant.format(Instant.plus(server.host.now(), Duration.hours(1)));
  return { sender_party_id: sender, receiver_party_id: receiver, amount: 1, expires_at, nonce: 0, ...change };
}

describe('the balance of an external party', () => {
  it('can be read after the party is set up', async () => {
    await tap(server.validator, 1000n);
    const holder = keyHolder();
    const party = await onboardTopology(holder, 'early');
    expect((await call('GET', `external-party/balance?party_id=${party}`)).status).toBe(404);
    const { party: ready } = await setUp('ready');
    expect(await call('GET', `external-party/balance?party_id=${ready}`)).toEqual({
      status: 200,
      body: {
        party_id: ready,
        total_unlocked_coin: '0.0000000000',
        total_locked_coin: '0.0000000000',
        total_coin_holdings: '0.0000000000',
        accumulated_holding_fees_unlocked: '0.0000000000',
        accumulated_holding_fees_locked: '0.0000000000',
        accumulated_holding_fees_total: '0.0000000000',
        total_available_coin: '0.0000000000',
        computed_as_of_round: 0,
      },
    });
    expect((await call('GET', 'external-party/balance')).status).toBe(400);
  });
});

describe('the preapprovals of the operator', () => {
  it('are listed, can be found by receiver, and can be cancelled once', async () => {
    await tap(server.validator, 1000n);
    const { party } = await setUp('ready');
    const listed = await call('GET', 'transfer-preapprovals');
    expect(listed.body['contracts']).toHaveLength(1);
    expect((await call('DELETE', `transfer-preapprovals/by-party/${party}`)).status).toBe(200);
    expect((await call('DELETE', `transfer-preapprovals/by-party/${party}`)).status).toBe(404);
    expect((await call('GET', `transfer-preapprovals/by-party/${party}`)).status).toBe(404);
  });
});
