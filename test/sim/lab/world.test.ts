import { Amount, brokenLaws, codec, Engine, LAWS, rulesOf, updateOf, type Update } from '@coinlab/core';
import { openRoundsOf } from '@coinlab/core/views';
import { describeFault, parseScenario, runScenario, World, type RunResult } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { scenarioOf } from './lab-fixture.ts';

const NETWORK = `
name: network
duration: { rounds: 30 }
parties:
  - { name: payers, count: 60, payments: { arrivals: { poisson: { perDay: 40 } } } }
  - { name: hot, temperament: exchange, count: 1 }
  - { name: keyed, temperament: external-party, count: 10 }
  - { name: nodes, temperament: validator, count: 2 }
  - { name: apps, temperament: app-provider, count: 1 }
`;

function play(text: string, replicate: number = 0): { readonly updates: readonly Update[]; readonly world: World } {
  const updates: Update[] = [];
  const world = new World(scenarioOf(text), { replicate, onEntry: (entry) => updates.push(updateOf(entry)) });
  while (!world.isOver) world.playRound();
  return { updates, world };
}

/** Returns all payments as text, independent of the coins used. */
function payments(updates: readonly Update[]): readonly string[] {
  return updates.flatMap((update) =>
    update.kind === 'TransferCompleted'
      ? [`${update.recordTime} ${update.detail.sender} ${update.detail.receiver} ${update.detail.amount}`]
      : [],
  );
}

describe('a world', () => {
  it('gives the same log for the same scenario, and another log for another replicate', () => {
    const log = (replicate: number): string =>
      play(NETWORK, replicate)
        .updates.map((update) => codec.encode(update))
        .join('\n');
    expect(log(0)).toBe(log(0));
    expect(log(1)).not.toBe(log(0));
  });

  it('has the same requested payments for every wallet policy', () => {
    const merging = play(NETWORK);
    const never = play(
      NETWORK.replace('count: 60,', 'count: 60, wallet: { select: largest-first, merge: { never: true } },'),
    );
    expect(payments(never.updates)).toEqual(payments(merging.updates));
    expect(never.world.hash()).not.toBe(merging.world.hash());
  });

  it('satisfies all ledger laws, and its log replays to its state', () => {
    const { updates, world } = play(NETWORK);
    const engine = new Engine();
    for (const update of updates) {
      const before = engine.snapshot();
      engine.apply(update);
      expect(brokenLaws(LAWS, { before, update, after: engine.state })).toEqual([]);
    }
    expect(engine.hash()).toBe(world.hash());
  });
});

describe('a network', () => {
  const text = (more: string): string => `
name: changing
duration: { rounds: 12 }
network: { amuletPrice: '0.5', trafficPrice: '60', rewards: false, expiresDust: false, changes: [${more}] }
parties:
  - { name: payers, count: 2, payments: null }`;
  const prices = (more: string, rounds: number): readonly string[] => {
    const world = new World(scenarioOf(text(more)), { onEntry: () => undefined });
    for (let round = 0; round < rounds; round++) world.playRound();
    const traffic = rulesOf(world.state)?.config.traffic.extraTrafficPriceUsd ?? Amount.zero;
    return [Amount.short(openRoundsOf(world.state).at(-1)?.amuletPrice ?? Amount.zero), Amount.short(traffic)];
  };

  it('has changed prices from the stated round on', () => {
    const change = "{ atRound: 4, amuletPrice: '0.25', trafficPrice: '30' }";
    expect(prices(change, 4)).toEqual(['0.5', '60.0']);
    // The price of coin is that of the rounds that open afterwards.
    expect(prices(change, 5)[1]).toBe('30.0');
    expect(prices(change, 8)).toEqual(['0.25', '30.0']);
    expect(prices('', 8)).toEqual(['0.5', '60.0']);
    expect(prices("{ atRound: 4, trafficPrice: '30' }, { atRound: 6, trafficPrice: '90' }", 8)).toEqual([
      '0.5',
      '90.0',
    ]);
  });

  it('has no growth without samples', () => {
    const { summary } = runScenario(scenarioOf(`${text('')}\nwarmup: 12`));
    expect(summary.get('utxos.growth')).toBe(0);
    expect(summary.get('utxosPerParty.mean')).toBe(0);
  });
});

