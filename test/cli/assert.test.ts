import { EXIT } from 'coinlab';
import { Amount, Duration, Instant, PartyId, type ContractId } from '@coinlab/core';
import { createServer, listen, type CoinlabServer, type ListeningServer } from '@coinlab/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coinlab } from './coinlab.ts';

let server: CoinlabServer;
let open: ListeningServer;
const [alice, bob] = [PartyId.of('alice'), PartyId.of('bob')];

/** Alice has 10,000 in one coin, another of 1.5, and 2 locked for bob. */
beforeAll(async () => {
  server = await createServer({ port: 0, dev: true, clock: 'manual' });
  open = await listen(server);
  const tap = async (amount: string): Promise<ContractId> => {
    const tapped = await server.submit({ type: 'Tap', receiver: alice, amount: Amount.of(amount) }, alice);
    const [coin] = tapped.ok ? tapped.value.update.created : [];
    if (!coin) throw new Error('the tap is accepted');
    return coin.id;
  };
  await tap('1.5');
  const input = await tap('2.0');
  const offered = await server.submit(
    {
      type: 'CreateOffer',
      sender: alice,
      receiver: bob,
      amount: Amount.of('2'),
      executeBefore: Instant.plus(server.now, Duration.hours(1)),
      inputs: [input],
    },
    alice,
  );
  expect(offered.ok).toBe(true);
});
afterAll(() => open.close());

const asserted = (...flags: readonly string[]): ReturnType<typeof coinlab> => coinlab('assert', open.url, ...flags);

describe.each([
  ['a user', ['--party', 'alice']],
  ['a party id', ['--party', alice, '--user', 'alice']],
])('coinlab assert with %s', (_, party) => {
  it('prints the coins when all expectations hold', async () => {
    const flags = ['--balance', '10001.5', '--locked', '2', '--coins', '2', '--max-coins', '2'];
    expect(await asserted(...party, ...flags)).toEqual({
      code: EXIT.ok,
      out: `${party[1]} has 10001.5000000000 in 2 coins, and 2.0000000000 locked\n`,
      err: '',
    });
  });

  it.each([
    ['--balance', '10001.4999999999', 'balance is 10001.5000000000, expected 10001.4999999999'],
    ['--locked', '0', 'locked is 2.0000000000, expected 0.0000000000'],
    ['--coins', '3', 'coins are 2, expected 3'],
    ['--max-coins', '1', 'coins are 2, expected at most 1'],
  ])('exits with code 3 when the expectation %s %s does not hold', async (flag, value, difference) => {
    expect(await asserted(...party, flag, value)).toEqual({
      code: EXIT.threshold,
      out: '',
      err: `coinlab: ${party[1]}: ${difference}\n`,
    });
  });
});

describe('coinlab assert', () => {
  it('prints one JSON object with the differences', async () => {
    const { code, out } = await asserted('--party', 'alice', '--coins', '3', '--json');
    expect([code, JSON.parse(out)]).toEqual([
      EXIT.threshold,
      {
        party: 'alice',
        balance: '10001.5000000000',
        locked: '2.0000000000',
        coins: 2,
        holds: false,
        differences: ['coins are 2, expected 3'],
      },
    ]);
  });

  it('with a time limit waits until an expectation holds', async () => {
    const waiting = asserted('--party', 'bob', '--balance', '10005', '--within', '60');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await server.submit({ type: 'Tap', receiver: bob, amount: Amount.of('5') }, bob);
    expect((await waiting).code).toBe(EXIT.ok);
  });

  it.each([
    [['--party', 'alice'], /expected at least one of --balance/],
    [['--party', 'zoe', '--coins', '0'], /answered 404: .*no wallet is installed for user zoe/],
    [['--party', 'alice', '--coins', '0', '--secret', 'wrong'], /answered 401: pass --secret or --token/],
    [['--balance', '1'], /required option '--party <party>' not specified/],
    [['--party', 'alice', '--balance', '-1'], /Expected an amount of at least 0/],
  ])('refuses %j with a message and code 2', async (flags, message) => {
    const { code, err } = await asserted(...flags);
    expect(code).toBe(EXIT.badInput);
    expect(err).toMatch(message);
  });

  it('exits with code 2 and names the server that does not answer', async () => {
    const { code, err } = await coinlab('assert', 'http://127.0.0.1:49151', '--party', 'alice', '--coins', '1');
    expect(code).toBe(EXIT.badInput);
    expect(err).toMatch(/^coinlab: http:\/\/127\.0\.0\.1:49151: connect ECONNREFUSED/);
  });
});
