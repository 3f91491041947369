import { PartyId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { ofKind, play } from '../lab/lab-fixture.ts';

/** Returns how many payments each party received, and who paid whom. */
function paid(parties: string, rounds: number = 40): readonly (readonly [from: string, to: string])[] {
  const { updates, world } = play(`
name: receivers
duration: { rounds: ${rounds} }
network: { rewards: false, expiresDust: false }
parties:
${parties}`);
  expect(world.counts.made).toBe(world.counts.asked);
  return ofKind(updates, 'TransferCompleted').map(({ detail }) => [
    PartyId.hint(detail.sender),
    PartyId.hint(detail.receiver),
  ]);
}

const payers = (count: number, to: string): string =>
  `  - { name: payers, count: ${count}, opening: { coins: 1, amount: { constant: "1000" } }, wallet: { merge: { threshold: 5 } }, payments: { arrivals: { every: { rounds: 1, count: 2 } }, amount: { constant: "0.1" }, to: ${to} } }\n`;
const group = (name: string, count: number): string =>
  `  - { name: ${name}, count: ${count}, payments: null, opening: { coins: 0, amount: { constant: "1" } } }\n`;

function shares(receivers: readonly string[], names: readonly string[]): readonly number[] {
  return names.map((name) => receivers.filter((receiver) => receiver === name).length / receivers.length);
}

/** Four standard errors of a share. */
function near(share: number, expected: number, count: number): void {
  expect(Math.abs(share - expected)).toBeLessThan(4 * Math.sqrt((expected * (1 - expected)) / count));
}

describe('the receivers of payments', () => {
  it('are all other parties with equal probability, whatever the sizes of their groups', () => {
    const payments = paid(payers(10, '{ choice: { uniform: true } }') + group('shops', 2) + group('others', 4));
    expect(payments).toHaveLength(800);
    const receivers = payments.map(([, to]) => to);
    expect(new Set(receivers).size).toBe(16);
    // A payer pays the 15 others.
    expect(payments.every(([from, to]) => from !== to)).toBe(true);
    near(receivers.filter((to) => to.startsWith('shops')).length / 800, 2 / 15, 800);
    near(receivers.filter((to) => to.startsWith('others')).length / 800, 4 / 15, 800);
    for (const share of shares(receivers, ['payers-0', 'payers-9'])) near(share, 1 / 15, 800);
  });

  it('are parties of the named groups only', () => {
    const receivers = paid(payers(4, '{ groups: [others] }') + group('shops', 2) + group('others', 3)).map(
      ([, to]) => to,
    );
    expect(new Set(receivers)).toEqual(new Set(['others-0', 'others-1', 'others-2']));
  });

  it.each([
    [1, [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5]],
    [2, [1, 1 / 4, 1 / 9, 1 / 16, 1 / 25]],
    [0.5, [1, 2 ** -0.5, 3 ** -0.5, 4 ** -0.5, 5 ** -0.5]],
  ])(
    'by Zipf have weights that fall with their rank to the power %d, over the groups in order',
    (exponent, weights) => {
      const to = `{ groups: [first, second], choice: { zipf: ${exponent} } }`;
      const receivers = paid(payers(20, to) + group('first', 2) + group('second', 3)).map(([, name]) => name);
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const found = shares(receivers, ['first-0', 'first-1', 'second-0', 'second-1', 'second-2']);
      found.forEach((share, rank) => near(share, (weights[rank] ?? 0) / total, receivers.length));
      expect(found.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    },
  );

  it('by communities stay in blocks of the stated size, the last one shorter, with the stated probability', () => {
    const inside = paid(payers(10, '{ choice: { communities: { size: 4, stay: 1 } } }'));
    const block = (name: string): number => Math.floor(Number(name.split('-')[1]) / 4);
    expect(inside.every(([from, to]) => block(from) === block(to) && from !== to)).toBe(true);
    // The last block has the parties 8 and 9.
    expect(new Set(inside.filter(([from]) => from === 'payers-9').map(([, to]) => to))).toEqual(new Set(['payers-8']));
    expect(new Set(inside.filter(([from]) => from === 'payers-0').map(([, to]) => to)).size).toBe(3);

    const half = paid(payers(12, '{ choice: { communities: { size: 4, stay: 0.5 } } }'));
    // Half stays; of a uniform choice 4 of 12 are in the block. Payments to oneself are drawn again.
    const others = 0.5 * (3 / 4) + 0.5 * (3 / 12);
    const outside = 0.5 * (8 / 12);
    const stays = half.filter(([from, to]) => block(from) === block(to)).length;
    near(stays / half.length, others / (others + outside), half.length);
  });
});
