import { Amount, balanceOf, countOf, PartyId } from '@coinlab/core';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_SETTINGS, parseStream, replayStream, StreamReplay } from '@coinlab/sim';
import { openInput } from '@coinlab/sim/files';
import { describe, expect, it } from 'vitest';
import { coins, stream } from './runs.ts';

describe('a payment of a stream', () => {
  it('above the balance waits, and later payments wait until it is made', () => {
    // 3
    // 3, waiting 5
    // waiting 5, 1
    // 3 + 4 pays 5, then 1: change 2, then change 1.
    expect(stream([3, -5, -1, 4])).toMatchObject({
      payments: 2,
      unpaid: 0,
      meanUtxos: 1,
      maxUtxos: 2,
      finalUtxos: 1,
      changeCreated: 2,
      inputsSpent: 3,
      finalBalance: Amount.ofWhole(1),
    });
  });

  it('above the balance remains unpaid, with the later payments, when the stream ends first', () => {
    expect(stream([3, -5, -1])).toMatchObject({ payments: 0, unpaid: 2, finalUtxos: 1 });
  });

  it('above the balance is dropped with whenShort drop, and later payments are made', () => {
    expect(stream([3, -5, -1, 4], { whenShort: 'drop' })).toMatchObject({
      payments: 1,
      unpaid: 1,
      finalUtxos: 2,
      finalBalance: Amount.ofWhole(6),
    });
  });

  it('equal to the balance is made without change', () => {
    expect(stream([3, 4, -7])).toMatchObject({ payments: 1, changeCreated: 0, inputsSpent: 2, finalUtxos: 0 });
  });
});

describe('the change of a payment', () => {
  it('is the newest coin of the wallet', () => {
    // Newest first: 9 pays 1 and the change of 8 is newer than 5, so it pays the next 1, and so on.
    expect(stream([5, 9, -1, -1], { policy: 'newest-first' })).toMatchObject({ inputsSpent: 2, finalUtxos: 2 });
    // Oldest first: 5 pays 1, then 9 is older than the change of 4.
    expect(stream([5, 9, -1, -9], { policy: 'oldest-first' })).toMatchObject({ inputsSpent: 2, changeCreated: 1 });
  });
});

describe('under an input cap', () => {
  it('a wallet merges its first inputs until the payment fits', () => {
    // Oldest first, cap 2: 1+1 of [1,1,1,1,1] become 2, the newest: [1,1,1,2] → [1,2,2] → 1+2 … [2,3] pays 5.
    expect(stream([1, 1, 1, 1, 1, -5], { cap: 2 })).toMatchObject({
      capMerges: 3,
      merges: 3,
      mergeInputs: 6,
      inputsSpent: 2,
      maxInputs: 2,
      paymentsOver100Inputs: 0,
    });
  });

  it('with cap none, a payment of more inputs than the network allows is made and counted', () => {
    const rows = [...Array.from({ length: 101 }, () => 1), -101];
    expect(stream(rows, { cap: null })).toMatchObject({ maxInputs: 101, paymentsOver100Inputs: 1, capMerges: 0 });
    expect(stream(rows, { cap: 100 })).toMatchObject({ maxInputs: 2, paymentsOver100Inputs: 0, capMerges: 1 });
    expect(stream([...rows.slice(1, -1), -100])).toMatchObject({
      maxInputs: 100,
      paymentsOver100Inputs: 0,
      capMerges: 0,
    });
  });
});

