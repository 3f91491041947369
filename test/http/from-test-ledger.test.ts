import { Amount, balanceOf, PartyId, Round, stateHash, TEST_PARTIES } from '@coinlab/core';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { createTestLedger } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';

const [alice, bob] = [PartyId.of('alice'), PartyId.of('bob')];

async function ask(server: CoinlabServer, user: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${await server.token(user)}` };
  return server.fetch(path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
}

async function unlockedOf(server: CoinlabServer, user: string): Promise<unknown> {
  const balance = (await (await ask(server, user, '/v0/wallet/balance')).json()) as Record<string, unknown>;
  return balance['effective_unlocked_qty'];
}

const logOf = async (server: CoinlabServer): Promise<string> =>
  (await ask(server, server.config.validatorWalletUser, '/log')).text();

describe('a server from a saved test ledger', () => {
  it('has the parties of the test ledger as users, with the same balances and ledger time', async () => {
    const world = createTestLedger().advanceToRound(2);
    world.as(alice).pay(bob, '2.5');
    const server = await createServer({ dev: true, from: world.save() });
    expect(server.config.clock).toBe('manual');
    expect(server.now).toBe(world.state.time);
    for (const user of TEST_PARTIES) {
      expect(server.party(user)).toBe(PartyId.of(user));
      expect(await unlockedOf(server, user)).toBe(Amount.format(world.balanceOf(PartyId.of(user)).unlocked));
    }
    expect(await unlockedOf(server, 'bob')).toBe('10002.5000000000');
    await server.close();
  });

  it('accepts payments over HTTP, and writes a log that a test ledger opens', async () => {
    const server = await createServer({ dev: true, from: createTestLedger().save() });
    const answer = await ask(server, 'alice', '/v0/wallet/token-standard/transfers', {
      receiver_party_id: bob,
      amount: '2.5',
      description: 'rent',
      expires_at: Number(server.now) + 3_600_000_000,
      tracking_id: 'rent-1',
    });
    expect(await answer.json()).toMatchObject({ output: { receiver_holding_cids: [expect.any(String)] } });
    const world = createTestLedger({ from: await logOf(server) });
    expect(world.hash()).toBe(stateHash(server.state));
    expect(world.balanceOf(bob).unlocked).toBe(Amount.of('10002.5'));
    world.as(bob).pay(alice, '1');
    await server.close();
  });

  it('refuses a saved state with contracts that no command created, and says how to save a log instead', async () => {
    const world = createTestLedger();
    const coin = { template: 'Holding', createdAt: Round.of(1), ratePerRound: Amount.zero, lock: null } as const;
    world.put({ ...coin, owner: alice, amount: Amount.of('3') });
    await expect(createServer({ from: world.save() })).rejects.toThrow(
      'from: line 1: a saved state, not an update: create its contracts by commands and save the log',
    );
  });

  it('refuses a malformed log and names the line', async () => {
    await expect(createServer({ from: '' })).rejects.toThrow('from: line 1: not a JSON object');
    const [first = '', , third = ''] = createTestLedger().save().split('\n');
    await expect(createServer({ from: `${first}\n${third}\n` })).rejects.toThrow(
      'from: line 2: the update contradicts',
    );
  });
});

it('a test ledger opens the log of a dev server and continues it', async () => {
  const server = await createServer({ dev: true, clock: 'manual' });
  const world = createTestLedger({ from: await logOf(server) });
  expect(world.hash()).toBe(stateHash(server.state));
  for (const user of TEST_PARTIES)
    expect(world.balanceOf(PartyId.of(user))).toEqual(balanceOf(server.state, PartyId.of(user)));
  world.as(bob).accept(world.as(alice).offer(bob, '2.5'));
  expect(world.balanceOf(bob).unlocked).toBe(Amount.of('10002.5'));
  await server.close();
});
