import { createServer, type CoinlabServer, type Recovered, type ServerConfigInput } from '@coinlab/http';
import {
  Amount,
  balanceOf,
  codec,
  Duration,
  GENESIS_TIME,
  Instant,
  openEngine,
  PartyId,
  stateHash,
  updateOf,
  type Command,
  type Update,
} from '@coinlab/core';
import { firstByKey } from '@coinlab/core/views';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

const servers: CoinlabServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Past {
  readonly recovered?: Recovered;
  readonly startsAt?: Instant;
}

async function started(settings: ServerConfigInput = {}, past: Past = {}): Promise<CoinlabServer> {
  const server = await createServer({ clock: 'manual', dev: true, ...settings }, { startsAt: GENESIS_TIME, ...past });
  servers.push(server);
  return server;
}

async function post(server: CoinlabServer, path: string, body?: unknown): Promise<any> {
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await server.app.request(path, { method: 'POST', ...text });
  const told: unknown = await answer.json();
  expect({ path, status: answer.status, told }).toMatchObject({ status: 200 });
  return told;
}

/** Checks the rule of wallet SDKs: there must be an open round with `opensAt <= now < targetClosesAt`. */
async function expectRoundForClients(server: CoinlabServer): Promise<void> {
  const cached = { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] };
  const answer = await post(server, '/api/scan/v0/open-and-issuing-mining-rounds', cached);
  const rounds = Object.values<any>(answer.open_mining_rounds).map(({ contract: { payload } }) => payload);
  const now = server.host.now();
  const isUsable = ({ opensAt, targetClosesAt }: { opensAt: string; targetClosesAt: string }): boolean =>
    Instant.of(opensAt) <= now && now < Instant.of(targetClosesAt);
  const times = rounds.map(({ opensAt, targetClosesAt }) => `${opensAt} to ${targetClosesAt}`);
  expect({ now: Instant.format(now), times, usable: rounds.filter(isUsable).length }).not.toMatchObject({ usable: 0 });
}

function recoveredOf({ host, history }: CoinlabServer): Recovered {
  const lines = Array.from({ length: host.state.offset }, (_, i) => codec.encode(history.updateAt(i + 1)));
  return { state: host.state, lines };
}

/** The log of another network: one tap at `quiet` after the genesis, without new rounds. */
function foreignLog(quiet: Duration): Recovered {
  const lines: string[] = [];
  const engine = openEngine({ onEntry: (entry) => lines.push(codec.encode(updateOf(entry))) });
  const alice = PartyId.of('alice');
  const tap = { type: 'Tap', receiver: alice, amount: Amount.of('1') } as const;
  expect(engine.submit(tap, { now: Instant.plus(GENESIS_TIME, quiet), actAs: [alice] }).ok).toBe(true);
  return { state: engine.snapshot(), lines, isForeign: true };
}

const QUIET = [Duration.minutes(5), Duration.minutes(31), Duration.hours(7), Duration.days(45)] as const;

describe.each(QUIET.map((quiet) => [Duration.format(quiet), quiet] as const))(
  'clients find a usable round when %s have passed since the last command,',
  (_, quiet) => {
    it('when the server is reset', async () => {
      const server = await started();
      server.host.clock.advance(quiet);
      await post(server, '/dev/reset');
      await expectRoundForClients(server);
    });

    it('when the server is reverted', async () => {
      const server = await started();
      await server.advance(Duration.hours(1));
      const taken = await post(server, '/dev/snapshot');
      await server.advance(Duration.minutes(1));
      server.host.clock.advance(quiet);
      await post(server, '/dev/revert', taken);
      await expectRoundForClients(server);
    });

    it('when a command is submitted at a later time', async () => {
      const server = await started();
      const alice = PartyId.of('alice');
      const command = { type: 'Tap', receiver: alice, amount: '1' };
      const now = Instant.format(Instant.plus(server.now, quiet));
      await post(server, '/dev/submit', { actAs: [alice], now, command });
      await expectRoundForClients(server);
    });

    it('when the server is restarted', async () => {
      const first = await started();
      await first.advance(Duration.hours(1));
      const recovered = recoveredOf(first);
      const server = await started({}, { recovered, startsAt: Instant.plus(recovered.state.time, quiet) });
      await expectRoundForClients(server);
    });

    it('when a foreign log that ends then is opened', async () => {
      await expectRoundForClients(await started({}, { recovered: foreignLog(quiet) }));
    });

    it('when a foreign log is opened at a later time', async () => {
      const startsAt = Instant.plus(GENESIS_TIME, Duration.ofMicros(2n * quiet));
      await expectRoundForClients(await started({}, { recovered: foreignLog(quiet), startsAt }));
    });
  },
);

type Step =
  | { readonly type: 'advance'; readonly seconds: number }
  | { readonly type: 'rounds'; readonly rounds: number }
  | { readonly type: 'snapshot' | 'reset' | 'tap' }
  | { readonly type: 'revert'; readonly snapshot: number }
  | { readonly type: 'restart'; readonly seconds: number };

