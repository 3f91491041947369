import { openLedger } from '@coinlab/core';
import { checkConformance, LedgerCheckFailure, type ConformanceReport } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';
import { NAIVE_COMMANDS, NaiveLedger, naiveSystem } from './naive-ledger.ts';

const start = openLedger();

function check(make: () => NaiveLedger, runs: number): Promise<ConformanceReport> {
  return checkConformance({ system: naiveSystem(make), start, commands: NAIVE_COMMANDS, runs, seed: 1 });
}

/** A naive ledger that loses one unit of coin in every merge. */
class Greedy extends NaiveLedger {
  override merge(owner: string, inputs: readonly string[]): string {
    const id = super.merge(owner, inputs);
    const coin = this.coins.get(id);
    if (coin && inputs.length > 1) this.coins.set(id, { ...coin, amount: coin.amount - 1n });
    return id;
  }
}

/** A naive ledger that accepts an offer at its deadline. */
class Late extends NaiveLedger {
  override complete(id: string, inputs: readonly string[], now: bigint): void {
    const offer = this.offers.get(id);
    super.complete(id, inputs, offer?.expiresAt === now ? now - 1n : now);
  }
}

describe('a second implementation with other ids and refusals', () => {
  it('passes checkConformance', async () => {
    const { commands, coverage } = await check(() => new NaiveLedger(), 100);
    expect(commands).toBeGreaterThan(500);
    expect([...coverage.accepted.keys()].sort()).toEqual([...NAIVE_COMMANDS].sort());
  });

  it.each([
    ['keeps a unit of every merge', (): NaiveLedger => new Greedy(), 'balance', 4],
    ['pays an offer at its deadline', (): NaiveLedger => new Late(), 'model', 4],
  ] as const)('fails checkConformance when it %s', async (_, make, by, most) => {
    const failure: unknown = await check(make, 1000).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LedgerCheckFailure);
    const { finding, story } = failure as LedgerCheckFailure;
    expect(finding.by).toBe(by);
    expect(story.steps.length).toBeLessThanOrEqual(most);
  });
});
