import { GENESIS_TIME, updateOf, type Update } from '@coinlab/core';
import { Run, World } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { ofKind, scenarioOf } from '../lab/lab-fixture.ts';

const MEMBERS = 60;

/** Returns the rounds of the payments of sixty parties, by sender. */
function roundsOf(
  arrivals: string,
  { rounds = 144, rhythm = '{}', members = MEMBERS, replicate = 0 } = {},
): ReadonlyMap<string, readonly number[]> {
  const updates: Update[] = [];
  const text = `
name: arrivals
duration: { rounds: ${rounds} }
network: { rewards: false, expiresDust: false }
parties:
  - { name: payers, count: ${members}, opening: { coins: 1, amount: { constant: '1000' } }, payments: { arrivals: ${arrivals}, rhythm: ${rhythm}, amount: { constant: '0.1' }, to: { groups: [shop] } } }
  - { name: shop, count: 1, payments: null }`;
  const world = new World(scenarioOf(text), { replicate, onEntry: (entry) => updates.push(updateOf(entry)) });
  while (!world.isOver) world.playRound();
  const found = new Map<string, number[]>();
  for (const { recordTime, detail } of ofKind(updates, 'TransferCompleted')) {
    // The first round begins ten minutes after the genesis.
    const round = Number((recordTime - GENESIS_TIME) / 600_000_000n) - 1;
    found.set(detail.sender, [...(found.get(detail.sender) ?? []), round]);
  }
  return found;
}

const all = (found: ReadonlyMap<string, readonly number[]>): readonly number[] => [...found.values()].flat();

/** Four standard errors of a Poisson count. */
function near(count: number, expected: number): void {
  expect(Math.abs(count - expected)).toBeLessThan(4 * Math.sqrt(expected));
}

describe('the arrivals of payments', () => {
  it('at a fixed interval are the stated number in each of its rounds, for every party', () => {
    const found = roundsOf('{ every: { rounds: 5, count: 2 } }', { rounds: 12, members: 3 });
    expect([...found.values()]).toEqual(Array(3).fill([0, 0, 5, 5, 10, 10]));
  });

  it('of a Poisson process have its rate in every part of the day', () => {
    const rounds = all(roundsOf('{ poisson: { perDay: 12 } }'));
    near(rounds.length, 12 * MEMBERS);
    near(rounds.filter((round) => round < 72).length, 6 * MEMBERS);
    expect(new Set(rounds).size).toBeGreaterThan(135);
  });

  it('of bursts have a geometric number of payments in one round', () => {
    const found = roundsOf('{ bursts: { perDay: 4, size: 5 } }', { rounds: 288 });
    const bursts = [...found.values()].flatMap((rounds) =>
      [...new Set(rounds)].map((round) => rounds.filter((one) => one === round).length),
    );
    // Two days; a few bursts of a party share a round.
    expect(Math.abs(bursts.length - 8 * MEMBERS)).toBeLessThan(4 * Math.sqrt(8 * MEMBERS) + 20);
    const mean = bursts.reduce((sum, size) => sum + size, 0) / bursts.length;
    // The deviation of a burst is √(5 · 4).
    expect(Math.abs(mean - 5)).toBeLessThan(4 * Math.sqrt(20 / bursts.length) + 0.1);
    // One payment with the probability 1 / 5.
    expect(Math.abs(bursts.filter((size) => size === 1).length / bursts.length - 0.2)).toBeLessThan(0.08);
  });

  it('follow the weights of the hours and keep the rate of the day', () => {
    // Hour 3 has a third of the payments, hour 22 two thirds.
    const hours = Array.from({ length: 24 }, (_, hour) => (hour === 3 ? 1 : hour === 22 ? 2 : 0));
    const rounds = all(roundsOf('{ poisson: { perDay: 12 } }', { rhythm: `{ hours: [${hours.join(', ')}] }` }));
    expect(rounds.filter((round) => Math.floor(round / 6) !== 3 && Math.floor(round / 6) !== 22)).toEqual([]);
    near(rounds.filter((round) => round < 24).length, 4 * MEMBERS);
    near(rounds.filter((round) => round >= 24).length, 8 * MEMBERS);
  });

  it('follow the weights of the days, from Thursday, 1 January 2026, and those of the next week', () => {
    const perDay = (days: string): readonly number[] => {
      const rounds = all(roundsOf('{ poisson: { perDay: 1 } }', { rounds: 9 * 144, rhythm: `{ days: [${days}] }` }));
      return Array.from({ length: 9 }, (_, day) => rounds.filter((round) => Math.floor(round / 144) === day).length);
    };
    // Only Fridays: the second and the ninth day.
    const [thursday, friday, saturday, ...rest] = perDay('0, 0, 0, 0, 1, 0, 0');
    expect([thursday, saturday, ...rest.slice(0, 5)]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    near(friday ?? 0, 7 * MEMBERS);
    near(rest.at(-1) ?? 0, 7 * MEMBERS);
    // Sundays have five of seven parts, Mondays two.
    const week = perDay('2, 0, 0, 0, 0, 0, 5');
    expect(week.filter((_, day) => day !== 3 && day !== 4)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    near(week[3] ?? 0, 5 * MEMBERS);
    near(week[4] ?? 0, 2 * MEMBERS);
  });

  it('are none when all weights are zero', () => {
    const weights = Array(24).fill(0).join(', ');
    expect(roundsOf('{ poisson: { perDay: 12 } }', { rhythm: `{ hours: [${weights}] }`, members: 2 }).size).toBe(0);
    expect(roundsOf('{ poisson: { perDay: 0 } }', { members: 2 }).size).toBe(0);
  });

  it('of a party do not depend on the number of parties, but on the replicate', () => {
    const [few, many] = [5, 20].map((members) => roundsOf('{ poisson: { perDay: 12 } }', { members }));
    for (const [sender, rounds] of few ?? []) expect(many?.get(sender)).toEqual(rounds);
    expect(few?.size).toBe(5);
    expect(roundsOf('{ poisson: { perDay: 12 } }', { members: 5, replicate: 1 })).not.toEqual(few);
  });
});

describe('the log of a long run', () => {
  it('is passed on while the run goes on, in segments of the stated size in total', () => {
    const scenario = scenarioOf(`
name: long
duration: { rounds: 40 }
network: { rewards: false, expiresDust: false }
parties:
  - { name: payers, count: 30, opening: { coins: 3, amount: { constant: '1000' } }, payments: { arrivals: { every: { rounds: 1, count: 6 } }, amount: { constant: '0.1' }, to: { choice: { uniform: true } } } }`);
    const sizes: number[] = [];
    const run = new Run(scenario, { log: (segment) => void sizes.push(segment.length) });
    while (!run.isOver) run.playRound();
    const during = sizes.length;
    expect(during).toBeGreaterThan(0);
    const { log } = run.result();
    expect(sizes.length).toBeGreaterThan(during);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(log.bytes);
  });
});