const spans = fc.oneof(fc.nat(100), fc.nat(4_000), fc.nat(50_000));
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('advance' as const), seconds: spans }),
  fc.record({ type: fc.constant('rounds' as const), rounds: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ type: fc.constantFrom('snapshot' as const, 'reset' as const, 'tap' as const) }),
  fc.record({ type: fc.constant('revert' as const), snapshot: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ type: fc.constant('restart' as const), seconds: spans }),
);

/** Performs a step. Returns the running server, a new one after a restart. */
async function taken(step: Step, server: CoinlabServer): Promise<CoinlabServer> {
  const { host, validator } = server;
  switch (step.type) {
    case 'advance':
      await post(server, '/dev/advance', { seconds: step.seconds });
      return server;
    case 'rounds':
      await post(server, '/dev/advance', { rounds: step.rounds });
      return server;
    case 'tap':
      await host.submit({ type: 'Tap', receiver: validator, amount: Amount.of('1') }, [validator]);
      return server;
    case 'revert': {
      const body = JSON.stringify({ snapshot: step.snapshot });
      await server.app.request('/dev/revert', { method: 'POST', body });
      return server;
    }
    case 'restart': {
      const startsAt = Instant.plus(host.now(), Duration.seconds(step.seconds));
      return started({}, { recovered: recoveredOf(server), startsAt });
    }
    default:
      await post(server, `/dev/${step.type}`);
      return server;
  }
}

describe('a dev server', () => {
  it('has a usable round after any sequence of advances, resets, reverts and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 12 }), async (steps) => {
        let server = await started();
        for (const step of steps) {
          server = await taken(step, server);
          await expectRoundForClients(server);
        }
        for (const ended of servers.splice(0)) await ended.close();
      }),
      { numRuns: runs(8) },
    );
  });

  /** A server with work for every habit: rewards, merges, top-ups, sweeps, accepted offers, expiring offers. */
  async function busyServer(): Promise<CoinlabServer> {
    const server = await started({
      walletOffers: 'public',
      automation: {
        topUp: { targetThroughput: 1000 },
        sweeps: [{ sender: 'alice', receiver: 'bob', maxBalanceUSD: '20', minBalanceUSD: '5' }],
        autoAccept: [{ receiver: 'bob', fromParties: ['alice'] }],
      },
    });
    const { host, validator: operator } = server;
    const owner = firstByKey(host.state, 'WalletAppInstall', `user:${operator}:carol`)?.endUser;
    if (!owner) throw new Error('carol has no wallet');
    const done = async (command: Command, actor: PartyId): Promise<Update> => {
      const answer = await host.submit(command, [actor]);
      if (!answer.ok) throw new Error(JSON.stringify(answer.error));
      return answer.value.update;
    };
    const { created } = await done({ type: 'ProposeMergeDelegation', operator, owner }, owner);
    for (const { id } of created) await done({ type: 'AcceptMergeDelegation', proposal: id }, operator);
    for (let i = 0; i < 12; i++) await done({ type: 'Tap', receiver: owner, amount: Amount.of('1') }, owner);
    return server;
  }

  it.each([1, 30, 3_600, 100_000])(
    'has a usable round after an advance, with a poll every %d s',
    async (pollSeconds) => {
      const server = await started({ automation: { pollSeconds } });
      for (const seconds of [1, 605, 1_800, 7_200, 10_000]) {
        await post(server, '/dev/advance', { seconds });
        await expectRoundForClients(server);
      }
    },
  );

  it.each([
    [20, 60],
    [171, 7],
    [1, 1200],
  ])('collects rewards in %d advances of %d seconds', async (count, seconds) => {
    const server = await started();
    const before = balanceOf(server.host.state, server.validator).unlocked;
    for (let i = 0; i < 4 * count; i++) await post(server, '/dev/advance', { seconds });
    expect(balanceOf(server.host.state, server.validator).unlocked).toBeGreaterThan(before);
  });

  it('has an equal ledger after many short advances and after one long advance', async () => {
    const cuts = fc.uniqueArray(fc.nat(7_200), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(cuts, fc.integer({ min: 1, max: 20_000 }), async (moments, total) => {
        const [once, often] = [await busyServer(), await busyServer()];
        await once.advance(Duration.seconds(total));
        let at = 0;
        for (const moment of [...moments, total].sort((a, b) => a - b).filter((one) => one <= total)) {
          if (moment > at) await often.advance(Duration.seconds(moment - at));
          at = Math.max(at, moment);
        }
        expect(often.host.now()).toBe(once.host.now());
        expect(often.host.state.offset).toBe(once.host.state.offset);
        expect(stateHash(often.host.state)).toBe(stateHash(once.host.state));
        for (const ended of servers.splice(0)) await ended.close();
      }),
      { numRuns: runs(8) },
    );
  });
});
