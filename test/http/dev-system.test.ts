import { codec, formatCommand, Instant, type ProfileName } from '@coinlab/core';
import { behindAsyncPort, cast, checkConformance, checkRaces, startOf, type LedgerSystem } from '@coinlab/testing';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { httpSystem } from '@coinlab/http/testing';
import { afterEach, describe, expect, it } from 'vitest';

let server: CoinlabServer;
afterEach(() => server.close());

/** A server over a populated ledger, without automation. */
async function quietServer(profile: ProfileName): Promise<CoinlabServer> {
  const start = startOf(profile);
  const automation = {
    dso: false,
    rewards: false,
    preapprovals: false,
    mergeDelegations: false,
    acceptsMergeDelegations: false,
    mintingDelegations: false,
  };
  return createServer(
    { clock: 'manual', dev: true, traffic: 'free', profile, automation },
    {
      recovered: { state: start.state, lines: start.updates().map((update) => codec.encode(update)) },
    },
  );
}

/** In this process. For a remote server pass `(path, init) => fetch(address + path, init)`. */
function overHttp({ app }: CoinlabServer): LedgerSystem {
  return httpSystem((path, init) => app.request(path, init));
}

describe('the HTTP server in a check of the test kit', () => {
  it('satisfies all ledger laws, and refuses the commands that the auditor refuses', async () => {
    server = await quietServer('feeless');
    const report = await checkConformance({ system: overHttp(server), runs: 10, seed: 1 });
    expect(report.commands).toBeGreaterThan(50);
  });

  it('accepts exactly one of several competing commands', async () => {
    server = await quietServer('feeless');
    const system = overHttp(server);
    const { runs } = await checkRaces({ system: (pause) => behindAsyncPort(system, pause), runs: 30, seed: 1 });
    expect(runs).toBe(30);
  });

  it("returns updates in the form of the log and accepts a command's time", async () => {
    server = await quietServer('feeless');
    const { state } = server.host;
    const answer = await server.app.request('/dev/updates');
    const { updates } = (await answer.json()) as { updates: unknown[] };
    expect(updates).toHaveLength(state.offset);
    expect(codec.decode(JSON.stringify(updates[0]), 1)).toMatchObject({ ok: true, value: { kind: 'LedgerOpened' } });
    const later = Instant.plus(state.time, 5_000_000n as never);
    const [party] = cast.people;
    const command = formatCommand({ type: 'Tap', receiver: party, amount: 1n as never });
    const body = JSON.stringify({ actAs: [party], now: Instant.format(later), command });
    const tapped = await server.app.request('/dev/submit', { method: 'POST', body });
    expect(await tapped.json()).toMatchObject({ recordTime: Instant.format(later) });
    const early = JSON.stringify({ actAs: [party], now: Instant.format(state.time), command });
    const refused = await server.app.request('/dev/submit', { method: 'POST', body: early });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: 'TIME_IN_PAST' });
  });
});
