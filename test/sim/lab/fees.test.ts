import {
  Amount,
  balanceOf,
  brokenLaws,
  Engine,
  LAWS,
  PartyId,
  supplyOf,
  type Holding,
  type Update,
} from '@coinlab/core';
import { feeOf, feeOfPayment, parseScenario, runScenario, type ByteFees } from '@coinlab/sim';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { play, scenarioOf } from './lab-fixture.ts';

/** Coin per byte as in the published simulator: ten units of its smallest coin. */
const fees: ByteFees = { base: 10, input: 148, output: 34, price: Amount.ofUnits(10n) };
const FEES = PartyId.of('fees');

/** Two parties that pay each other with small coins, so that a payment needs several. */
function payers(wallet: string, price: string = '0.0001', amount: string = "{ constant: '5' }"): string {
  return `
name: fees
duration: { rounds: 30 }
network: { rewards: false, expiresDust: false, fees: { perByte: { price: '${price}' } } }
parties:
  - name: payers
    count: 6
    payments: { arrivals: { every: { rounds: 2 } }, amount: ${amount}, to: { choice: { uniform: true } } }
    opening: { coins: 30, amount: { uniform: { least: '0.5', most: '3' } } }
    wallet: ${wallet}`;
}

describe('the fee by size of a payment', () => {
  it('is charged for two outputs with change, or takes the whole remainder when the change is worth less than three inputs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 0, max: 30_000 }), (inputs, above) => {
        const twoOutputs = 10 * (10 + 148 * inputs + 34 * 2);
        const remains = twoOutputs + above;
        const oneOutput = 10 * (10 + 148 * inputs + 34);
        // The published simulator's rule: the remainder after the fee for one output, against 340 and 4,440 above it.
        const left = remains - oneOutput;
        const change = left - 340 > 4440 ? left - 340 : 0;
        expect(feeOfPayment(fees, Amount.ofUnits(BigInt(remains)), inputs)).toBe(BigInt(remains - change));
        expect(feeOf(fees, inputs, 1)).toBe(BigInt(oneOutput));
      }),
    );
  });
});

/** Returns the payments of a log with the fee that directly follows each, in units. */
function charged(updates: readonly Update[]): readonly { inputs: number; remains: bigint; fee: bigint }[] {
  return updates.flatMap((update, i) => {
    if (update.kind !== 'TransferCompleted' || update.detail.receiver === FEES) return [];
    const change = update.created.find((contract): contract is Holding => contract.id === update.detail.change);
    const next = updates[i + 1];
    const fee = next?.kind === 'TransferCompleted' && next.detail.receiver === FEES ? next.detail.amount : 0n;
    return [{ inputs: update.detail.inputs, remains: change?.amount ?? 0n, fee }];
  });
}

describe('fees by size', () => {
  it.each(['smallest-first', 'largest-first', 'branch-and-bound', 'random-improve', 'knapsack', 'wallet-transfer'])(
    'are covered by the inputs that the policy %s selects, and are paid from the change',
    (select) => {
      const { updates } = play(payers(`{ select: ${select}, merge: { never: true } }`));
      const paid = charged(updates);
      const perByte = { ...fees, price: Amount.of('0.0001') };
      expect(paid.length).toBeGreaterThan(50);
      for (const { inputs, remains, fee } of paid) {
        expect(remains).toBeGreaterThanOrEqual(feeOf(perByte, inputs, 2));
        expect(fee).toBe(feeOfPayment(perByte, Amount.ofUnits(remains), inputs));
      }
    },
  );

  it('are paid from the merged coin, and prevent a merge when they would consume the whole coin', () => {
    const merging = play(payers('{ merge: { threshold: 10 } }')).updates;
    const at = merging.findIndex(({ kind }) => kind === 'HoldingsMerged');
    const [merge, fee] = merging.slice(at, at + 2);
    if (merge?.kind !== 'HoldingsMerged' || fee?.kind !== 'TransferCompleted') throw new Error('no merge with a fee');
    expect(fee.detail.receiver).toBe(FEES);
    expect(fee.detail.amount).toBe(feeOf({ ...fees, price: Amount.of('0.0001') }, merge.detail.inputs, 1));
    // An input costs 14.8 coin: no merge or payment is worth it.
    const dear = play(payers('{ merge: { threshold: 10 } }', '0.1'));
    expect(dear.updates.filter(({ kind }) => kind === 'HoldingsMerged')).toEqual([]);
  });

  it('prevent payments of a wallet that cannot afford them', () => {
    const { world } = play(payers('{ merge: { never: true } }', '0.1'));
    expect(world.counts.made).toBe(0);
    expect(world.counts.short).toBe(world.counts.asked);
  });

  it('are counted in the metric fees.paid, and as part of the payment in every other metric', () => {
    const text = payers('{ merge: { threshold: 10 } }');
    const { world } = play(text);
    const { summary } = runScenario(scenarioOf(text));
    expect(summary.get('fees.paid')).toBe(balanceOf(world.state, FEES).total);
    expect(summary.get('fees.paid')).toBeGreaterThan(0n);
    expect(summary.get('transfers')).toBe(summary.get('payments.made'));
    expect(summary.get('burned')).toBe(0n);
  });

  it('change no other metric at a price of zero', () => {
    const free = runScenario(scenarioOf(payers('{ merge: { threshold: 10 } }', '0'))).summary;
    const without = payers('{ merge: { threshold: 10 } }').replace(/, fees: .*? } }/, ' ');
    expect(without).not.toContain('perByte');
    expect(free).toEqual(runScenario(scenarioOf(without)).summary);
  });

  it('satisfy all ledger laws and burn no coin', () => {
    const { updates, world } = play(payers('{ merge: { threshold: 10 } }'));
    const engine = new Engine();
    for (const update of updates) {
      const before = engine.snapshot();
      engine.apply(update);
      expect(brokenLaws(LAWS, { before, update, after: engine.state })).toEqual([]);
    }
    expect(supplyOf(world.state).burned).toBe(0n);
  });

  it('are refused together with the fees of a rule profile', () => {
    const text = payers('{ merge: { never: true } }').replace('network: {', 'network: { profile: legacy-fees,');
    const parsed = parseScenario(text, 'x.yaml');
    expect(parsed.ok ? [] : parsed.error.map(({ line, reason }) => [line, /legacy-fees/.test(reason)])).toEqual([
      [4, true],
    ]);
  });
});

describe('fees of the rule profile', () => {
  it('are counted in the metric fees.paid', () => {
    const text = payers('{ merge: { threshold: 10 } }')
      .replace(/, fees: .*? } }/, ' ')
      .replace('network: {', 'network: { profile: legacy-fees,');
    const { summary } = runScenario(scenarioOf(text));
    expect(summary.get('fees.paid')).toBeGreaterThan(0n);
    expect(summary.get('fees.paid')).toBe(summary.get('burned'));
    const { world } = play(text);
    const { minted, burned } = supplyOf(world.state);
    expect(summary.get('burned')).toBe(burned);
    expect(summary.get('supply')).toBe(minted - burned);
  });
});
