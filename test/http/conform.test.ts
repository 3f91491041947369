import { Amount, Duration, type PartyId } from '@coinlab/core';
import { createServer, type CoinlabServer, type ServerConfigInput } from '@coinlab/http';
import { conform, type ConformOptions, type ConformReport, type Deployment } from '@coinlab/http/testing';
import { afterEach, describe, expect, it } from 'vitest';

let server: CoinlabServer;
afterEach(() => server.close());

type Send = Deployment['send'];
type Sent = Parameters<Send>[1];

/** Changes requests and answers between the check and the server. */
type Proxy = (send: Send) => Send;

const honest: Proxy = (send) => send;

async function deployed(proxy: Proxy = honest, settings: ServerConfigInput = {}): Promise<Deployment> {
  server = await createServer({ clock: 'manual', ...settings });
  const direct: Send = (path, init) => server.app.request(path, init as RequestInit);
  return {
    send: proxy(direct),
    tokenOf: (user) => server.token(user),
    users: null,
    clock: {
      now: () => Number(server.host.now()) / 1000,
      wait: async (ms) => server.host.clock.advance(Duration.ofMicros(BigInt(Math.ceil(ms * 1000)))),
    },
  };
}

function checked(deployment: Deployment, options: Partial<ConformOptions> = {}): Promise<ConformReport> {
  return conform({ deployment, runs: 10, seed: 1, ...options });
}

function idsOf({ rules }: ConformReport, status: string): readonly string[] {
  return rules.filter((rule) => rule.status === status).map(({ id }) => id);
}

function resultOf({ rules }: ConformReport, id: string): ConformReport['rules'][number] | undefined {
  return rules.find((rule) => rule.id === id);
}

