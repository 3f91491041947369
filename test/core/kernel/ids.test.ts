import { createHash } from 'node:crypto';
import { ContractId, GENESIS_TIME, Instant, PartyId, UpdateId, type Offset } from '@coinlab/core';
import fc from 'fast-check';
import { decodeTime, isValid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { runs } from '../../chance.ts';

const fingerprint = `1220${'0123456789abcdef'.repeat(4)}`;

describe('a party id', () => {
  it.each([[`alice::${fingerprint}`], [`A-1_b.c::${fingerprint}`], [`${'x'.repeat(185)}::${fingerprint}`]])(
    'is read in a valid spelling: %s',
    (text) => {
      expect(PartyId.parse(text)).toEqual({ ok: true, value: text });
    },
  );

  it.each([
    ['no fingerprint', 'alice'],
    ['an empty hint', `::${fingerprint}`],
    ['a hint of 186 characters', `${'x'.repeat(186)}::${fingerprint}`],
    ['a space in the hint', `al ice::${fingerprint}`],
    ['a colon in the hint', `al:ice::${fingerprint}`],
    ['a letter outside ASCII', `álice::${fingerprint}`],
    ['one colon', `alice:${fingerprint}`],
    ['a fingerprint without its prefix', `alice::${'0'.repeat(68)}`],
    ['a short fingerprint', `alice::${fingerprint.slice(0, -1)}`],
    ['a long fingerprint', `alice::${fingerprint}0`],
    ['capital hex', `alice::1220${'A'.repeat(64)}`],
    ['a line break after it', `alice::${fingerprint}\n`],
    ['a number', 7],
    ['a list of one party', [`alice::${fingerprint}`]],
    ['null', null],
  ])('with %s is refused', (_, value) => {
    expect(PartyId.parse(value, 'receiver')).toMatchObject({
      ok: false,
      error: { field: 'receiver', expected: expect.stringContaining('hint::fingerprint') },
    });
  });

  it('made from a hint is well formed, keeps the hint, and differs for other hints', () => {
    const hints = fc.stringMatching(/^[A-Za-z0-9_.-]{1,60}$/);
    fc.assert(
      fc.property(hints, hints, (one, other) => {
        const party = PartyId.of(one);
        expect(PartyId.parse(party)).toEqual({ ok: true, value: party });
        expect(PartyId.hint(party)).toBe(one);
        expect(PartyId.of(one) === PartyId.of(other)).toBe(one === other);
      }),
    );
    expect(() => PartyId.of('two words')).toThrow('two words');
  });

  it('made from a hint of any length has the SHA-256 of the hint as its fingerprint', () => {
    const letters = '-.0123456789ABCXYZ_abcxyz';
    for (let length = 1; length <= 185; length++) {
      const hint = Array.from({ length }, (_, i) => letters.charAt((i * 7 + length) % letters.length)).join('');
      expect(PartyId.of(hint)).toBe(`${hint}::1220${createHash('sha256').update(hint).digest('hex')}`);
    }
  });
});

describe('a contract id', () => {
  const ids = fc.maxSafeNat().map((n) => ContractId.of(n + (n === 0 ? 1 : 0)));

  it('is written with 138 hex characters and read back', () => {
    fc.assert(
      fc.property(ids, (id) => {
        const text = ContractId.format(id);
        expect(text).toMatch(/^00[0-9a-f]{64}ca121220[0-9a-f]{64}$/);
        expect(text).toHaveLength(138);
        expect(ContractId.parse(text)).toEqual({ ok: true, value: id });
      }),
      { numRuns: runs(1000) },
    );
  });

  it('has a different text for each contract', () => {
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        expect(ContractId.format(a) === ContractId.format(b)).toBe(a === b);
      }),
    );
  });

  const good = ContractId.format(ContractId.of(0xbeef));
  it.each([
    ['too short', good.slice(0, -1)],
    ['too long', `${good}0`],
    ['in capitals', good.toUpperCase()],
    ['with halves that differ', good.slice(0, -1) + '0'],
    ['with another marker', good.replace('ca121220', 'ca111220')],
    ['of contract 0', `00${'0'.repeat(64)}ca121220${'0'.repeat(64)}`],
    ['of a number no ledger reaches', `00${'f'.repeat(64)}ca121220${'f'.repeat(64)}`],
    ['of 2⁵³', `00${(2 ** 53).toString(16).padStart(64, '0')}ca121220${(2 ** 53).toString(16).padStart(64, '0')}`],
    ['that is a number', 48_879],
    ['in a list', [good]],
    ['that is null', null],
  ])('is refused if it is %s', (_, value) => {
    expect(ContractId.parse(value, 'inputs[0]')).toMatchObject({
      ok: false,
      error: { field: 'inputs[0]', expected: expect.stringContaining('138') },
    });
  });

  it.each([[0], [-1], [1.5], [2 ** 53], [Number.NaN]])(
    'made by a program is a whole number from 1: not %j',
    (number) => {
      expect(() => ContractId.of(number)).toThrow('contract id');
      expect(ContractId.of(1)).toBe(1);
    },
  );

  it('in the log is read as a number', () => {
    expect(ContractId.read(7)).toEqual({ ok: true, value: 7 });
  });

  it.each([[0], [-1], [1.5], ['1'], [2 ** 53], [null]])(
    'in the log is a whole number from 1: %j is refused',
    (value) => {
      expect(ContractId.read(value, 'archived[0]')).toMatchObject({ ok: false, error: { field: 'archived[0]' } });
    },
  );
});

