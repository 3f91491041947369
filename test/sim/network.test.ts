import { Amount, codec, type Contract, type Update } from '@coinlab/core';
import { DEFAULT_SETTINGS, logLines, partiesCsv, replayNetwork } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { network, networkFile } from './runs.ts';

const rate = (text: string): { readonly holdingRate: Amount } => ({ holdingRate: Amount.of(text) });

function updatesOf(rows: readonly string[], holdingRate: Amount | null = null): readonly Update[] {
  const segments: Uint8Array[] = [];
  replayNetwork(networkFile(rows), { ...DEFAULT_SETTINGS, holdingRate }, (segment) => segments.push(segment));
  return [...logLines(segments)].map((line, i) => {
    const update = codec.decode(line, i + 1);
    if (!update.ok) throw new Error(update.error.reason);
    return update.value;
  });
}

function isCoin(contract: Contract): contract is Extract<Contract, { template: 'Holding' }> {
  return contract.template === 'Holding';
}

describe('the rounds of a network file', () => {
  it('are the rounds of the coins, for any first round and any gaps', () => {
    const updates = updatesOf(['7 mint a 5', '7 a b 2', '8 mint a 1', '12 b c 1']);
    const stamps = updates.flatMap(({ created }) => created.filter(isCoin).map(({ createdAt }) => createdAt));
    expect(stamps).toEqual([7, 7, 7, 8, 12, 12]);
    expect(updates.filter(({ kind }) => kind === 'RoundsAdvanced')).toHaveLength(5);
  });

  it('last one tick each, with their rows in order', () => {
    const times = updatesOf(['1 mint a 5', '1 mint a 5', '3 mint a 5', '3 mint a 5'])
      .filter(({ kind }) => kind === 'Minted')
      .map(({ recordTime }) => Number(recordTime / 1_000_000n));
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 300, 1200, 1500]);
  });
});

describe('dust in a network replay', () => {
  it('expires when its accrued fee exceeds its amount, but not when the fee equals it', () => {
    expect(network(['1 mint a 3', '4 mint b 1'], rate('1')).report).toMatchObject({ expired: 0 });
    expect(network(['1 mint a 3', '5 mint b 1'], rate('1')).report).toMatchObject({
      expired: 1,
      burned: Amount.ofWhole(3),
      finalUtxos: 1,
    });
  });

  it('expires at the start of a round, before its owner can spend the coin', () => {
    const { report } = network(['1 mint a 3', '5 a b 1'], rate('1'));
    expect(report).toMatchObject({ expired: 1, transfers: 0, failed: 1, unpaid: 1, finalUtxos: 0 });
  });

  it('never expires without a holding rate', () => {
    expect(network(['1 mint a 0.0000000001', '5000 mint b 1']).report).toMatchObject({ expired: 0, finalUtxos: 2 });
  });

  it('accrues fees from the creation of its own coin, also for change', () => {
    const { report } = network(['1 mint a 3', '4 a b 1', '5 mint c 9', '6 mint c 9'], rate('1'));
    // The change of 2 and the coin of 1 are of round 4: the latter is dust in round 6.
    expect(report).toMatchObject({ expired: 1, burned: Amount.ofWhole(1) });
  });

  it('of one round expires in one update, oldest coins first', () => {
    const updates = updatesOf(['1 mint a 2', '2 mint b 0.5', '9 mint c 1'], Amount.one);
    const expired = updates.filter(({ kind }) => kind === 'DustExpired').map(({ detail }) => detail);
    expect(expired).toMatchObject([
      { judgedAt: 9, expired: [{ amount: Amount.of('0.5') }, { amount: Amount.ofWhole(2) }] },
    ]);
  });
});

describe('a transfer of a network file', () => {
  it('above its sender’s balance is skipped and counted', () => {
    expect(network(['1 mint a 3', '1 a b 4', '1 b a 1']).report).toMatchObject({
      rows: 3,
      transfers: 0,
      failed: 2,
      unpaid: 2,
      finalUtxos: 1,
    });
  });

  it('to oneself creates two coins, first the remainder and then the amount', () => {
    // Newest first: the amount of 1 is taken before the remainder of 4.
    const { report } = network(['1 mint a 5', '1 a a 1', '1 a b 1'], { policy: 'newest-first' });
    expect(report).toMatchObject({ transfers: 2, inputsSpent: 2, changeCreated: 1, finalUtxos: 2 });
  });

  it('of the whole balance to oneself creates one coin', () => {
    expect(network(['1 mint a 5', '1 a a 5']).report).toMatchObject({ changeCreated: 0, finalUtxos: 1 });
  });
});

describe('merging in a network replay', () => {
  it('is checked only for the parties of each row', () => {
    const rows = ['1 mint a 1', '1 mint a 1', '1 mint a 1', '1 mint b 1', '1 mint b 1', '1 a b 0.5', '1 mint c 1'];
    const segments: Uint8Array[] = [];
    replayNetwork(networkFile(rows), { ...DEFAULT_SETTINGS, mergeThreshold: 2 }, (segment) => segments.push(segment));
    const merged = [...logLines(segments)]
      .map((line) => JSON.parse(line) as { offset: number; kind: string; actAs: string[] })
      .filter(({ kind }) => kind === 'HoldingsMerged');
    expect(merged.map(({ actAs }) => actAs[0]?.split('::')[0])).toEqual(['a', 'b']);
  });
});

describe('the figures of a network replay', () => {
  it('count the total over parties', () => {
    expect(network(['1 mint a 3', '1 mint b 3', '1 a b 1']).report).toMatchObject({
      meanUtxos: 2,
      maxUtxos: 3,
      finalUtxos: 3,
    });
  });

  it('sample every party at the end of every round from its first row on', () => {
    const eleven = Array.from({ length: 11 }, () => '2 mint a 1');
    // Round 1: b with 1. Round 2: a with 11, b with 1. Round 3: the same and c with 1.
    expect(network(['1 mint b 1', ...eleven, '3 mint c 1']).report).toMatchObject({
      shareOfPartyRoundsOver10: 0.333333,
      partiesOver10Final: 1,
    });
  });

  it('count only parties above ten UTXOs, not at ten', () => {
    const ten = Array.from({ length: 10 }, () => '1 mint a 1');
    expect(network(ten).report).toMatchObject({ shareOfPartyRoundsOver10: 0, partiesOver10Final: 0 });
  });

  it('list every party’s UTXOs and balance in file order', () => {
    expect(partiesCsv(network(['1 mint zoe 3', '1 zoe amy 1.5', '1 mint amy 1']).parties)).toBe(
      'party,utxos,balance\nzoe,1,1.5000000000\namy,2,2.5000000000\n',
    );
  });
});
