import {
  Amount,
  codec,
  GENESIS_TIME,
  Instant,
  openCompactLog,
  openEngine,
  PartyId,
  PROFILE_NAMES,
  readCompactLog,
  type Step,
  type Update,
} from '@coinlab/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forgeriesOf } from '../forgeries.ts';
import { alice, amount, bob, provider, second, worldOf } from '../ledger-fixture.ts';
import { recordedSteps } from '../recorded.ts';
import { payloadsOf, sealed } from './segments.ts';

const dso = PartyId.of('DSO');

/** The log of a busy network of each profile: nearly every kind of update that there is. */
const recorded = PROFILE_NAMES.map((profile) => {
  const steps = recordedSteps(profile);
  const updates = steps.map(({ update }) => update);
  return { profile, steps, updates, lines: updates.map((update) => codec.encode(update)) };
});

function packed(updates: readonly Update[], seed: number = 0): Uint8Array {
  const log = openCompactLog(seed);
  for (const update of updates) log.append(update);
  return log.whole();
}

/** An update after which the next is like this one: its contract ids follow, its coins are of the same round and rate, its preapproval is known. */
function precursorOf({ before, update }: Step): Update {
  const coin = update.created.find(({ template }) => template === 'Holding');
  const created = coin ? [{ ...coin, id: before.nextContract - 1 }] : [];
  return { ...update, offset: update.offset - 1, created } as unknown as Update;
}

/** How many bytes each update takes in its log, without the frame of a segment. */
function sizesOf(updates: readonly Update[], seed: number): readonly number[] {
  const log = openCompactLog(seed);
  log.take();
  return updates.map((update) => {
    const before = log.bytes;
    log.append(update);
    log.take();
    return log.bytes - before - 20;
  });
}

/** The readable updates of a log, and the reason for which reading stops early. */
function read(log: Uint8Array): { lines: string[]; bad: unknown } {
  const lines: string[] = [];
  for (const next of readCompactLog(log)) {
    if (!next.ok) return { lines, bad: next.error };
    lines.push(codec.encode(next.value));
  }
  return { lines, bad: null };
}

