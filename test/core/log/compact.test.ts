import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  Amount,
  codec,
  openCompactLog,
  openEngine,
  PartyId,
  PROFILE_NAMES,
  readCompactLog,
  type Update,
} from '@coinlab/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const dso = PartyId.of('DSO');
const alice = PartyId.of('alice');

/** The log of a busy network of each profile: nearly every kind of update that there is. */
const recorded = PROFILE_NAMES.map((profile) => {
  const file = new URL(`../../golden/${profile}/v1.ndjson.gz`, import.meta.url);
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
  return { profile, lines, updates: lines.map(updateIn) };
});

function updateIn(line: string, i: number): Update {
  const read = codec.decode(line, i + 1);
  if (!read.ok) throw new Error(read.error.reason);
  return read.value;
}

function packed(updates: readonly Update[], seed: number = 0): Uint8Array {
  const log = openCompactLog(seed);
  for (const update of updates) log.append(update);
  return log.whole();
}

/** What can be read of a log, and why it ends before its end. */
function read(log: Uint8Array): { lines: string[]; bad: unknown } {
  const lines: string[] = [];
  for (const next of readCompactLog(log)) {
    if (!next.ok) return { lines, bad: next.error };
    lines.push(codec.encode(next.value));
  }
  return { lines, bad: null };
}

describe('a compact log', () => {
  it.each(recorded)('says of every kind of update what the lines of $profile say', ({ lines, updates }) => {
    expect(new Set(updates.map(({ kind }) => kind)).size).toBeGreaterThan(50);
    const log = packed(updates);
    expect(log.length).toBeLessThan(lines.join('\n').length / 6);
    expect(read(log)).toEqual({ lines, bad: null });
    expect([...readCompactLog(log)].slice(-300)).toEqual(updates.slice(-300).map((value) => ({ ok: true, value })));
  });

  it('begins with a log of no updates', () => {
    expect(read(packed([]))).toEqual({ lines: [], bad: null });
  });

  it('keeps amounts and texts of any size exactly', () => {
    const [settings] = recorded[0]?.updates ?? [];
    const units = fc.oneof(fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }), fc.bigInt({ min: 0n, max: 2n ** 54n }));
    const text = fc.string({ unit: 'binary', maxLength: 8 });
    fc.assert(
      fc.property(fc.array(units, { minLength: 2, maxLength: 2 }), text, fc.dictionary(text, text), (u, hint, meta) => {
        const detail = { minted: u[0], burned: u[1], sender: hint, receiver: alice, amount: u[0], inputs: 3 };
        const rest = { holdings: [7, 2 ** 52], change: null, rewards: null, fees: null, meta };
        const odd = {
          ...settings,
          kind: 'SelfTransferred',
          archived: [5],
          created: [],
          detail: { ...detail, ...rest },
        };
        const [back] = [...readCompactLog(packed([odd as unknown as Update]))];
        expect(back).toEqual({ ok: true, value: odd });
      }),
      { numRuns: 30 },
    );
  });

  it('takes at most 24 bytes for a plain transfer among a thousand parties', () => {
    const log = openCompactLog(7);
    const engine = openEngine({ seed: 7, onUpdate: (update) => log.append(update) });
    const now = engine.state.time;
    const parties = Array.from({ length: 1000 }, (_, i) => PartyId.of(`party-${i}`));
    const coins = parties.map((receiver, i) => {
      const minted = engine.submit(
        { type: 'Mint', receiver, amount: Amount.of(`${i + 1}.12345`) },
        { now, actAs: [dso, receiver] },
      );
      if (!minted.ok || minted.value.kind !== 'Minted') throw new Error('a mint is accepted');
      return minted.value.detail.holding;
    });
    log.take();
    const before = log.bytes;
    parties.forEach((sender, i) => {
      const command = { type: 'SelfTransfer', sender, amount: Amount.of('0.98765'), inputs: [coins[i] ?? 0] } as const;
      if (!engine.submit(command as never, { now, actAs: [sender] }).ok) throw new Error('a split is accepted');
    });
    log.take();
    expect((log.bytes - before) / parties.length).toBeLessThanOrEqual(24);
    expect(read(log.whole()).lines).toHaveLength(engine.state.offset);
  });

  it('gives what is new piece by piece, and the pieces are the whole', () => {
    const { updates } = recorded[1] as (typeof recorded)[number];
    const log = openCompactLog(0);
    const pieces: Uint8Array[] = [];
    for (const [i, update] of updates.entries()) {
      log.append(update);
      if (i % 100 === 0) pieces.push(...log.take());
    }
    pieces.push(...log.take());
    expect(log.take()).toEqual([]);
    expect(Buffer.concat(pieces)).toEqual(Buffer.from(log.whole()));
    expect(log.drain()).toEqual([]);
    expect(log.whole()).toEqual(new Uint8Array());
  });

  it('that was altered anywhere, torn or put together wrongly is found with its position', () => {
    const few = (recorded[1]?.updates ?? []).slice(0, 25);
    const log = openCompactLog(0);
    for (const update of few) {
      log.append(update);
      log.take();
    }
    const whole = log.whole();
    const { lines } = read(whole);
    for (let at = 0; at < whole.length; at += at < 60 ? 1 : 37) {
      const altered = Uint8Array.from(whole);
      altered[at] = (altered[at] ?? 0) ^ (1 << (at % 8));
      const { bad, lines: good } = read(altered);
      expect(bad).toMatchObject({ at: expect.any(Number), offset: good.length });
      expect((bad as { at: number }).at).toBeLessThanOrEqual(at);
      expect(good).toEqual(lines.slice(0, good.length));
    }
    for (const cut of [0, 1, 3, 30, whole.length - 1]) {
      const { bad } = read(whole.subarray(0, cut));
      expect(bad).toMatchObject({ reason: expect.stringContaining('torn') });
    }
  });

  it('of another version or kind is refused', () => {
    const json = Buffer.from(recorded[0]?.lines[0] ?? '');
    expect(read(json).bad).toMatchObject({ at: 0, offset: 0 });
  });
});
