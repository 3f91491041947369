import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { Amount, balanceOf, GENESIS_TIME, Duration, Instant, PartyId, stateHash, TEST_PARTIES } from '@coinlab/core';
import { createServer, type CoinlabServer, type ServerConfigInput } from '@coinlab/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const [alice, bob] = [PartyId.of('alice'), PartyId.of('bob')];
const tap = { type: 'Tap', receiver: alice, amount: Amount.of('5') } as const;

let server: CoinlabServer;
beforeEach(async () => {
  server = await createServer({ dev: true, clock: 'manual' });
});
afterEach(() => server.close());

const hash = (): string => stateHash(server.state);
const dev = async (path: string, body: object = {}): Promise<{ status: number; body: Record<string, unknown> }> => {
  const answer = await server.fetch(`/dev/${path}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

describe('the server object', () => {
  it('has the parties of the dev users', async () => {
    for (const user of TEST_PARTIES) {
      expect(server.party(user)).toBe(PartyId.of(user));
      const headers = { authorization: `Bearer ${await server.token(user)}` };
      const status = await server.fetch('/v0/wallet/user-status', { headers });
      expect(await status.json()).toMatchObject({ party_id: PartyId.of(user), user_wallet_installed: true });
    }
    expect(() => server.party('zoe')).toThrow('user zoe has no wallet on this server: POST /v0/admin/users');
  });

  it('accepts a path, a URL and a Request in fetch', async () => {
    const url = 'http://localhost/readyz';
    for (const request of ['/readyz', url, new URL(url), new Request(url)])
      expect((await server.fetch(request)).status).toBe(200);
    expect((await server.fetch('/nowhere', { method: 'POST' })).status).toBe(404);
  });

  it('advances the clock by a duration', async () => {
    await server.advance('1h30m');
    expect(Instant.between(GENESIS_TIME, server.now)).toBe(Duration.minutes(90));
    await server.advance(Duration.minutes(30));
    expect(Instant.between(GENESIS_TIME, server.now)).toBe(Duration.hours(2));
    await expect(server.advance('soon')).rejects.toThrow('duration: got "soon", expected a span such as 90s');
  });

  it('submits any command as any party, and returns a refusal as a value', async () => {
    const accepted = await server.submit(tap, alice);
    expect(accepted).toMatchObject({ ok: true, value: { update: { kind: 'Tapped', offset: server.state.offset } } });
    expect(balanceOf(server.state, alice).unlocked).toBe(Amount.of('10005'));
    expect(await server.submit(tap, bob)).toEqual({
      ok: false,
      error: { code: 'NOT_AUTHORISED', actAs: [bob], required: alice },
    });
  });

  it('shares its snapshots with the /dev routes', async () => {
    const before = hash();
    const first = await server.snapshot();
    await server.submit(tap, alice);
    expect(hash()).not.toBe(before);
    expect((await dev('revert', { snapshot: first })).status).toBe(200);
    expect(hash()).toBe(before);
    const { snapshot: second } = (await dev('snapshot')).body;
    await server.submit(tap, alice);
    await server.revert(Number(second));
    expect(hash()).toBe(before);
    await server.revert(first);
    await expect(server.revert(Number(second))).rejects.toThrow(`no snapshot ${Number(second)}`);
    await server.submit(tap, alice);
    await server.reset();
    expect(hash()).toBe(before);
  });

  it('throws an error from its test methods without the setting dev, and names the setting', async () => {
    const plain = await createServer({ clock: 'manual' });
    const calls = {
      submit: () => plain.submit(tap, alice),
      snapshot: () => plain.snapshot(),
      revert: () => plain.revert(1),
      reset: () => plain.reset(),
    };
    for (const [method, call] of Object.entries(calls))
      await expect(call()).rejects.toThrow(`server.${method} needs a development server: createServer({ dev: true })`);
    await plain.advance('1h');
    await plain.close();
  });
});

/** A key from a fixed seed. */
const KEY = ((): { privateKey: KeyObject; publicKey: string } => {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return { privateKey, publicKey: spki.subarray(-32).toString('hex') };
})();

describe('a manual clock', () => {
  const startOf = async (settings: ServerConfigInput): Promise<string> => {
    const one = await createServer(settings);
    await one.close();
    return Instant.format(one.now);
  };

  it('starts at a fixed default time, or at the time of the setting startsAt', async () => {
    expect(await startOf({ clock: 'manual' })).toBe('2026-01-01T00:00:00.000000Z');
    const startsAt = '2027-05-06T07:08:09Z';
    expect(await startOf({ clock: 'manual', startsAt })).toBe('2027-05-06T07:08:09.000000Z');
    expect(await startOf({ clock: 'real', startsAt })).toMatch(/^2027-05-06T07:08:/);
    const machine = Instant.ofMicros(BigInt(Date.now()) * 1_000n);
    expect((await startOf({ clock: 'real' })) >= Instant.format(machine)).toBe(true);
    await expect(createServer({ startsAt: 'noon' })).rejects.toThrow('startsAt: got "noon", expected a UTC time');
  });

  it('gives two servers the same responses and state hashes for the same requests', async () => {
    const other = await createServer({ dev: true, clock: 'manual' });
    const answers = async (on: CoinlabServer): Promise<readonly string[]> => {
      const told: string[] = [];
      const ask = async (user: string, path: string, body?: object): Promise<Record<string, unknown>> => {
        const headers = { authorization: `Bearer ${await on.token(user)}` };
        const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
        const text = await (await on.fetch(path, init)).text();
        told.push(text);
        return JSON.parse(text) as Record<string, unknown>;
      };
      const terms = { amount: '2.5', description: 'rent', expires_at: Number(on.now) + 3_600_000_000 };
      await ask('alice', '/v0/wallet/token-standard/transfers', {
        ...terms,
        receiver_party_id: bob,
        tracking_id: 'rent-1',
      });
      const operator = on.config.validatorWalletUser;
      const external = (path: string, body: object): Promise<Record<string, unknown>> =>
        ask(operator, `/v0/admin/external-party/${path}`, body);
      const { topology_txs } = await external('topology/generate', { party_hint: 'eve', public_key: KEY.publicKey });
      const signed = (topology_txs as { topology_tx: string; hash: string }[]).map(({ topology_tx, hash: digest }) => ({
        topology_tx,
        signed_hash: sign(null, Buffer.from(digest, 'hex'), KEY.privateKey).toString('hex'),
      }));
      const { party_id: user_party_id } = await external('topology/submit', {
        public_key: KEY.publicKey,
        signed_topology_txs: signed,
      });
      const { contract_id } = await external('setup-proposal', { user_party_id });
      // A prepared transaction has a salt.
      const prepared = await external('setup-proposal/prepare-accept', { contract_id, user_party_id });
      expect(prepared).toHaveProperty('tx_hash');
      await ask('zoe', '/v0/register', {});
      await on.advance('3h');
      await ask('alice', '/v0/wallet/balance');
      await ask('alice', '/v0/wallet/transactions', { page_size: 10 });
      return [...told, stateHash(on.state)];
    };
    expect(await answers(server)).toEqual(await answers(other));
    await other.close();
  });
});
