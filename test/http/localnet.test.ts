import { networkInterfaces } from 'node:os';
import { createServer as createNetServer, type AddressInfo, type Server } from 'node:net';
import { PartyId } from '@coinlab/core';
import {
  createServer,
  listen,
  LOCALNET,
  type CoinlabServer,
  type ListeningServer,
  type ValidatorServer,
} from '@coinlab/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function ask(server: CoinlabServer, url: string, user?: string, body?: object): Promise<Answer> {
  const headers = user === undefined ? {} : { authorization: `Bearer ${await server.token(user)}` };
  const answer = await server.fetch(url, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Coin of each operator with `dev`. */
const FUNDS = 1_000_000;

describe('a server with the settings of LocalNet', () => {
  let server: CoinlabServer;
  beforeAll(async () => void (server = await createServer({ ...LOCALNET, clock: 'manual' })));
  afterAll(() => server.close());
  const at = (name: string): ValidatorServer => {
    const found = server.validators.find((one) => one.name === name);
    if (!found) throw new Error(`no validator ${name}`);
    return found;
  };

  it.each([
    ['app-user', 'app_user_localnet-localparty-1', [2000, 2903, 5003]],
    ['app-provider', 'app_provider_localnet-localparty-1', [3000, 3903]],
    ['sv', 'sv', [4000, 4903]],
  ])('serves the validator %s on its ports', async (name, hint, ports) => {
    const own = at(name);
    expect(own.validator.startsWith(`${hint}::1220`)).toBe(true);
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'wallet.localhost'])
      for (const port of ports) {
        const { body } = await ask(server, `http://${host}:${port}/api/validator/v0/validator-user`);
        expect(body).toMatchObject({ party_id: own.validator, user_name: 'ledger-api-user' });
      }
  });

  it('has an operator, a wallet user and a participant per validator', async () => {
    for (const { name, validator, fetch } of server.validators) {
      const headers = { authorization: `Bearer ${await server.token(name)}` };
      const status = await fetch('/v0/wallet/user-status', { headers });
      expect(await status.json()).toMatchObject({ party_id: validator, user_wallet_installed: true });
      const users = await fetch('/v0/admin/users', {
        headers: { authorization: `Bearer ${await server.token('ledger-api-user')}` },
      });
      expect(await users.json()).toEqual({ usernames: ['ledger-api-user', name] });
    }
    expect((await ask(server, 'http://localhost:3000/v0/wallet/balance', 'app-user')).status).toBe(404);
    expect(new Set(server.validators.map(({ participantId }) => participantId)).size).toBe(3);
  });

  it('transfers coin between users of two validators on one ledger', async () => {
    const wallet = (port: number): string => `http://localhost:${port}/api/validator/v0/wallet`;
    expect((await ask(server, `${wallet(2000)}/tap`, 'app-user', { amount: '1' })).status).toBe(200);
    const offered = await ask(server, `${wallet(2000)}/token-standard/transfers`, 'app-user', {
      receiver_party_id: at('app-provider').validator,
      amount: '7.5',
      description: 'invoice',
      expires_at: 1_900_000_000_000_000,
      tracking_id: 'one',
    });
    expect(offered.status).toBe(200);
    const { transfers } = (await ask(server, `${wallet(3000)}/token-standard/transfers`, 'app-provider')).body as {
      transfers: { contract_id: string }[];
    };
    expect(transfers).toHaveLength(1);
    const accept = `${wallet(3000)}/token-standard/transfers/${transfers[0]?.contract_id}/accept`;
    expect((await ask(server, accept, 'app-provider', {})).status).toBe(200);
    const balance = await ask(server, `${wallet(3903)}/balance`, 'app-provider');
    expect(balance.body).toMatchObject({ effective_unlocked_qty: '7.5000000000' });
  });

  it('creates a user at one validator, with the party on its participant', async () => {
    const admin = 'http://localhost:3000/api/validator/v0/admin/users';
    const { body, status } = await ask(server, admin, 'ledger-api-user', { name: 'dora' });
    expect(status).toBe(200);
    expect(at('app-provider').party('dora')).toBe(body['party_id']);
    expect(() => at('app-user').party('dora')).toThrow('has no wallet');
    const synchronizer = await synchronizerOf(server);
    for (const [party, host] of [
      [body['party_id'], at('app-provider')],
      [at('app-user').validator, at('app-user')],
      [at('sv').validator, at('sv')],
    ] as const) {
      const path = `http://scan.localhost:4000/api/scan/v0/domains/${synchronizer}/parties/${String(party)}/participant-id`;
      expect((await ask(server, path)).body).toEqual({ participant_id: host.participantId });
    }
  });

  it('hosts a party of another namespace at the validator with its wallet', async () => {
    const foreign = PartyId.parse(`frank::1220${'a'.repeat(64)}`);
    if (!foreign.ok) throw new Error('unreachable: a valid party');
    const party = foreign.value;
    const { validator, participantId } = at('app-provider');
    await server.host.submit({ type: 'AllocateParty', party, displayName: '' }, [party]);
    const command = { type: 'OnboardUser', validator, endUserName: 'frank', endUser: party } as const;
    expect(await server.host.submit(command, [validator, party])).toMatchObject({ ok: true });
    const domain = `http://scan.localhost:4000/api/scan/v0/domains/${await synchronizerOf(server)}`;
    expect((await ask(server, `${domain}/parties/${party}/participant-id`)).body).toEqual({
      participant_id: participantId,
    });
  });

  it('refuses a user with the party of another validator', async () => {
    const admin = 'http://localhost:2000/api/validator/v0/admin/users';
    for (const party of [at('app-provider').validator, at('sv').validator]) {
      const refused = await ask(server, admin, 'ledger-api-user', { name: 'eve', party_id: party });
      expect(refused).toEqual({
        status: 400,
        body: { error: `party_id: ${party} is not hosted by this participant` },
      });
    }
    expect(
      (await ask(server, admin, 'ledger-api-user', { name: 'eve', party_id: at('app-user').validator })).status,
    ).toBe(200);
  });

  it('serves scan under the host names and prefix of LocalNet, with sv as the super validator', async () => {
    for (const url of ['http://scan.localhost:4000/api/scan/v0/dso', 'http://localhost:4000/api/scan/v0/dso'])
      expect((await ask(server, url)).body).toMatchObject({ sv_party_id: at('sv').validator });
    expect((await ask(server, 'http://scan.localhost:4000/registry/metadata/v1/info')).status).toBe(200);
  });

  it.each(['http://localhost:2975', 'http://json-ledger-api.localhost:2000', 'http://canton.localhost:2000'])(
    'serves the JSON Ledger API, and no other API, at %s',
    async (base) => {
      const { validator } = at('app-user');
      const party = await ask(server, `${base}/v2/parties/${validator}`, 'ledger-api-user');
      expect(party.body).toMatchObject({ partyDetails: [{ party: validator, isLocal: true }] });
      expect((await ask(server, `${base}/livez`)).status).toBe(200);
      for (const path of ['/v0/dso', '/api/validator/v0/validator-user', '/docs', '/v20/x'])
        expect(await ask(server, base + path)).toMatchObject({
          status: 404,
          body: { code: 'NOT_FOUND', cause: `no such route: GET ${path}` },
        });
    },
  );

  it('hosts a party at a single participant', async () => {
    const { validator } = at('app-provider');
    for (const [port, isLocal] of [
      [2975, false],
      [3975, true],
      [4975, false],
    ]) {
      const { body } = await ask(server, `http://localhost:${port}/v2/parties/${validator}`, 'ledger-api-user');
      expect(body).toMatchObject({ partyDetails: [{ party: validator, isLocal }] });
    }
  });

  it('records liveness and mints rewards for every validator', async () => {
    const on = await createServer({ ...LOCALNET, clock: 'manual', dev: true, profile: 'feeless' });
    await on.advance('2h');
    for (const { name } of on.validators) {
      const port = { 'app-user': 2000, 'app-provider': 3000, sv: 4000 }[name];
      const { body } = await ask(on, `http://localhost:${port}/v0/wallet/balance`, name);
      expect(Number(body['effective_unlocked_qty'])).toBeGreaterThan(FUNDS);
    }
    await on.close();
  });
});

