import { Amount, countOf, PartyId } from '@coinlab/core';
import { runScenario, World } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { ofKind, play, scenarioOf } from './lab-fixture.ts';

describe('a wallet with the fault floatAmounts', () => {
  const text = (faults: string): string => `
name: floats
duration: { rounds: 4 }
network: { rewards: false, expiresDust: false }
parties:
  - name: rich
    count: 2
    payments: { arrivals: { every: { rounds: 1 } }, amount: { constant: '98765432.0123456789' } }
    opening: { coins: 2, amount: { constant: '9000000000' } }
    wallet: { faults: [${faults}] }`;

  it('pays another amount than the requested one', () => {
    const paid = (faults: string): readonly string[] => [
      ...new Set(
        ofKind(play(text(faults)).updates, 'TransferCompleted').map(({ detail }) => Amount.format(detail.amount)),
      ),
    ];
    expect(paid('')).toEqual(['98765432.0123456789']);
    // The nearest double, to ten places.
    expect(paid('{ floatAmounts: true }')).toEqual([Number('98765432.0123456789').toFixed(10)]);
    expect(paid('{ floatAmounts: true }')).not.toEqual(paid(''));
  });

  it('counts payments of a wrong amount', () => {
    const { summary } = runScenario(scenarioOf(text('{ floatAmounts: true }')));
    expect(summary.get('payments.misstated')).toBe(summary.get('payments.made'));
    expect(runScenario(scenarioOf(text(''))).summary.get('payments.misstated')).toBe(0);
  });

  it('pays amounts with few digits exactly', () => {
    const small = text('{ floatAmounts: true }').replace('98765432.0123456789', '12345.67');
    expect(runScenario(scenarioOf(small)).summary.get('payments.misstated')).toBe(0);
  });
});

describe('a wallet with the fault staleInputs', () => {
  const text = (faults: string): string => `
name: stale
duration: { rounds: 12 }
network: { rewards: false, expiresDust: false }
parties:
  - name: busy
    count: 2
    payments: { arrivals: { every: { rounds: 1, count: 3 } }, amount: { constant: '1' } }
    opening: { coins: 2, amount: { constant: '100' } }
    wallet: { select: largest-first, merge: { never: true }, faults: [${faults}] }`;

  it('retries with a fresh list when the ledger refuses spent inputs', () => {
    const { world } = play(text('{ staleInputs: 10s }'));
    const { made, asked, retried, refused } = world.counts;
    expect(retried).toBeGreaterThan(0);
    expect([...refused]).toEqual([['CONTRACT_NOT_FOUND', retried]]);
    expect(made).toBe(asked);
  });

  it('uses a stale list only when the run is long enough', () => {
    const world = new World(scenarioOf(text('{ staleInputs: 1h }')), { onEntry: () => undefined });
    for (let round = 0; round < 6; round++) world.playRound();
    expect(world.counts.retried).toBe(0);
    while (!world.isOver) world.playRound();
    expect(world.counts.retried).toBeGreaterThan(0);
  });

  it('pays without retries when its list of coins is current', () => {
    expect(play(text('')).world.counts.retried).toBe(0);
  });
});

describe('a wallet with the fault skipsSmallerThan', () => {
  const text = (faults: string): string => `
name: skipping
duration: { rounds: 40 }
network: { rewards: false, expiresDust: false }
parties:
  - name: saver
    count: 1
    payments: null
    opening: { coins: 5, amount: { constant: '50' } }
    income: { every: 1, amount: { constant: '0.5' } }
    wallet: { merge: { threshold: 10 }, faults: [${faults}] }`;

  it('accumulates coins smaller than the limit', () => {
    const coins = (faults: string): number => countOf(play(text(faults)).world.state, PartyId.of('saver-0'));
    expect(coins('')).toBeLessThanOrEqual(10);
    // The five of 50 become one; the 40 receipts stay.
    expect(coins("{ skipsSmallerThan: '1' }")).toBe(41);
  });

  it('merges coins larger than the limit', () => {
    const kinds = play(text("{ skipsSmallerThan: '0.5' }")).updates.map(({ kind }) => kind);
    expect(kinds).toEqual(play(text('')).updates.map(({ kind }) => kind));
  });
});
