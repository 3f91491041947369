import { brokenLaws, codec, Engine, LAWS, updateOf, type Update } from '@coinlab/core';
import { runScenario, World } from '@coinlab/sim';
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
});
