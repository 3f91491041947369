import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { LOCALNET, signToken } from '@coinlab/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coinlab, program, root, untilReady, type Serving } from './coinlab.ts';

/*
 * `coinlab serve --localnet` on the ports of Splice LocalNet. The tests are skipped while another program uses one of them.
 * Source: https://github.com/digital-asset/cn-quickstart, quickstart/docker/modules/localnet.
 */

/** The ports with all APIs, and the ports with the JSON Ledger API alone, by validator. */
const PORTS = [
  { all: [2_000, 2_903, 5_003], ledger: 2_975, walletUser: 'app-user', operator: /^app_user_localnet-localparty-1::/ },
  { all: [3_000, 3_903], ledger: 3_975, walletUser: 'app-provider', operator: /^app_provider_localnet-localparty-1::/ },
  { all: [4_000, 4_903], ledger: 4_975, walletUser: 'sv', operator: /^sv::/ },
] as const;
const EVERY: readonly number[] = PORTS.flatMap(({ all, ledger }) => [...all, ledger]);

/** Listens on a port; null: another program uses it. */
async function occupied(port: number): Promise<Server | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(null)).listen(port, '127.0.0.1', () => resolve(server));
  });
}

const closed = async (server: Server | null): Promise<void> =>
  void (server && (await new Promise((resolve) => server.close(resolve))));

async function takenPorts(): Promise<readonly number[]> {
  const servers = await Promise.all(EVERY.map(occupied));
  await Promise.all(servers.map(closed));
  return EVERY.filter((_, i) => servers[i] === null);
}

const taken = await takenPorts();
if (taken.length > 0)
  process.stderr.write(`tests are skipped, no LocalNet: another program uses ${taken.join(', ')}\n`);

async function get(port: number, path: string, user = 'ledger-api-user'): Promise<{ status: number; body: unknown }> {
  const token = await signToken(user);
  const answer = await fetch(`http://localhost:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, body: await answer.json() };
}

describe.skipIf(taken.length > 0)('coinlab serve --localnet', () => {
  let serving: Serving;
  beforeAll(async () => {
    serving = await untilReady(spawn(process.execPath, [program(), 'serve', '--localnet'], { cwd: root }));
  });
  afterAll(() => serving.end('SIGTERM'));

  it('listens on every port of the settings, and these tests cover every port', () => {
    const { port, validators } = LOCALNET;
    const configured = validators.flatMap(({ ports = [], ledgerPort }) => [...ports, ledgerPort]);
    expect(new Set([port, ...configured])).toEqual(new Set(EVERY));
    for (const each of EVERY) expect(serving.printed).toContain(String(each));
  });

  it.each(PORTS.flatMap(({ all, ...rest }) => all.map((port) => ({ port, ...rest }))))(
    'answers at port $port with the APIs of one validator, below the prefixes of LocalNet',
    async ({ port, operator, walletUser }) => {
      const partyId = expect.stringMatching(operator) as string;
      const validator = await get(port, '/api/validator/v0/validator-user');
      expect(validator).toMatchObject({ status: 200, body: { party_id: partyId } });
      const wallet = await get(port, '/api/validator/v0/wallet/user-status', walletUser);
      expect(wallet).toMatchObject({ status: 200, body: { party_id: partyId, user_wallet_installed: true } });
      expect(await get(port, '/api/scan/v0/dso')).toMatchObject({ status: 200 });
      expect(await get(port, '/registry/metadata/v1/info')).toMatchObject({ status: 200 });
    },
  );

  it.each(PORTS)('answers at port $ledger with the JSON Ledger API alone', async ({ ledger }) => {
    expect(await get(ledger, '/v2/version')).toMatchObject({
      status: 200,
      body: { version: expect.stringMatching(/^3\.4/) as string },
    });
    expect(await get(ledger, '/v2/authenticated-user')).toMatchObject({ body: { user: { id: 'ledger-api-user' } } });
    expect((await get(ledger, '/api/validator/v0/validator-user')).status).toBe(404);
  });

  it('has one ledger with the prices of the genesis', async () => {
    const ends = await Promise.all(EVERY.map((port) => get(port, '/v2/state/ledger-end')));
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await get(4_000, '/api/scan/v0/dso');
    expect(JSON.stringify(body)).toMatch(/"amuletPrice":"0\.0050*"/);
  });

  it('refuses a second start and names the port in use', async () => {
    const { code, err } = await coinlab('serve', '--localnet');
    expect(code).toBe(2);
    expect(err).toMatch(/another program uses \S+:\d+ \(EADDRINUSE\)/);
  });
});
