import { createServer, type CoinlabServer, type ServerConfigInput } from '@coinlab/http';
import { Duration, Instant } from '@coinlab/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GENESIS_FIGURES } from './steady-settings.ts';

/*
 * Every habit, tested end to end over HTTP on each kind of clock. Running clocks are also advanced, because some habits act after months.
 */

let server: CoinlabServer;
afterEach(() => server.close());

// Bodies of many shapes.
async function call(user: string, method: 'GET' | 'POST', path: string, body?: unknown): Promise<any> {
  const answer = await server.app.request(path, {
    method,
    headers: { authorization: `Bearer ${await server.token(user)}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const told: unknown = await answer.json();
  expect({ path, status: answer.status, told }).toMatchObject({ status: 200 });
  return told;
}

const OPERATOR = 'ledger-api-user';
const partyOf = async (user: string): Promise<string> =>
  ((await call(user, 'GET', '/v0/wallet/user-status')) as { party_id: string }).party_id;
const balanceOf = async (user: string): Promise<number> =>
  Number((await call(user, 'GET', '/v0/wallet/balance')).effective_unlocked_qty);
const coinsOf = async (user: string): Promise<number> => (await call(user, 'GET', '/v0/wallet/amulets')).amulets.length;
const newestRound = async (): Promise<number> => (await call('', 'GET', '/dev/state')).rounds.at(-1);

interface Story {
  readonly settings: ServerConfigInput;
  /** Limit in days of ledger time. */
  readonly days: number;
  /** The server does it at the start. */
  readonly isImmediate?: true;
  /** Prepares the effect; returns a check that it has happened. */
  begin(): Promise<() => Promise<boolean>>;
}

const MINUTES = 1 / 1440;
const quiet = { rewards: false, preapprovals: false } as const;

const STORIES: Readonly<Record<string, Story>> = {
  'rounds advance': {
    settings: {},
    days: 60 * MINUTES,
    async begin() {
      const first = await newestRound();
      return async () => (await newestRound()) >= first + 2;
    },
  },
  'rewards are collected': {
    settings: {},
    days: 120 * MINUTES,
    async begin() {
      const before = await balanceOf(OPERATOR);
      return async () => (await balanceOf(OPERATOR)) > before + 100;
    },
  },
  'traffic is topped up': {
    settings: { automation: { topUp: { targetThroughput: 1000 } } },
    days: 30 * MINUTES,
    isImmediate: true,
    async begin() {
      const { domain_id: synchronizer } = (await call('', 'POST', '/v0/amulet-rules', {})).amulet_rules_update;
      const path = `/v0/domains/${synchronizer}/members/${server.participantId}/traffic-status`;
      return async () => (await call('', 'GET', path)).traffic_status.target.total_purchased > 0;
    },
  },
  'wallets are swept, into one that accepts at once': {
    settings: {
      walletOffers: 'public',
      automation: {
        ...quiet,
        sweeps: [{ sender: 'alice', receiver: 'bob', maxBalanceUSD: '20', minBalanceUSD: '5' }],
        autoAccept: [{ receiver: 'bob', fromParties: ['alice'] }],
      },
    },
    days: 5 * MINUTES,
    begin: async () => async () => (await balanceOf('bob')) > 18_000,
  },
  'offers are accepted at once': {
    settings: { automation: { ...quiet, autoAccept: [{ receiver: 'bob', fromParties: ['alice'] }] } },
    days: 5 * MINUTES,
    async begin() {
      await offer(30);
      return async () => (await balanceOf('bob')) > 10_002;
    },
  },
  'offers end when their time is over': {
    settings: { walletOffers: 'public', automation: quiet },
    days: 30 * MINUTES,
    async begin() {
      await offer(5);
      return async () => (await call('bob', 'GET', '/v0/wallet/transfer-offers')).offers.length === 0;
    },
  },
  'preapprovals are renewed': {
    settings: { automation: { rewards: false, pollSeconds: 3_600 } },
    days: 61,
    async begin() {
      await call('bob', 'POST', '/v0/wallet/transfer-preapproval');
      const path = `/v0/transfer-preapprovals/by-party/${await partyOf('bob')}`;
      const end = async (): Promise<string> =>
        (await call('', 'GET', path)).transfer_preapproval.contract.payload.expiresAt;
      const first = await end();
      return async () => (await end()) > first;
    },
  },
  'merges are delegated': {
    settings: { automation: quiet },
    days: 30 * MINUTES,
    async begin() {
      const [owner, operator] = [await partyOf('bob'), server.validator];
      const submit = (actAs: string, command: object): Promise<any> =>
        call('', 'POST', '/dev/submit', { actAs: [actAs], command });
      const { created } = await submit(owner, { type: 'ProposeMergeDelegation', operator, owner });
      await submit(operator, { type: 'AcceptMergeDelegation', proposal: created[0].id });
      for (let coins = 0; coins < 12; coins++) await call('bob', 'POST', '/v0/wallet/tap', { amount: '1.0' });
      return async () => (await coinsOf('bob')) < 13;
    },
  },
};

/** Alice offers 2.5 coins to bob, valid for some minutes. */
async function offer(minutes: number): Promise<void> {
  await call('alice', 'POST', '/v0/wallet/transfer-offers', {
    receiver_party_id: await partyOf('bob'),
    amount: '2.5',
    description: '',
    expires_at: Number(Instant.plus(server.host.now(), Duration.minutes(minutes))),
    tracking_id: 'one',
  });
}

async function started({ settings }: Story, clock: ServerConfigInput['clock']): Promise<void> {
  const automation = clock === 'manual' ? settings.automation : { ...settings.automation, ...POLLS };
  server = await createServer({ ...GENESIS_FIGURES, dev: true, ...settings, clock, automation });
}

const POLLS = { pollSeconds: 1, rewardPollSeconds: 1 } as const;
const named: readonly (readonly [string, Story])[] = Object.entries(STORIES);

describe('automation on a manual clock', () => {
  it.each(named)('runs the automation of this story: %s', async (_, story) => {
    await started(story, 'manual');
    const hasHappened = await story.begin();
    expect(await hasHappened()).toBe(story.isImmediate ?? false);
    await call('', 'POST', '/dev/advance', { seconds: Math.round(story.days * 86_400) });
    expect(await hasHappened()).toBe(true);
  });
});

describe.each(['real', 60] as const)('automation on a running clock (%s)', (clock) => {
  // The clock runs, but the test triggers the polls, one after each step, independent of the machine's load.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it.each(named)('runs the automation of this story: %s', async (_, story) => {
    await started(story, clock);
    const hasHappened = await story.begin();
    const steps = 12;
    const step = Duration.seconds(Math.max(60, Math.round((story.days * 86_400) / steps)));
    for (let taken = 0; taken < steps && !(await hasHappened()); taken++) {
      server.host.clock.advance(step);
      await vi.advanceTimersByTimeAsync(POLLS.pollSeconds * 1000);
    }
    expect(await hasHappened()).toBe(true);
  });
});