describe('above a merge threshold', () => {
  it('the smallest coins, at most 100, are merged after the row and its payments', () => {
    expect(stream([5, 5, 5], { mergeThreshold: 2 })).toMatchObject({
      merges: 1,
      mergeInputs: 3,
      capMerges: 0,
      maxUtxos: 3,
      finalUtxos: 1,
    });
  });

  it('a wallet is not merged when its payments have already reduced its UTXOs below the threshold', () => {
    expect(stream([5, 5, -11, 5], { mergeThreshold: 2 })).toMatchObject({ merges: 0, maxUtxos: 3, finalUtxos: 1 });
  });

  it('a wallet is merged once per row, however many coins remain', () => {
    const opening = coins(...Array.from({ length: 250 }, (_, i) => i + 1));
    for (const cap of [100, 200, null]) {
      expect(stream([1000, 1000], { mergeThreshold: 10, opening, cap })).toMatchObject({
        merges: 2,
        mergeInputs: 200,
        maxUtxos: 251,
        finalUtxos: 54,
      });
    }
  });

  it('the mean number of UTXOs over rows is (threshold + 1) / 2 when there are no payments', () => {
    const rows = Array.from({ length: 1000 }, () => 1);
    expect(stream(rows, { mergeThreshold: 10 }).meanUtxos).toBe(5.5);
  });
});

describe('the payee of a stream', () => {
  it('keeps at most 20,000 coins, and its merges count in no figure', () => {
    const replay = new StreamReplay({ ...DEFAULT_SETTINGS, mergeThreshold: null }, null);
    replay.play(Amount.ofWhole(30_000));
    for (let row = 0; row < 20_150; row++) replay.play(Amount.ofWhole(-1));
    const { state } = replay.save();
    expect(countOf(state, PartyId.of('payee'))).toBe(20_150 - 2 * 99);
    expect(balanceOf(state, PartyId.of('payee')).total).toBe(Amount.ofWhole(20_150));
    const report = replay.result();
    expect(report).toMatchObject({ payments: 20_150, inputsSpent: 20_150, merges: 0, mergeInputs: 0, finalUtxos: 1 });
  });
});

describe('an opening wallet', () => {
  it('counts in the maximum number of UTXOs and in minted coin, but not in receipts', () => {
    expect(stream([-3], { opening: coins(1, 1, 2) })).toMatchObject({
      rows: 1,
      receipts: 0,
      payments: 1,
      maxUtxos: 3,
      finalUtxos: 1,
      minted: Amount.ofWhole(4),
    });
  });
});

describe('the unit of a stream', () => {
  it('scales amounts and no other figure', () => {
    const run = (unit: string): object => {
      const parsed = parseStream('5\n3\n-6\n', 'x.csv', Amount.of(unit));
      if (!parsed.ok) throw new Error('a good stream');
      const {
        minted,
        finalBalance,
        logHash: _,
        stateHash: __,
        ...counts
      } = replayStream(parsed.value, DEFAULT_SETTINGS, () => undefined);
      return { minted: Amount.format(minted), finalBalance: Amount.format(finalBalance), counts };
    };
    const small = run('0.0000000001');
    const large = run('1000000');
    expect(small).toMatchObject({ minted: '0.0000000008', finalBalance: '0.0000000002' });
    expect(large).toEqual({ ...small, minted: '8000000.0000000000', finalBalance: '2000000.0000000000' });
  });
});

describe('invalid replay settings', () => {
  it.each([{ cap: 1 }, { cap: 2.5 }, { mergeThreshold: 0 }, { seed: -1 }, { seed: 2 ** 32 }])(
    '%o are refused',
    (settings) => {
      expect(() => stream([1], settings)).toThrow(RangeError);
    },
  );
});

describe('a payment stream on disk', () => {
  it('is read row by row, again for each iteration, and holds no rows in memory', () => {
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-rows-'));
    try {
      const file = join(folder, 'rows.csv');
      writeFileSync(file, '1\r\n-2\n'.repeat(100_000));
      const input = openInput(file);
      if (!input.ok || input.value.kind !== 'stream') return expect.unreachable();
      expect(input.value.count).toBe(200_000);
      const { rows } = input.value;
      let read = 0;
      for (const row of rows) {
        expect(row).toBe(read % 2 === 0 ? 1_000_000n : -2_000_000n);
        // The file ends early once the first row is read: rows in memory would still come.
        if (read === 0) truncateSync(file, 300_000);
        read += 1;
      }
      expect(read).toBe(100_000);
      expect([...rows]).toHaveLength(100_000);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
