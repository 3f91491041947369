import { allOf } from '@coinlab/core/views';
import { BadStart, createServer, LOCALNET, parseStart, type CoinlabServer, type StartInput } from '@coinlab/http';
import { afterEach, describe, expect, it } from 'vitest';

const open: CoinlabServer[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((server) => server.close()))));

async function started(start: StartInput, settings: object = {}): Promise<CoinlabServer> {
  const server = await createServer({ clock: 'manual', ...settings, start });
  open.push(server);
  return server;
}

async function get(server: CoinlabServer, user: string, url: string): Promise<Record<string, unknown>> {
  const answer = await server.fetch(url, { headers: { authorization: `Bearer ${await server.token(user)}` } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

const balanceOf = async (server: CoinlabServer, user: string): Promise<unknown> =>
  (await get(server, user, '/v0/wallet/balance'))['effective_unlocked_qty'];
const coinsOf = async (server: CoinlabServer, user: string): Promise<unknown[]> =>
  (await get(server, user, '/v0/wallet/amulets'))['amulets'] as unknown[];

describe('a server with the setting start', () => {
  it('gives parties the listed coins', async () => {
    const server = await started({
      parties: [
        { name: 'shop', coins: ['3 x 0.5', 20, '0.0000000001'] },
        { name: 'payer', coins: '2x7' },
        { name: 'empty' },
      ],
    });
    expect(await coinsOf(server, 'shop')).toHaveLength(5);
    expect(await balanceOf(server, 'shop')).toBe('21.5000000001');
    expect(await balanceOf(server, 'payer')).toBe('14.0000000000');
    expect(await coinsOf(server, 'empty')).toEqual([]);
  });

  it('creates 1,500 UTXOs of one line in less than a second of processor time', async () => {
    const empty = await time(() => started({ parties: [{ name: 'payer' }] }));
    const full = await time(() => started({ parties: [{ name: 'payer', coins: '1500 x 0.5' }] }));
    const [server] = open.slice(-1);
    expect(await balanceOf(server as CoinlabServer, 'payer')).toBe('750.0000000000');
    expect(full - empty).toBeLessThan(1_000);
  });

  it.each(['feeless', 'legacy-fees', 'feeless-24h'] as const)(
    'creates preapprovals and featured apps and leaves balances unchanged under %s',
    async (profile) => {
      const server = await started(
        { parties: [{ name: 'shop', preapproval: true, featuredApp: true }, { name: 'payer' }] },
        { profile },
      );
      const { validator } = server;
      const preapproval = await get(
        server,
        'ledger-api-user',
        `/v0/admin/transfer-preapprovals/by-party/${server.party('shop')}`,
      );
      expect(JSON.stringify(preapproval)).toContain(validator);
      expect(await get(server, 'shop', '/v0/wallet/user-status')).toMatchObject({ has_featured_app_right: true });
      expect(await get(server, 'payer', '/v0/wallet/user-status')).toMatchObject({ has_featured_app_right: false });
      expect(await balanceOf(server, 'ledger-api-user')).toBe('0.0000000000');
    },
  );

  it('creates offers that their receivers can accept', async () => {
    const server = await started({
      parties: [{ name: 'payer', coins: [10] }, { name: 'shop' }],
      offers: [{ from: 'payer', to: 'shop', amount: 2.5, description: 'rent', expiresIn: '1h' }],
    });
    const { transfers } = (await get(server, 'shop', '/v0/wallet/token-standard/transfers')) as {
      transfers: { contract_id: string }[];
    };
    expect(JSON.stringify(transfers)).toContain('rent');
    const accepted = await server.fetch(`/v0/wallet/token-standard/transfers/${transfers[0]?.contract_id}/accept`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await server.token('shop')}` },
    });
    expect(accepted.status).toBe(200);
    expect(await balanceOf(server, 'shop')).toBe('2.5000000000');
    expect(await balanceOf(server, 'payer')).toBe('7.5000000000');
  });

  it('creates users of the JSON Ledger API with their rights', async () => {
    const server = await started({
      parties: [{ name: 'shop' }, { name: 'vault', wallet: false }],
      users: [
        { name: 'backend', primaryParty: 'vault', rights: ['participantAdmin', 'canActAs shop', 'canReadAs vault'] },
      ],
    });
    expect(() => server.party('vault')).toThrow('has no wallet');
    const [user] = allOf(server.state, 'LedgerUser');
    expect(user?.primaryParty).toMatch(/^vault::1220/);
    expect(user).toMatchObject({
      userId: 'backend',
      operator: server.validator,
      participant: server.participantId,
      rights: [
        { kind: 'ParticipantAdmin' },
        { kind: 'CanActAs', party: server.party('shop') },
        { kind: 'CanReadAs', party: user?.primaryParty },
      ],
    });
  });

  it('places parties and users at validators, of the start or of the settings', async () => {
    const start: StartInput = {
      parties: [{ name: 'dora', validator: 'app-provider', coins: [3] }],
      offers: [{ from: 'dora', to: 'app-user', amount: '1' }],
    };
    const { validators } = LOCALNET;
    for (const server of [await started(start, LOCALNET), await started({ ...start, validators })]) {
      expect(server.validators[1]?.party('dora')).toBe(server.party('dora'));
      expect(await get(server, 'app-user', 'http://x/v0/wallet/token-standard/transfers')).toMatchObject({
        transfers: [{}],
      });
    }
  });

  it('adds the listed coins to the wallets of existing users', async () => {
    const server = await started({ parties: [{ name: 'alice', coins: [1] }] }, { dev: true });
    expect(await balanceOf(server, 'alice')).toBe('10001.0000000000');
    expect(server.party('alice')).toMatch(/^alice::/);
  });

  it('creates the contents of the start again when the ledger is reset', async () => {
    const server = await started({ parties: [{ name: 'payer', coins: [10] }] }, { dev: true });
    const [payer] = [server.party('payer')];
    await server.submit({ type: 'Tap', receiver: payer, amount: 5n as never }, payer);
    await server.reset();
    expect(await balanceOf(server, 'payer')).toBe('10.0000000000');
  });
});

describe('an invalid start', () => {
  it.each<[string, unknown, string, string]>([
    ['an unknown list', { partys: [] }, 'partys', 'got "partys", expected a known field; the nearest is parties'],
    [
      'an unknown field',
      { parties: [{ name: 'a', coin: [1] }] },
      'parties.0.coin',
      'got "coin", expected a known field; the nearest is coins',
    ],
    ['a missing name', { parties: [{}] }, 'parties.0.name', 'missing, expected string'],
    [
      'a malformed coin',
      { parties: [{ name: 'a', coins: [1, '3 y 4'] }] },
      'parties.0.coins.1',
      'got "3 y 4", expected a positive decimal with at most ten places, such as 0.5, or up to 100000 equal coins, such as 1500 x 0.5',
    ],
    [
      'a coin of zero',
      { parties: [{ name: 'a', coins: '5 x 0' }] },
      'parties.0.coins',
      'got "5 x 0", expected a positive decimal with at most ten places, such as 0.5, or up to 100000 equal coins, such as 1500 x 0.5',
    ],
    [
      'too many coins',
      { parties: [{ name: 'a', coins: '100001 x 1' }] },
      'parties.0.coins',
      'got "100001 x 1", expected a positive decimal with at most ten places, such as 0.5, or up to 100000 equal coins, such as 1500 x 0.5',
    ],
    [
      'a negative amount',
      { offers: [{ from: 'a', to: 'b', amount: -1 }] },
      'offers.0.amount',
      'got -1, expected a positive decimal with at most ten places, such as 0.5',
    ],
    [
      'a span without a unit',
      { offers: [{ from: 'a', to: 'b', amount: 1, expiresIn: 'soon' }] },
      'offers.0.expiresIn',
      'got "soon", expected a span such as 24h',
    ],
  ])('is refused with the name of the field for %s', (_, start, path, reason) => {
    const parsed = parseStart(start);
    expect(parsed.ok ? [] : parsed.faults.map((fault) => [fault.path.join('.'), fault.reason])).toEqual([
      [path, reason],
    ]);
  });

  it.each<[string, StartInput, string]>([
    [
      'an unknown party',
      { parties: [{ name: 'alina' }], offers: [{ from: 'alina', to: 'alyna', amount: 1 }] },
      'start.offers.0.to: got "alyna", expected the name of a party, or a party id; the nearest is alina',
    ],
    [
      'an unknown validator',
      { parties: [{ name: 'alina', validator: 'validater' }] },
      'start.parties.0.validator: got "validater", expected the name of a validator; the nearest is validator',
    ],
    ['an unknown right', { users: [{ name: 'u', rights: ['participantadmin'] }] }, 'the nearest is participantAdmin'],
    [
      'a right without its party',
      { users: [{ name: 'u', rights: ['canActAs'] }] },
      'start.users.0.rights.0: got "canActAs", expected one of',
    ],
    [
      'an offer beyond the balance',
      { parties: [{ name: 'a', coins: [1] }, { name: 'b' }], offers: [{ from: 'a', to: 'b', amount: 2 }] },
      'start.offers.0: INSUFFICIENT_FUNDS',
    ],
    ['two users of one name', { users: [{ name: 'u' }, { name: 'u' }] }, 'start.users.1.name: ALREADY_EXISTS'],
  ])('is refused with %s', async (_, start, message) => {
    const refused = await started(start).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BadStart);
    expect((refused as BadStart).message).toContain(message);
  });

  it('is refused when the option from is given too, or when both the start and the settings list validators', async () => {
    await expect(started({ validators: [{ name: 'a' }] }, { validators: [{ name: 'b' }] })).rejects.toThrow(
      'start.validators: the settings have validators too',
    );
    await expect(started({}, { from: '' })).rejects.toThrow('start: needs a new ledger; leave out from');
  });
});

async function time(act: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}
