import { createServer, type CoinlabServer, type ServerConfigInput } from '@coinlab/http';
import { Amount, balanceOf, countOf, Duration, holdingsOf, type PartyId } from '@coinlab/core';
import { allOf, firstByKey, openRoundsOf } from '@coinlab/core/views';
import { preapprovalOf } from '@coinlab/core/rules';
import { afterEach, describe, expect, it } from 'vitest';
import { GENESIS_FIGURES } from './steady-settings.ts';

let server: CoinlabServer;

afterEach(() => server.close());

async function started(settings: ServerConfigInput = {}): Promise<void> {
  server = await createServer({ ...GENESIS_FIGURES, clock: 'manual', dev: true, ...settings });
}

const newestRound = (): number => openRoundsOf(server.host.state).at(-1)?.round ?? -1;
const partyOf = (user: string): PartyId => {
  const { host, validator } = server;
  const install = firstByKey(host.state, 'WalletAppInstall', `user:${validator}:${user}`);
  if (!install) throw new Error(`${user} has no wallet`);
  return install.endUser;
};
const unlocked = (party: PartyId): string => Amount.format(balanceOf(server.host.state, party).unlocked);

describe('automation on a manual clock', () => {
  it('advances rounds on their schedule', async () => {
    await started();
    expect(newestRound()).toBe(2);
    await server.advance(Duration.minutes(9));
    expect(newestRound()).toBe(2);
    await server.advance(Duration.hours(2));
    expect(newestRound()).toBeGreaterThan(10);
  });

  it('submits no command while time does not advance', async () => {
    await started();
    const { offset } = server.host.state;
    await server.advance(Duration.seconds(0));
    await server.advance(Duration.seconds(0));
    expect(server.host.state.offset).toBe(offset);
  });

  it('does not advance rounds with automation.dso off', async () => {
    await started({ automation: { dso: false } });
    await server.advance(Duration.hours(2));
    expect(newestRound()).toBe(2);
  });

  it.each([
    [undefined, 1],
    [true, 1],
    [false, 0],
  ])('accepts a proposed merge delegation when acceptsMergeDelegations is %s', async (accepts, count) => {
    await started(accepts === undefined ? {} : { automation: { acceptsMergeDelegations: accepts } });
    const { host, validator } = server;
    const owner = partyOf('alice');
    await server.submit({ type: 'ProposeMergeDelegation', owner, operator: validator }, owner);
    await server.advance(Duration.seconds(0));
    const delegations = [...allOf(host.state, 'MergeDelegation')];
    expect(delegations).toHaveLength(count);
  });

  it('merges the coins of a user who proposed a merge delegation', async () => {
    await started({ automation: { rewards: false } });
    const { host, validator } = server;
    const owner = partyOf('alice');
    for (let i = 0; i < 11; i++) await server.submit({ type: 'Tap', receiver: owner, amount: Amount.of('1') }, owner);
    await server.submit({ type: 'ProposeMergeDelegation', owner, operator: validator }, owner);
    await server.advance(Duration.minutes(10));
    expect(countOf(host.state, owner)).toBe(1);
  });

  it('accepts no merge delegation on a server without dev', async () => {
    await started({ dev: false });
    const { host, validator } = server;
    const owner = validator;
    await host.submit({ type: 'ProposeMergeDelegation', owner, operator: validator }, [owner]);
    await server.advance(Duration.minutes(1));
    expect([...allOf(host.state, 'MergeDelegation')]).toEqual([]);
  });

  it('buys a preapproval for the operator as soon as the operator has coin', async () => {
    await started({ dev: false });
    const { host, validator } = server;
    await server.advance(Duration.minutes(1));
    expect(preapprovalOf(host.state, validator, host.now())).toBeNull();
    await host.submit({ type: 'Tap', receiver: validator, amount: Amount.of('100') }, [validator]);
    await server.advance(Duration.minutes(1));
    expect(preapprovalOf(host.state, validator, host.now())).toMatchObject({
      receiver: validator,
      provider: validator,
    });
  });

  it('sweeps wallets and accepts offers for users that the settings name', async () => {
    await started({
      walletOffers: 'public',
      automation: {
        sweeps: [{ sender: 'alice', receiver: 'bob', maxBalanceUSD: '20', minBalanceUSD: '5' }],
        autoAccept: [{ receiver: 'bob', fromParties: ['alice'] }],
      },
    });
    await server.advance(Duration.minutes(2));
    expect(Number(unlocked(partyOf('bob')))).toBeGreaterThan(18_000);
  });

  it("tops up traffic with the operator's coin", async () => {
    await started();
    const without = Number(unlocked(server.validator));
    await server.close();
    await started({ automation: { topUp: { targetThroughput: 1000 } } });
    await server.advance(Duration.minutes(20));
    expect(Number(unlocked(server.validator))).toBeLessThan(without - 1000);
  });

  it('merges the coins of users at each poll for rewards', async () => {
    await started();
    const alice = partyOf('alice');
    const { host } = server;
    for (let i = 0; i < 12; i++) await host.submit({ type: 'Tap', receiver: alice, amount: Amount.of('1') }, [alice]);
    expect([...holdingsOf(host.state, alice, 'oldest')]).toHaveLength(13);
    await server.advance(Duration.minutes(10));
    expect([...holdingsOf(host.state, alice, 'oldest')].length).toBeLessThan(13);
  });
});

describe('automation on a running clock', () => {
  it('advances rounds when ledger time runs 10,000 times as fast as real time', async () => {
    await started({ clock: 10_000 });
    await expect.poll(newestRound).toBeGreaterThan(3);
  });

  it('reacts to an update before the next poll', async () => {
    await started({ clock: 'real', dev: false });
    const { host, validator } = server;
    await host.submit({ type: 'Tap', receiver: validator, amount: Amount.of('100') }, [validator]);
    await expect.poll(() => preapprovalOf(host.state, validator, host.now())).not.toBeNull();
  });
});