describe('offers between uniformly chosen parties', () => {
  it('are accepted within the limits of a uniform delay, and accepted offers count as transfers', () => {
    const text = `
name: offers
duration: { rounds: 40 }
network: { rewards: false, expiresDust: false }
parties:
  - { name: payers, count: 8, opening: { coins: 20, amount: { constant: '10' } }, receives: { offers: { after: { uniform: { least: 20m, most: 30m } } } }, payments: { arrivals: { every: { rounds: 4 } }, amount: { constant: '1' }, to: { choice: { uniform: true } } } }
`;
    const { updates } = play(text);
    const offeredAt = new Map(
      updates.flatMap((update) =>
        update.kind === 'TransferOffered' ? [[update.detail.instruction, update.recordTime] as const] : [],
      ),
    );
    const accepted = updates.flatMap((update) => (update.kind === 'TransferAccepted' ? [update] : []));
    const minutes = accepted.map(
      ({ recordTime, detail }) => Number(recordTime - (offeredAt.get(detail.instruction) ?? 0n)) / 60e6,
    );
    expect(accepted.length).toBeGreaterThan(50);
    expect(Math.min(...minutes)).toBeGreaterThanOrEqual(20);
    expect(Math.max(...minutes)).toBeLessThanOrEqual(30);
    expect(Math.max(...minutes) - Math.min(...minutes)).toBeGreaterThan(8);
    expect(runScenario(scenarioOf(text)).summary.get('transfers')).toBe(accepted.length);
  });

  it('are pending, and their coin is locked, until they are accepted or expire', () => {
    const offers = (answers: string): RunResult =>
      runScenario(
        scenarioOf(`
name: pending
duration: { rounds: 10 }
metrics: { every: 1 }
network: { rewards: false, expiresDust: false }
parties:
  - { name: payer, count: 1, opening: { coins: 10, amount: { constant: '1' } }, wallet: { merge: { never: true } }, payments: { arrivals: { every: { rounds: 1 } }, amount: { constant: '1' }, to: { groups: [shop] } } }
  - { name: shop, count: 1, payments: null, opening: { coins: 0, amount: { constant: '1' } }, wallet: { merge: { never: true } }, receives: { offers: ${answers} } }`),
      );
    // One offer per round, accepted after two rounds: one is open after the first round and two after each later one.
    const accepted = offers('{ after: { constant: 20m } }').summary;
    expect(accepted.get('pending')).toBe(1.9);
    expect(accepted.get('locked')).toBe(1.9);
    expect(accepted.get('payer/pending')).toBe(1.9);
    expect(accepted.get('shop/pending')).toBe(0);
    expect(accepted.get('transfers')).toBe(8);
    expect(accepted.get('utxos.final')).toBe(10);
    expect(accepted.get('shop/utxos.final')).toBe(8);
    // Without answers, at the start of a round, offers of an hour before expire: 1 to 6 are open, then 7.
    const ignored = offers('{ accepts: 0, expiresAfter: 1h }').summary;
    expect(ignored.get('pending')).toBe(4.9);
    expect(ignored.get('transfers')).toBe(0);
    // Rejected offers return the coin.
    const rejected = offers('{ accepts: 0, rejects: 1, after: { constant: 20m } }').summary;
    expect(rejected.get('pending')).toBe(1.9);
    expect(rejected.get('payer/utxos.final')).toBe(10);
    expect(rejected.get('shop/utxos.final')).toBe(0);
  });
});

describe('the number of parties', () => {
  const faultsOf = (...counts: readonly number[]): readonly string[] => {
    const parties = counts.map((count, i) => ({ name: `group-${i}`, count }));
    const parsed = parseScenario(JSON.stringify({ name: 'city', duration: { rounds: 1 }, parties }), 'city.json');
    return parsed.ok ? [] : parsed.error.map(describeFault);
  };

  it('is at most 16 million in all groups together', () => {
    expect(faultsOf(16_000_000)).toEqual([]);
    expect(faultsOf(10_000_000, 6_000_000)).toEqual([]);
    expect(faultsOf(10_000_000, 6_000_001)).toEqual([
      expect.stringMatching(/parties: got 16000001 parties, expected at most 16000000 in total$/),
    ]);
    expect(faultsOf(16_000_001)).toEqual([expect.stringMatching(/16000001.*16000000/)]);
  });
});