describe('an update id', () => {
  const at = (seconds: number): Instant => Instant.ofMicros(GENESIS_TIME + BigInt(Math.round(seconds * 1e6)));
  const offset = (n: number): Offset => n as Offset;

  it('is a ULID whose time is the ledger time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.bigInt({ min: 0n, max: Instant.latest }), (n, micros) => {
        const id = UpdateId.of(1, offset(n), Instant.ofMicros(micros));
        expect(isValid(id)).toBe(true);
        expect(UpdateId.parse(id)).toEqual({ ok: true, value: id });
        expect(decodeTime(id)).toBe(Number(micros / 1000n));
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    [999n],
    [1000n],
    [8_999_999_999_999_999n],
    [2n ** 53n - 1n],
    [2n ** 53n + 999n],
    [253_402_300_799_999_999n],
  ])('names the millisecond of %d microseconds', (micros) => {
    expect(decodeTime(UpdateId.of(1, offset(1), Instant.ofMicros(micros)))).toBe(Number(micros / 1000n));
  });

  it('follows from seed, offset and ledger time alone', () => {
    const fresh = (seed: number, n: number, seconds: number): string => UpdateId.of(seed, offset(n), at(seconds));
    const first = fresh(7, 50, 1);
    for (const other of [fresh(7, 50, 2), fresh(7, 51, 1), fresh(8, 50, 1), fresh(7, 50, 1e6)]) {
      expect(other).not.toBe(first);
      expect(fresh(7, 50, 1)).toBe(first);
    }
  });

  it('refuses a time before 1970', () => {
    expect(() => UpdateId.of(1, offset(1), Instant.ofMicros(-1000n))).toThrow('not before 1970');
  });

  it('sorts by ledger time', () => {
    const listed = Array.from({ length: 200 }, (_, i) => UpdateId.of(1, offset(i + 1), at(i / 1000)));
    expect([...listed].sort()).toEqual(listed);
  });

  it('is unique in a log, also among updates of the same instant', () => {
    for (const seed of [0, 1, 0xffff_ffff]) {
      const listed = new Set(Array.from({ length: 50_000 }, (_, i) => UpdateId.of(seed, offset(i + 1), at(0))));
      expect(listed.size).toBe(50_000);
    }
  });

  const zeros = '0'.repeat(20);
  it.each([
    [''],
    [`01KDT${zeros}O`],
    [`81KDT${zeros}0`],
    [`01kdt${zeros}0`],
    [`01KDT${zeros}`],
    [[`01KDT${zeros}0`]],
    [null],
  ])('is not read from the text %j', (value) => {
    expect(UpdateId.parse(value)).toMatchObject({ ok: false, error: { field: 'updateId' } });
  });
});