describe('a compact log', () => {
  it.each(recorded)('gives the same updates as the lines of $profile', ({ lines, updates }) => {
    expect(new Set(updates.map(({ kind }) => kind)).size).toBeGreaterThan(50);
    const log = packed(updates);
    expect(log.length).toBeLessThan(lines.join('\n').length / 6);
    expect(read(log)).toEqual({ lines, bad: null });
    expect([...readCompactLog(log)].slice(-300)).toEqual(updates.slice(-300).map((value) => ({ ok: true, value })));
  });

  it('keeps numbers, amounts and times exactly at every limit of the encoding, in the fewest bytes', () => {
    const powers = [0, 6, 7, 13, 14, 20, 21, 27, 28, 30, 31, 32, 34, 35, 48, 49, 50, 51, 52].map((bits) => 2 ** bits);
    const near = powers.flatMap((power) => [power - 1, power, power + 1]);
    const numbers = [...near, Number.MAX_SAFE_INTEGER].flatMap((value) => (value === 0 ? [0] : [value, -value]));
    const [opened, settings] = recorded[0]?.updates ?? [];
    if (!opened || !settings) throw new Error('a log begins');
    // Far from either end of time.
    const first = { ...opened, recordTime: Instant.of('5000-01-01T00:00:00Z') } as Update;
    const made = (value: number): Update =>
      ({
        ...settings,
        recordTime: first.recordTime + BigInt(value),
        kind: 'SelfTransferred',
        archived: [2 ** 53 - 1 - Math.abs(value)],
        created: [],
        detail: {
          minted: BigInt(value),
          burned: 0n,
          sender: alice,
          receiver: alice,
          amount: BigInt(value),
          inputs: value,
          holdings: [1, 1],
          change: null,
          rewards: null,
          fees: null,
          meta: { '': '' },
        },
      }) as unknown as Update;
    for (const value of numbers) {
      const back = [...readCompactLog(packed([first, made(value), made(0 - value)]))];
      expect(back.slice(1), String(value)).toEqual(
        [value, 0 - value].map((other) => ({ ok: true, value: made(other) })),
      );
    }
    // From one end of time to the other, more microseconds than a double tells apart.
    const late = { ...first, recordTime: Instant.latest - 2n } as Update;
    for (const recordTime of [
      Instant.of('1970-01-01T00:00:00.000001Z'),
      Instant.of('1970-01-01T00:00:00Z'),
      GENESIS_TIME,
    ]) {
      const early = { ...made(1), recordTime } as Update;
      const updates = [
        late,
        early,
        { ...late, offset: early.offset + 1 },
        { ...early, offset: early.offset + 2 },
      ] as Update[];
      expect([...readCompactLog(packed(updates))]).toEqual(updates.map((value) => ({ ok: true, value })));
    }
    const sizeOf = (value: number): number => sizesOf([first, made(value)], 0)[1] ?? 0;
    // Said twice, an amount takes one byte more; a number of seven bits takes one, and each further seven bits another.
    expect(sizeOf(2 ** 40) - sizeOf(1)).toBeLessThanOrEqual(5 + 5 + 5 + 1);
    for (const value of [1, 60]) expect(sizeOf(-value) - sizeOf(value)).toBeLessThanOrEqual(6);
    expect(sizesOf([first, { ...made(1), recordTime: first.recordTime }], 0)[1]).toBe(sizeOf(1) - 2);
  });

  it('writes an amount or a time once per update, however often it occurs', () => {
    const [settings] = recorded[0]?.updates ?? [];
    const now = Instant.of('2026-01-01T00:00:00Z');
    const many = 40;
    const times = [now, Instant.latest, Instant.earliest, now + 1n, now - 1n, now + 86_400_000_000n];
    const dust = (amountOf: (i: number) => bigint, again: readonly bigint[] = times): Update =>
      ({
        ...settings,
        recordTime: now,
        kind: 'DustExpired',
        archived: [],
        created: [...times, ...again].map((executeBefore, id) => ({
          id: id + 1,
          template: 'TransferInstruction',
          transfer: { sender: alice, receiver: bob, amount: 1n, requestedAt: now, executeBefore, meta: {} },
          lockedHolding: 1,
        })),
        detail: {
          minted: 0n,
          burned: 0n,
          judgedAt: 1,
          expired: Array.from({ length: 2 * many }, (_, i) => ({
            holding: 1,
            owner: alice,
            amount: amountOf(i),
            wasLocked: false,
          })),
        },
      }) as unknown as Update;
    const [twice, once] = [dust((i) => 10n ** 12n + BigInt(i % many)), dust((i) => 10n ** 12n + BigInt(i))];
    for (const update of [twice, once])
      expect([...readCompactLog(packed([update]))]).toEqual([{ ok: true, value: update }]);
    // Six bytes for a new amount, one for an amount named before.
    expect((sizesOf([once], 0)[0] ?? 0) - (sizesOf([twice], 0)[0] ?? 0)).toBe(5 * many);
    // A time that was named before takes one byte, another at least four.
    const others = dust(
      (i) => 10n ** 12n + BigInt(i),
      times.map((_, i) => now + 3_000_000n + BigInt(i)),
    );
    expect([...readCompactLog(packed([others]))]).toEqual([{ ok: true, value: others }]);
    expect((sizesOf([others], 0)[0] ?? 0) - (sizesOf([once], 0)[0] ?? 0)).toBeGreaterThan(3 * times.length);
  });

  it('may have no updates', () => {
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
    const engine = openEngine({ seed: 7, onEntry: (entry) => log.append(entry) });
    const now = engine.state.time;
    const parties = Array.from({ length: 1000 }, (_, i) => PartyId.of(`party-${i}`));
    const coins = parties.map((receiver, i) => {
      const minted = engine.submit(
        { type: 'Mint', receiver, amount: Amount.of(`${i + 1}.12345`) },
        { now, actAs: [dso, receiver] },
      );
      if (!minted.ok || minted.value.update.kind !== 'Minted') throw new Error('a mint is accepted');
      return minted.value.update.detail.holding;
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

  it('repeats only changed fields: not the round, the update id or the receiver’s preapproval', () => {
    const world = worldOf({ seed: 7 });
    const [at, expiresAt] = [world.now, second(100_000)];
    const times = { validFrom: at, lastRenewedAt: at, expiresAt };
    world.put({ template: 'TransferPreapproval', receiver: bob, provider, ...times });
    const coins = world.fundEach(alice, ['5', '5', '5', '5']);
    const pay = { type: 'DirectTransfer', sender: alice, receiver: bob, amount: amount('5') } as const;
    for (const coin of coins.slice(0, 3)) world.submit({ ...pay, inputs: [coin] }, alice);
    world.submit({ type: 'SelfTransfer', sender: alice, amount: amount('1'), inputs: coins.slice(3) }, alice);
    const merge = (): void => {
      world.submit({ type: 'MergeHoldings', owner: alice, inputs: world.holdings(alice).map(({ id }) => id) }, alice);
    };
    merge();
    merge();
    const [, again = 0, thrice = 0, , , lastMerge = 0] = sizesOf(world.ledger.updates(), 7).slice(-6);
    for (const bytes of [again, thrice, lastMerge]) expect(bytes).toBeLessThanOrEqual(12);
    expect(lastMerge).toBeLessThanOrEqual(11);
  });

  it('returns new bytes in pieces, which join to the whole log', () => {
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

  it('reads back a transfer that differs in one field from the short form', () => {
    const plain = new Set<string>(['TransferCompleted', 'SelfTransferred', 'HoldingsMerged']);
    const few = new Map<string, Step>();
    for (const { steps } of recorded) {
      for (const step of steps) {
        const { kind, created, detail } = step.update;
        const { fees = null, rewards = null } = detail as { fees?: unknown; rewards?: unknown };
        if (plain.has(kind)) few.set([kind, created.length, fees === null, rewards === null].join(), step);
      }
    }
    expect(few.size).toBeGreaterThan(6);
    for (const step of few.values()) {
      const before = precursorOf(step);
      for (const { update, ...forged } of forgeriesOf(step).map(({ name, step: { update } }) => ({ name, update })))
        expect([...readCompactLog(packed([before, update]))][1], forged.name).toEqual({ ok: true, value: update });
    }
  });

  it('reads back a field that a packed transfer cannot represent', () => {
    const zero = Amount.zero;
    const few = new Map<string, Step>();
    for (const { steps } of recorded)
      for (const step of steps) {
        const { kind, created, detail } = step.update;
        const isPlain =
          ['TransferCompleted', 'SelfTransferred', 'HoldingsMerged'].includes(kind) &&
          created.every(({ template }) => template === 'Holding');
        if (isPlain && detail.minted === zero && detail.burned === zero) few.set(`${kind} ${created.length}`, step);
      }
    expect(few.size).toBeGreaterThan(3);
    for (const step of few.values()) {
      const { update } = step;
      const before = precursorOf(step);
      const detail = update.detail as unknown as { readonly change: number | null };
      const nothing = { appRewards: zero, validatorRewards: zero, svRewards: zero, faucetRewards: zero };
      const lock = { holders: [bob], expiresAt: Instant.latest, context: null };
      const others: readonly object[] = [
        { detail: { ...detail, rewards: { ...nothing, unclaimedActivity: zero, developmentFund: zero } } },
        { detail: { ...detail, fees: { holdingFees: zero, outputFees: [], changeFee: zero } } },
        { detail: { ...detail, change: detail.change === null ? 7 : null } },
        { detail: { ...detail, change: (detail.change ?? 0) + 1 } },
        { detail: { ...detail, receiver: provider } },
        {
          detail: { ...detail, receiver: provider },
          created: update.created.map((coin, i) => (i === 0 ? { ...coin, owner: provider } : coin)),
        },
        { detail: { ...detail, receiver: PartyId.of('somebody') } },
        ...update.created.flatMap((coin, i) => [
          { created: update.created.map((other, j) => (i === j ? { ...other, lock } : other)) },
          { created: update.created.map((other, j) => (i === j ? { ...other, id: coin.id + 100 } : other)) },
          {
            created: update.created.map((other, j) => (i === j ? { ...other, id: coin.id + 100 } : other)),
            detail: { ...detail, change: coin.id + 100 },
          },
        ]),
      ];
      for (const other of [{}, ...others]) {
        const changed = { ...update, ...other } as Update;
        expect([...readCompactLog(packed([before, changed]))][1]).toEqual({ ok: true, value: changed });
      }
    }
  });

  it('continues from a saved position with the bytes of an uninterrupted log', () => {
    for (const { updates } of recorded) {
      const straight = packed(updates, 7);
      for (const stop of [0, 1, 25, 700, updates.length]) {
        const begun = openCompactLog(7);
        for (const update of updates.slice(0, stop)) begun.append(update);
        const closed = begun.drainClosed();
        const rest = openCompactLog(7, undefined, begun.save());
        expect(rest.bytes).toBe(closed.reduce((sum, piece) => sum + piece.length, 0));
        for (const update of updates.slice(stop)) rest.append(update);
        expect(Buffer.compare(Buffer.concat([...closed, rest.whole()]), straight), String(stop)).toBe(0);
      }
    }
  });

  it('is read in pieces of any length, and gives the position of the segment that it reads', () => {
    const updates = (recorded[0]?.updates ?? []).slice(0, 60);
    const log = openCompactLog(0);
    const starts = updates.map((update) => {
      log.take();
      const start = log.bytes;
      log.append(update);
      return start;
    });
    const whole = log.whole();
    for (const size of [1, 7, 64, 1000, whole.length]) {
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
        whole.subarray(i * size, (i + 1) * size),
      );
      const reader = readCompactLog(pieces);
      const found = Array.from(reader, (value) => ({ ...value, at: reader.at }));
      expect(found).toEqual(updates.map((value, i) => ({ ok: true, value, at: starts[i] })));
    }
  });

  it('may begin at any offset', () => {
    const updates = recorded[0]?.updates ?? [];
    for (const from of [1, 5])
      expect(read(packed(updates.slice(from, 9))).lines).toEqual(recorded[0]?.lines.slice(from, 9));
  });

  it('is closed segment by segment as it grows, and counts its bytes', () => {
    const log = openCompactLog(0);
    const empty = log.bytes;
    const { updates = [] } = recorded[0] ?? {};
    for (let i = 0; i < 3; i++) for (const update of updates) log.append(update);
    expect(log.bytes).toBeGreaterThan(empty);
    const before = log.bytes;
    const pieces = log.take();
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces.slice(1, -1)) expect(piece.length).toBeGreaterThan(2 ** 16);
    for (const piece of pieces) expect(piece.length).toBeLessThan(2 ** 16 + 2 ** 14);
    expect(log.bytes).toBeGreaterThan(before);
    expect(log.bytes).toBe(log.whole().length);
  });

  it('is refused with the position when it is altered, truncated or reassembled', () => {
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

  it('is refused when it has another version or kind', () => {
    const json = Buffer.from(recorded[0]?.lines[0] ?? '');
    expect(read(json).bad).toMatchObject({ at: 0, offset: 0 });
    const [header] = payloadsOf(packed([]));
    if (!header) throw new Error('a log has a header');
    expect(read(sealed([header])).bad).toBeNull();
    // 0, the length of the name, the name, the version, the seed.
    for (const [at, reason] of [
      [2, 'version 3, expected'],
      [header.length - 2, 'got coinlab compact log, version 2'],
    ] as const) {
      const other = Uint8Array.from(header);
      other[at] = (other[at] ?? 0) ^ 1;
      expect(read(sealed([other])).bad).toMatchObject({ at: 0, offset: 0, reason: expect.stringContaining(reason) });
    }
  });

  it('is refused with the offset of an update that does not follow the one before', () => {
    const updates = (recorded[0]?.updates ?? []).filter((_, i) => i % 3 === 0);
    expect(read(packed(updates)).lines).toEqual(updates.map((update) => codec.encode(update)));
  });

  it('is refused when it has an unknown kind or template, and the message names it', () => {
    const { updates = [] } = recorded[0] ?? {};
    const [header, body] = payloadsOf(packed(updates.slice(0, 2)));
    if (!header || !body) throw new Error('a log has a header and a segment');
    for (const [field, word] of [
      ['kind', updates[0]?.kind],
      ['template', updates[0]?.created[0]?.template],
    ] as const) {
      const name = word ?? '';
      const at = Buffer.from(body).indexOf(name);
      expect(at).toBeGreaterThan(0);
      const other = Uint8Array.from(body);
      other[at] = 'x'.charCodeAt(0);
      const got = `x${name.slice(1)}`;
      const reason = expect.stringContaining(`${field}: got ${got}, expected one of `);
      expect(read(sealed([header, other])).bad).toMatchObject({ offset: 0, reason });
    }
  });

  it('is refused at once when it announces more entries than its size allows', () => {
    const { steps = [] } = recorded[0] ?? {};
    for (const kind of ['TransferCompleted', 'Tapped', 'TransferOffered']) {
      const step = steps.findLast(({ update }) => update.kind === kind);
      if (!step) throw new Error(`a ${kind} was recorded`);
      const [header, body] = payloadsOf(packed([precursorOf(step), step.update])) as [Uint8Array, Uint8Array];
      for (let at = 0; at < body.length; at++) {
        const huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f];
        const other = Uint8Array.from([...body.subarray(0, at), ...huge, ...body.subarray(at + 1)]);
        expect([...readCompactLog(sealed([header, other]))].length).toBeLessThan(body.length);
        const beyond = Uint8Array.from([
          ...body.subarray(0, at),
          ...huge.slice(0, 7),
          0xff,
          0x7f,
          ...body.subarray(at),
        ]);
        const last = [...readCompactLog(sealed([header, beyond]))].at(-1);
        if (at === 0) expect(last).toMatchObject({ ok: false, error: { reason: 'a number is too large' } });
      }
    }
  });

  it('is refused when it has unknown flags', () => {
    const { updates = [] } = recorded[0] ?? {};
    const [header, body] = payloadsOf(packed(updates.slice(0, 1)));
    if (!header || !body) throw new Error('a log has a header and a segment');
    // Three bits, and above them which kind of plain transfer it is: there are three, when the bit of 4 is set.
    const isRefused = (flags: number): boolean => {
      const other = Uint8Array.from(body);
      other[0] = flags;
      const { reason } = (read(sealed([header, other])).bad ?? { reason: '' }) as { reason: string };
      return reason.startsWith(`flags: got ${flags},`);
    };
    for (let flags = 0; flags < 64; flags++) {
      const kind = Math.floor(flags / 8);
      expect([flags, isRefused(flags)]).toEqual([flags, flags & 4 ? kind > 2 : kind > 0]);
    }
  });

  it('is refused when its seed is malformed', () => {
    const [header] = payloadsOf(packed([], Number.MAX_SAFE_INTEGER));
    if (!header) throw new Error('a log has a header');
    const digits = Buffer.from(String(Number.MAX_SAFE_INTEGER));
    expect(Buffer.from(header.subarray(-digits.length)).equals(digits)).toBe(true);
    expect(read(sealed([header])).bad).toBeNull();
    for (const text of [
      '9007199254740x91',
      '9007199254.40991',
      'NaN0071992547409',
      '1e00000000000016',
      '                ',
    ]) {
      const other = Uint8Array.from(header);
      other.set(Buffer.from(text), header.length - digits.length);
      expect(read(sealed([other])).bad).toMatchObject({ offset: 0, reason: 'a number has no digits' });
    }
  });

  it('is reported as incomplete when it ends in zero bytes only', () => {
    const whole = packed((recorded[0]?.updates ?? []).slice(0, 3));
    const { lines, bad } = read(Buffer.concat([whole, new Uint8Array(50)]));
    expect(lines).toHaveLength(3);
    expect(bad).toMatchObject({ at: whole.length, offset: 3, reason: 'a torn segment' });
  });

  it('never throws an unexpected error when its hashes are valid and its bytes malformed', () => {
    const { steps = [] } = recorded[0] ?? {};
    const step = steps.findLast(({ update: { kind } }) => kind === 'TransferCompleted');
    if (!step) throw new Error('a transfer was recorded');
    const [header, body] = payloadsOf(packed([precursorOf(step), step.update]));
    if (!header || !body) throw new Error('a log has a header and a segment');
    const reasons = new Set<string>();
    for (let at = 0; at < body.length; at++) {
      for (const byte of [0, 1, 7, 8, 63, 127, 128, 255]) {
        const other = Uint8Array.from(body);
        other[at] = byte;
        let last: unknown = null;
        let count = 0;
        for (const next of readCompactLog(sealed([header, other]))) {
          count += 1;
          last = next.ok ? null : next.error;
        }
        expect(count).toBeLessThan(body.length);
        if (last !== null) reasons.add((last as { reason: string }).reason.replace(/ \d+|: got [^,]*,.*/, ''));
      }
    }
    expect([...reasons].sort()).toEqual([
      'a number has no digits',
      'flags',
      'kind',
      'template',
      'the bytes end within a number',
      'the bytes end within a text',
      'word was never written',
    ]);
    const cut = read(sealed([header, body.subarray(0, -1)]));
    expect(cut.bad).toMatchObject({ at: header.length + 20, offset: step.update.offset - 1 });
    expect(cut.lines).toHaveLength(1);
  });
});