async function synchronizerOf(server: CoinlabServer): Promise<string> {
  const { body } = await ask(server, '/v0/amulet-rules', undefined, {});
  return (body['amulet_rules_update'] as { domain_id: string }).domain_id;
}

describe('a server with several validators on sockets', () => {
  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
  const freePorts = LOCALNET.validators.map((one) => ({ ...one, ports: [0], ledgerPort: 0 }));
  let listening: ListeningServer;
  let server: CoinlabServer;
  beforeAll(async () => {
    server = await createServer({ ...LOCALNET, validators: freePorts, port: 0, clock: 'manual' });
    listening = await listen(server);
  });
  afterAll(() => listening.close());

  it('listens on the loopback addresses of IPv4 and IPv6, with the same ports', async () => {
    const portsOf = (start: string): string[] =>
      listening.urls.filter((url) => url.startsWith(start)).map((url) => new URL(url).port);
    expect(new Set(portsOf('http://127.0.0.1')).size).toBe(7);
    expect(portsOf('http://[::1]')).toEqual(hasIpv6 ? portsOf('http://127.0.0.1') : []);
  });

  it('answers at each port with the APIs of its validator', async () => {
    const answers = await Promise.all(
      listening.urls.map(async (url) => {
        const answer = await fetch(`${url}/v0/validator-user`);
        const body = (await answer.json()) as { party_id?: string };
        return answer.status === 200
          ? server.validators.findIndex(({ validator }) => validator === body.party_id)
          : null;
      }),
    );
    const each = [0, 0, null, 1, null, 2, null];
    expect(answers).toEqual(hasIpv6 ? each.flatMap((one) => [one, one]) : each);
  });

  it('refuses a port in use with its setting and its number, and opens no other port', async () => {
    const taken = await occupied();
    const { port } = taken.address() as AddressInfo;
    const validators = freePorts.map((one) => (one.name === 'app-provider' ? { ...one, ledgerPort: port } : one));
    const free = await freePort();
    const config = {
      ...LOCALNET,
      clock: 'manual',
      port: free,
      validators,
    } as const;
    const other = await createServer(config);
    await expect(listen(other)).rejects.toThrow(
      `bad settings: ledgerPort of app-provider: another program uses 127.0.0.1:${port} (EADDRINUSE); stop it or choose another port`,
    );
    await expect(fetch(`http://127.0.0.1:${free}/livez`)).rejects.toThrow();
    await other.close();
    taken.close();
  });
});

async function occupied(): Promise<Server> {
  const server = createNetServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function freePort(): Promise<number> {
  const server = await occupied();
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the setting validators', () => {
  it.each([
    ['two validators of one name', [{ name: 'a' }, { name: 'a' }], 'validators: got a list, expected different names'],
    [
      'two super validators',
      [
        { name: 'a', isSuperValidator: true },
        { name: 'b', isSuperValidator: true },
      ],
      'validators: got a list, expected one isSuperValidator',
    ],
    ['a name with a blank', [{ name: 'a b' }], 'validators.0.name: got "a b", expected a name of lower-case letters'],
    [
      'a party hint with a colon',
      [{ name: 'a', partyHint: 'a::b' }],
      'validators.0.partyHint: got "a::b", expected 1 to 185',
    ],
  ])('refuses this list: %s', async (_, validators, fault) => {
    await expect(createServer({ validators, clock: 'manual' })).rejects.toThrow(fault);
  });
});