/** The unsigned claims of a request's token. */
function userOf({ headers }: Sent): string {
  const [, claims = ''] = (headers['authorization'] ?? '').split('.');
  return String((JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}') as { sub?: unknown }).sub);
}

/** Mints coin for the user of a request, outside the wallet routes. */
async function pay(init: Sent, amount: string): Promise<void> {
  const status = await server.app.request('/v0/wallet/user-status', { headers: { ...init.headers } });
  // Cast: the status has the party of the caller.
  const { party_id } = (await status.json()) as { party_id: PartyId };
  await server.host.submit({ type: 'Tap', receiver: party_id, amount: Amount.of(amount) }, [party_id]);
}

const done = (): Response => Response.json({ output: { receiver_holding_cids: [] }, sender_change_cids: [], meta: {} });

/** Pays the receiver again when an accepted offer is accepted again. */
const doubleAccept: Proxy = (send) => {
  const taken = new Set<string>();
  return async (path, init) => {
    const answer = await send(path, init);
    if (!path.endsWith('/accept')) return answer;
    const key = `${userOf(init)} ${path}`;
    if (answer.ok) taken.add(key);
    else if (taken.has(key)) {
      await pay(init, '0.01');
      return done();
    }
    return answer;
  };
};

/** Answers a balance with the one before it. */
const staleBalance: Proxy = (send) => {
  const known = new Map<string, string>();
  return async (path, init) => {
    const answer = await send(path, init);
    if (path !== '/v0/wallet/balance') return answer;
    const [user, text] = [userOf(init), await answer.text()];
    const stale = known.get(user) ?? text;
    known.set(user, text);
    return new Response(stale, { headers: { 'content-type': 'application/json' } });
  };
};

/** Accepts offers after their deadline. */
const lateAccept: Proxy = (send) => async (path, init) => {
  const answer = await send(path, init);
  if (!path.endsWith('/accept') || answer.ok || !(await answer.clone().text()).includes('DEADLINE')) return answer;
  await pay(init, '0.10');
  return done();
};

/** Fails instead of refusing a withdrawal. */
const failing: Proxy = (send) => async (path, init) => {
  const answer = await send(path, init);
  return path.endsWith('/withdraw') && !answer.ok ? new Response('oops', { status: 500 }) : answer;
};

const only =
  (part: string): Proxy =>
  (send) =>
  (path, init) =>
    path.includes(part) ? send(path, init) : Response.json({ error: 'not found' }, { status: 404 });

const BY_DESIGN = ['single-use', 'input-limit'];

describe('conform', () => {
  it('finds no violation in this server and skips only rules that cannot be observed through wallet routes', async () => {
    const report = await checked(await deployed());
    expect(report).toMatchObject({ seed: 1, serves: ['registry', 'wallet'] });
    expect(idsOf(report, 'violated')).toEqual([]);
    expect(idsOf(report, 'skipped')).toEqual(BY_DESIGN);
    expect(report.rules).toHaveLength(18);
    for (const { status, checks, reason } of report.rules) {
      if (status === 'held') expect(checks).toBeGreaterThan(0);
      else expect(reason).not.toBe('');
    }
  });

  it.each<readonly [string, Proxy, Readonly<Record<string, string>>]>([
    ['accepts an offer twice', doubleAccept, { 'single-end': 'invariants 24 and 25' }],
    [
      'answers with stale balances',
      staleBalance,
      { 'balance-of-coins': 'invariant 10', 'exact-amount': 'invariants 4 and 7' },
    ],
    ['accepts after the deadline', lateAccept, { deadline: 'invariant 23' }],
    ['answers with status 500', failing, { 'declared-statuses': 'docs/reference/endpoints.md' }],
  ])('finds a server that %s, and names the violated rules', async (_, proxy, sources) => {
    const report = await checked(await deployed(proxy), { runs: 15 });
    for (const [id, source] of Object.entries(sources)) {
      const result = resultOf(report, id);
      expect(result).toMatchObject({ status: 'violated' });
      expect(result?.source).toContain(source);
      expect(result?.story?.length).toBeGreaterThan(0);
      expect(result?.story?.length).toBeLessThanOrEqual(7);
    }
    if (proxy !== doubleAccept) return;
    // The shortest commands of a double acceptance.
    expect(resultOf(report, 'single-end')?.story).toEqual([
      expect.stringMatching(/^1\. .*: offer from .* → accepted$/),
      expect.stringMatching(/^2\. .*: accept offer .* → accepted$/),
      expect.stringMatching(/^3\. .*: accept offer .* → accepted$/),
    ]);
  });

  it('checks only the registry rules when the deployment is a registry', async () => {
    const report = await checked(await deployed(only('/registry/')));
    expect(report.serves).toEqual(['registry']);
    expect(idsOf(report, 'held')).toEqual(['registry-instruments']);
    expect(idsOf(report, 'skipped')).toHaveLength(17);
    expect(resultOf(report, 'funds')?.reason).toContain('name the URL of a validator');
  });

  it('finds a registry that returns an unknown instrument', async () => {
    const proxy: Proxy = (send) => (path, init) => send(path.replace('no-such-instrument', 'Amulet'), init);
    const report = await checked(await deployed((send) => only('/registry/')(proxy(send))));
    expect(idsOf(report, 'violated')).toEqual(['registry-instruments']);
  });

  it('skips the registry rule on a validator, and names the URL that the rule needs', async () => {
    const report = await checked(await deployed(only('/v0/')));
    expect(report.serves).toEqual(['wallet']);
    expect(idsOf(report, 'skipped')).toEqual([...BY_DESIGN, 'registry-instruments']);
    expect(resultOf(report, 'registry-instruments')?.reason).toContain('name the URL of a registry');
  });

  it('refuses a deployment that serves neither API', async () => {
    await expect(checked(await deployed(only('nowhere')))).rejects.toThrow('neither GET /v0/wallet/user-status nor');
  });

  it('skips the deadline rule when ledger time differs from machine time', async () => {
    const { clock: _, ...deployment } = await deployed();
    const report = await checked(deployment);
    expect(idsOf(report, 'skipped')).toEqual([...BY_DESIGN, 'deadline']);
    expect(resultOf(report, 'deadline')?.reason).toContain('the time of the ledger is not that of this machine');
  });

  it('skips rules about exact amounts when the deployment charges fees', async () => {
    const report = await checked(await deployed(honest, { profile: 'legacy-fees' }));
    expect(idsOf(report, 'violated')).toEqual([]);
    expect(idsOf(report, 'skipped')).toEqual(expect.arrayContaining(['conservation', 'exact-amount', 'race-ends']));
    expect(resultOf(report, 'conservation')?.reason).toContain('charges fees');
  });

  it('withdraws its offers after each run with existing users', async () => {
    const users = ['u1', 'u2', 'u3', 'u4', 'u5'];
    const deployment = await deployed();
    for (const user of users) {
      const authorization = `Bearer ${await server.token(user)}`;
      await server.app.request('/v0/register', { method: 'POST', headers: { authorization } });
    }
    const report = await checked({ ...deployment, users });
    expect(idsOf(report, 'violated')).toEqual([]);
    expect(idsOf(report, 'skipped')).toEqual(['liveness', ...BY_DESIGN]);
  });

  it('stops within its time budget, and reports the remaining rules as skipped', async () => {
    const report = await checked(await deployed(), { seconds: 0 });
    expect(idsOf(report, 'held')).toEqual(['declared-statuses']);
    expect(idsOf(report, 'skipped')).toHaveLength(17);
  });

  it('names the users without wallets and with refused tokens', async () => {
    const deployment = await deployed();
    const users = ['u1', 'u2', 'u3', 'u4', 'u5'];
    await expect(checked({ ...deployment, users })).rejects.toThrow('has no wallet');
    await expect(checked({ ...deployment, tokenOf: async () => 'a.b.c' })).rejects.toThrow('401');
  });
});
