import { Amount, balanceOf, brokenLaws, countOf, Engine, holdingsOf, LAWS, PartyId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { ofKind, play, scenarioOf } from './lab-fixture.ts';
import { parseScenario } from '@coinlab/sim';

/** A party that receives a coin of 1 each round and never pays. */
function saver(wallet: string, rest: string = ''): string {
  return `
name: merging
duration: { rounds: 12 }
network: { rewards: false, expiresDust: false }
parties:
  - name: saver
    count: 1
    payments: null
    opening: { coins: 3, amount: { constant: '5' } }
    income: { every: 1, amount: { constant: '1' } }
    wallet: ${wallet}
${rest}`;
}

const owner = PartyId.of('saver-0');

function merges(text: string): readonly number[] {
  return ofKind(play(text).updates, 'HoldingsMerged').map(({ detail }) => detail.inputs);
}

describe('merging', () => {
  it('does not happen with the policy never', () => {
    const { updates, world } = play(saver('{ merge: { never: true } }'));
    expect(ofKind(updates, 'HoldingsMerged')).toEqual([]);
    expect(countOf(world.state, owner)).toBe(15);
  });

  it('combines all coins as soon as their number exceeds the threshold', () => {
    // Starting from 3 with 1 per round: 6 after three rounds, then 1; 6 after five more.
    expect(merges(saver('{ merge: { threshold: 5 } }'))).toEqual([6, 6]);
  });

  it('with a period happens at the end of the period only, in wallets above the limit', () => {
    expect(merges(saver('{ merge: { period: { every: 40m } } }'))).toEqual([7, 5, 5]);
    expect(merges(saver('{ merge: { period: { every: 40m, above: 6 } } }'))).toEqual([7, 9]);
  });

  it('keeps the largest coins', () => {
    const text = saver('{ merge: { keepLargest: { keep: 2, above: 5 } } }');
    const { updates, world } = play(text);
    // Of 6 coins the four smallest become one, which leaves 3; again after three rounds.
    expect(ofKind(updates, 'HoldingsMerged').map(({ detail }) => detail.inputs)).toEqual([4, 4, 4, 4]);
    // 1 + 1 + 1 + 5 three times; then the four smallest are 1, 1, 1 and one of the three of 8.
    expect(Array.from(holdingsOf(world.state, owner, 'largest'), ({ amount }) => Amount.short(amount))).toEqual([
      '11.0',
      '8.0',
      '8.0',
    ]);
  });

  it('merges only coins below the limit with dustFirst', () => {
    const { updates, world } = play(saver("{ merge: { dustFirst: { below: '2', above: 5 } } }"));
    // 3 of 5 and 3 of 1: the three become 3; with three more of 1 they become 3 again, because 3 is not below the limit.
    expect(ofKind(updates, 'HoldingsMerged').map(({ detail }) => detail.inputs)).toEqual([3, 2, 2, 2, 2]);
    expect(balanceOf(world.state, owner).unlocked).toBe(Amount.of('27'));
  });

  it('by delegation is done by the wallet provider once per period, in batches of a hundred calls', () => {
    const text = `
name: delegated
duration: { rounds: 12 }
network: { rewards: false, expiresDust: false }
parties:
  - { name: provider, temperament: wallet-provider, count: 2 }
  - name: users
    count: 230
    payments: null
    opening: { coins: 12, amount: { constant: '1' } }
    wallet: { merge: { delegated: { operator: provider, above: 10, every: 1h } } }
  - { name: few, count: 1, payments: null, opening: { coins: 10, amount: { constant: '1' } }, wallet: { merge: { delegated: { operator: provider, above: 10, every: 1h } } } }`;
    const { updates, world } = play(text);
    const batches = ofKind(updates, 'DelegatedHoldingsMerged');
    expect(batches.map(({ detail }) => [PartyId.hint(detail.operator), detail.calls.length])).toEqual([
      ['provider-0', 100],
      ['provider-0', 15],
      ['provider-1', 100],
      ['provider-1', 15],
    ]);
    expect(batches.every(({ detail }) => detail.calls.every(({ inputs }) => inputs === 12))).toBe(true);
    expect(ofKind(updates, 'HoldingsMerged')).toEqual([]);
    expect(countOf(world.state, PartyId.of('users-7'))).toBe(1);
    expect(countOf(world.state, PartyId.of('few-0'))).toBe(10);
  });

  it('by delegation requires equal settings for all users of a provider', () => {
    const parsed = parseScenario(
      `
name: contradiction
duration: { rounds: 1 }
parties:
  - { name: provider, count: 1 }
  - { name: a, count: 1, wallet: { merge: { delegated: { operator: provider, above: 10 } } } }
  - { name: b, count: 1, wallet: { merge: { delegated: { operator: provider, above: 11 } } } }`,
      'x.yaml',
    );
    expect(parsed.ok ? [] : parsed.error.map(({ line }) => line)).toEqual([7]);
  });

  it('satisfies all ledger laws', () => {
    const { updates, world } = play(saver('{ merge: { threshold: 5 } }'));
    const engine = new Engine();
    for (const update of updates) {
      const before = engine.snapshot();
      engine.apply(update);
      expect(brokenLaws(LAWS, { before, update, after: engine.state })).toEqual([]);
    }
    expect(engine.hash()).toBe(world.hash());
  });
});

describe('a sweep', () => {
  const swept = (keep: string): string =>
    saver(
      `{ merge: { never: true }, sweep: { to: cold, above: '20', keep: '${keep}' } }`,
      '  - { name: cold, count: 1, payments: null, opening: { coins: 0, amount: { constant: "1" } } }',
    );

  it('moves all coin above keep once the balance exceeds the limit', () => {
    const { updates, world } = play(swept('8'));
    const moved = ofKind(updates, 'TransferCompleted').map(({ detail }) => [
      PartyId.hint(detail.receiver),
      Amount.short(detail.amount),
    ]);
    // 15 and 1 per round: 21 after six rounds.
    expect(moved).toEqual([['cold-0', '13.0']]);
    expect(world.counts.swept).toBe(1);
    expect(world.counts.made).toBe(0);
    expect(balanceOf(world.state, owner).unlocked).toBe(Amount.of('14'));
  });

  it('moves the whole balance when keep is zero', () => {
    const { world } = play(swept('0'));
    expect(balanceOf(world.state, PartyId.of('cold-0')).unlocked).toBe(Amount.of('21'));
  });

  it('to an unknown group is refused, and the error names the line', () => {
    const parsed = parseScenario(saver("{ sweep: { to: nowhere, above: '1', keep: '0' } }"), 'x.yaml');
    expect(parsed.ok ? [] : parsed.error.map(({ line, reason }) => [line, reason.includes('nowhere')])).toEqual([
      [11, true],
    ]);
    expect(scenarioOf(saver('{ merge: { never: true } }')).groups).toHaveLength(1);
  });
});
