import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Amount, codec, openLedger, PartyId, type Command, type ContractId, type Update } from '@coinlab/core';
import { DamagedLog, openFileStore, readLog, repairLog, type Disk, type EventStore, type Repair } from '@coinlab/store';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runs } from '../chance.js';
import { PowerCutDisk } from './power-cut-disk.js';
import { stateAfter, updates } from './sample.js';

const history = updates(24);
const lines = history.map((update) => codec.encode(update));
const SEGMENT_BYTES = 3_000;
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

async function openOn(disk: Disk): Promise<EventStore> {
  const opened = await openFileStore({ folder: 'log', disk, segmentBytes: SEGMENT_BYTES });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
}

/** Writes a log in several segments with a snapshot at 12, on an in-memory disk. */
async function written(name: string, draw: () => number = () => 0.9): Promise<PowerCutDisk> {
  const disk = new PowerCutDisk(name, draw);
  const store = await openOn(disk);
  for (let offset = 0; offset < history.length; offset += 3) {
    await store.append(offset, history.slice(offset, offset + 3));
    if (offset === 9) await store.snapshot(stateAfter(history.slice(0, 12)));
  }
  await store.close();
  return disk;
}

const segmentsOf = (disk: PowerCutDisk): readonly string[] =>
  disk.paths().filter((path) => path.startsWith('log/log-'));

/** Returns the offset in the name of a segment. */
const firstOf = (path: string): number => Number(/\d+/.exec(path)?.[0]);

function flip(disk: PowerCutDisk, path: string, at: number, bit: number): void {
  const bytes = Uint8Array.from(disk.bytesOf(path));
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  disk.overwrite(path, bytes);
}

/** Returns the damage that reading an offset reports; null if there is none. */
function damageAt(store: EventStore, offset: number) {
  try {
    expect(store.lineAt(offset)).toBe(lines[offset - 1]);
    return null;
  } catch (error) {
    if (error instanceof DamagedLog) return error.damage;
    throw error;
  }
}

describe('a log with a segment of another log', () => {
  it('is refused at the first record of that segment, although its offsets fit', async () => {
    const disk = await written('own');
    const other = new PowerCutDisk('other', () => 0.9);
    const store = await openOn(other);
    const names = updates(24, 'other');
    for (let offset = 0; offset < names.length; offset += 3)
      await store.append(offset, names.slice(offset, offset + 3));
    await store.close();
    const path = segmentsOf(disk)[1] as string;
    expect(segmentsOf(other)).toEqual(segmentsOf(disk));
    disk.overwrite(path, other.bytesOf(path));
    const opened = await openFileStore({ folder: 'log', disk, segmentBytes: SEGMENT_BYTES });
    const reason = 'the record does not follow the one before it';
    const file = path.slice('log/'.length);
    expect(opened).toMatchObject({ ok: false, error: { code: 'DAMAGED', damage: { file, byte: 0, reason } } });
  });
});

describe('a log with a record of another offset', () => {
  // The snapshot at 12 covers the first, so its update is not decoded.
  it.each([11, 20])('is refused at offset %i, although the record has its hash', async (offset) => {
    const disk = await written('renumbered');
    const path = segmentsOf(disk).findLast((each) => firstOf(each) <= offset) ?? '';
    const text = Buffer.from(disk.bytesOf(path)).toString().split('\n');
    const at = offset - firstOf(path);
    const { prev, update } = JSON.parse(text[at] ?? '') as { prev: string; update: object };
    const json = JSON.stringify({ ...update, offset: 99 });
    const hash = createHash('sha256').update(`${prev}\n${json}`).digest('hex');
    text[at] = `{"prev":"${prev}","hash":"${hash}","update":${json}}`;
    disk.overwrite(path, Buffer.from(text.join('\n')));
    const opened = await openFileStore({ folder: 'log', disk, onSnapshot: () => undefined });
    const reason = 'the record has offset 99';
    const file = path.slice('log/'.length);
    expect(opened).toMatchObject({ ok: false, error: { code: 'DAMAGED', damage: { file, offset, reason } } });
  });
});

describe('a log that is damaged while its store is open', () => {
  it('reports a flipped bit with its position when the damaged record is read, and still reads every other record', async () => {
    const disk = await written('running');
    const store = await openOn(disk);
    const at = fc.record({
      segment: fc.nat(segmentsOf(disk).length - 1),
      position: fc.double({ min: 0, max: 0.9999, noNaN: true }),
      bit: fc.nat(7),
    });
    await fc.assert(
      fc.asyncProperty(at, async ({ segment, position, bit }) => {
        const path = segmentsOf(disk)[segment] ?? '';
        const whole = Uint8Array.from(disk.bytesOf(path));
        const byte = Math.floor(position * whole.length);
        flip(disk, path, byte, bit);
        const damages = lines.map((_, i) => damageAt(store, i + 1)).filter((damage) => damage !== null);
        expect(damages).toHaveLength(1);
        const [damage] = damages;
        expect(`log/${damage?.file}`).toBe(path);
        const record = whole.subarray(0, byte).lastIndexOf(0x0a) + 1;
        expect(damage?.byte).toBe(record);
        const read: Update[] = [];
        await expect(
          (async () => {
            for await (const update of store.read()) read.push(update);
          })(),
        ).rejects.toThrow(`offset ${damage?.offset}`);
        expect(read).toHaveLength((damage?.offset ?? 0) - 1);
        disk.overwrite(path, whole);
      }),
      { numRuns: runs(200) },
    );
    await store.close();
  });

  it('refuses to read a record that the record of another offset has overwritten', async () => {
    const disk = await written('replaced');
    const store = await openOn(disk);
    const path = segmentsOf(disk).at(-1) ?? '';
    const text = Buffer.from(disk.bytesOf(path)).toString().split('\n');
    const [first = '', second = ''] = text;
    expect(first.length).toBe(second.length);
    disk.overwrite(path, Buffer.from(text.with(0, second).join('\n')));
    const offset = Number(/log-0*(\d+)/.exec(path)?.[1]);
    expect(damageAt(store, offset)).toMatchObject({ offset, reason: `the record has offset ${offset + 1}` });
    await store.close();
  });

  it('reports a truncated or missing file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-damage-'));
    folders.push(folder);
    const opened = await openFileStore({ folder, segmentBytes: SEGMENT_BYTES });
    if (!opened.ok) throw new Error(opened.error.code);
    const store = opened.value;
    for (let offset = 0; offset < 12; offset += 3) await store.append(offset, history.slice(offset, offset + 3));
    const [first = '', second = ''] = readdirSync(folder).filter((name) => name.startsWith('log-'));
    truncateSync(join(folder, first), 100);
    rmSync(join(folder, second));
    expect(damageAt(store, 1)).toMatchObject({
      file: first,
      byte: 0,
      offset: 1,
      reason: expect.stringMatching(/ends before/) as string,
    });
    const offset = Number(/\d+/.exec(second)?.[0]);
    expect(damageAt(store, offset)).toMatchObject({
      file: second,
      byte: 0,
      offset,
      reason: expect.stringMatching(/ENOENT/) as string,
    });
    await store.close();
  });
});

describe('a damaged log', () => {
  const damaged = (damage: object): object => ({ ok: false, error: { code: 'DAMAGED', damage } });

  it('is refused with the position of the damaged record in its last segment', async () => {
    const disk = await written('last');
    const path = segmentsOf(disk).at(-1) ?? '';
    const offset = Number(/\d+/.exec(path)?.[0]) + 1;
    const byte = Buffer.from(disk.bytesOf(path)).indexOf('\n') + 1;
    flip(disk, path, byte + 250, 0);
    const reason = 'the hash does not match the record';
    expect(await openFileStore({ folder: 'log', disk })).toEqual(
      damaged({ file: path.slice('log/'.length), byte, offset, reason }),
    );
  });

  it('is refused with the offset of the first missing record', async () => {
    const disk = await written('short');
    const path = segmentsOf(disk).at(-1) ?? '';
    const text = Buffer.from(disk.bytesOf(path)).toString();
    const byte = text.lastIndexOf('\n', text.length - 2) + 1;
    disk.overwrite(path, Buffer.from(text.slice(0, byte)));
    const reason = 'the log ends at offset 23, but head.json acknowledges offset 24';
    expect(await openFileStore({ folder: 'log', disk })).toEqual(
      damaged({ file: path.slice('log/'.length), byte, offset: 24, reason }),
    );
  });
});

describe('a log with a segment that does not continue it', () => {
  const stray = 'log/log-000000000099.ndjson';

  it('is opened if the segment is empty: an owner that lost the log may leave one', async () => {
    const disk = await written('empty');
    disk.overwrite(stray, new Uint8Array());
    const store = await openOn(disk);
    for (const [i, line] of lines.entries()) expect(store.lineAt(i + 1)).toBe(line);
    await store.close();
  });

  it.each([1, 500])('is refused if the segment has %i bytes', async (bytes) => {
    const disk = await written('stray');
    disk.overwrite(stray, disk.bytesOf(segmentsOf(disk).at(-1) ?? '').slice(0, bytes));
    const reason = 'expected a segment that begins at offset 25';
    expect(await openFileStore({ folder: 'log', disk })).toEqual({
      ok: false,
      error: { code: 'DAMAGED', damage: { file: stray.slice('log/'.length), byte: 0, offset: 25, reason } },
    });
  });
});

describe('repairLog', () => {
  async function repaired(disk: PowerCutDisk, out: string): Promise<Repair> {
    const before = disk
      .paths()
      .filter((path) => path.startsWith('log/'))
      .map((path) => [path, [...disk.bytesOf(path)]]);
    const repair = await repairLog('log', out, disk);
    if (!repair.ok) throw new Error(JSON.stringify(repair.error));
    const after = disk
      .paths()
      .filter((path) => path.startsWith('log/'))
      .map((path) => [path, [...disk.bytesOf(path)]]);
    expect(after).toEqual(before);
    return repair.value;
  }

  async function linesIn(
    disk: Disk,
    folder: string,
  ): Promise<{ from: number; lines: readonly string[]; offset: number }> {
    const found: string[] = [];
    let from = 0;
    const opened = await openFileStore({
      folder,
      disk,
      onSnapshot: ({ offset }) => (from = offset),
      onLine: (line) => found.push(line),
    });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    const { offset } = opened.value.head();
    await opened.value.append(offset, history.slice(offset, offset + 1));
    await opened.value.close();
    return { from, lines: found, offset };
  }

  it('copies every record before any flipped bit, reports the position, and leaves the damaged folder unchanged', async () => {
    const original = await written('repair');
    let n = 0;
    const damage = fc.record({
      file: fc.nat(segmentsOf(original).length - 1),
      position: fc.double({ min: 0, max: 0.9999, noNaN: true }),
      bit: fc.nat(7),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ file, position, bit }) => {
        const disk = await written(`repair-${n}`);
        const out = `out-${n++}`;
        const path = segmentsOf(disk)[file] ?? '';
        flip(disk, path, Math.floor(position * disk.bytesOf(path).length), bit);
        const { damages, kept, acknowledged, unusable, snapshots } = await repaired(disk, out);
        expect(damages[0]).toMatchObject({ file: path.slice('log/'.length), offset: kept.offset + 1 });
        expect(acknowledged).toBe(history.length);
        // A flipped bit in a line break joins two records.
        expect(unusable).toBeGreaterThanOrEqual(history.length - kept.offset - 2);
        const found = await linesIn(disk, out);
        expect(found.lines).toEqual(lines.slice(0, kept.offset));
        expect({ count: snapshots.length, from: found.from }).toEqual(
          kept.offset >= 12 ? { count: 1, from: 12 } : { count: 0, from: 0 },
        );
      }),
      { numRuns: runs(40) },
    );
  });

  it('copies all records when the head file is newer than the log, missing, damaged or from another log', async () => {
    const heads = [
      '',
      null,
      '{"offset":30,"hash":"' + 'a'.repeat(64) + '"}\n',
      '{"offset":5,"hash":"' + 'a'.repeat(64) + '"}\n',
    ];
    for (const [i, head] of heads.entries()) {
      const disk = await written(`head-${i}`);
      if (head === null) await disk.remove('log/head.json');
      else disk.overwrite('log/head.json', Buffer.from(head));
      expect(await openFileStore({ folder: 'log', disk })).toMatchObject({ ok: false, error: { code: 'DAMAGED' } });
      const { damages, kept } = await repaired(disk, 'out');
      expect(damages).toMatchObject([{ file: 'head.json' }]);
      expect(kept.offset).toBe(history.length);
      expect((await linesIn(disk, 'out')).lines).toEqual(lines);
    }
  });

  it('copies the records before a missing segment, and omits an incomplete last record', async () => {
    const disk = await written('missing');
    const [first = '', second = '', ...others] = segmentsOf(disk);
    await disk.remove(second);
    const last = others.at(-1) ?? '';
    disk.overwrite(last, Buffer.concat([disk.bytesOf(last), Buffer.from('{"prev')]));
    const { damages, kept, unusable } = await repaired(disk, 'out');
    const offset = kept.offset + 1;
    const reason = `a segment that begins at offset ${offset} is missing`;
    expect(damages).toEqual([
      { file: others[0]?.slice(4), byte: 0, offset, reason },
      expect.objectContaining({ file: 'head.json' }),
    ]);
    expect(kept.offset + unusable).toBeLessThan(history.length);
    expect(Buffer.from(disk.bytesOf(first.replace('log/', 'out/')))).toEqual(Buffer.from(disk.bytesOf(first)));
  });

  it('writes no segment when the first record is damaged', async () => {
    const disk = await written('first');
    flip(disk, segmentsOf(disk)[0] ?? '', 100, 0);
    expect(await repaired(disk, 'out')).toMatchObject({ kept: { offset: 0 }, unusable: history.length - 1 });
    expect(disk.paths().filter((path) => path.startsWith('out/'))).toEqual(['out/head.json']);
  });

  it('omits a damaged snapshot and one of another log', async () => {
    const disk = await written('snapshots');
    const other = new PowerCutDisk('snapshots of another log', () => 0.9);
    const store = await openOn(other);
    const foreign = updates(8, 'other');
    await store.append(0, foreign);
    await store.snapshot(stateAfter(foreign));
    await store.close();
    const snapshotIn = (on: PowerCutDisk): string => on.paths().find((path) => path.startsWith('log/state-')) ?? '';
    disk.overwrite(snapshotIn(other), other.bytesOf(snapshotIn(other)));
    expect((await repaired(disk, 'foreign')).snapshots).toHaveLength(1);
    flip(disk, disk.paths().find((path) => path.startsWith('log/state-') && path.includes('12')) ?? '', 300, 0);
    expect(await repaired(disk, 'both')).toMatchObject({ kept: { offset: history.length }, snapshots: [] });
  });

  it('leaves a folder without a head, or the complete log, when power fails at any disk call', async () => {
    let random = 1;
    const draw = (): number => (random = (random * 48_271) % 2_147_483_647) / 2_147_483_647;
    const original = await written('power', draw);
    const whole = original.afterPowerCut('whole');
    const before = whole.calls;
    expect((await repairLog('log', 'out', whole)).ok).toBe(true);
    const calls = whole.calls - before;
    let heads = 0;
    for (let call = 0; call <= calls + 10; call++)
      for (let round = 0; round < 8; round++) {
        const disk = original.afterPowerCut(`power-${call}-${round}`);
        disk.failAfter(call);
        const { ok } = await repairLog('log', 'out', disk);
        const found = disk.afterPowerCut();
        const hasHead = found.paths().includes('out/head.json');
        if (ok) expect(hasHead).toBe(true);
        if (!hasHead) continue;
        heads += 1;
        expect(await readLog({ folder: 'out', disk: found })).toMatchObject({ ok: true, value: { offset: 24 } });
      }
    expect(heads).toBeGreaterThan(0);
  });

  it('copies a log without damage, and refuses a folder that is not empty or has no log', async () => {
    const disk = await written('whole');
    expect(await repaired(disk, 'out')).toMatchObject({ damages: [], kept: { offset: history.length }, unusable: 0 });
    for (const [from, to] of [
      ['log', 'out'],
      ['log', 'log'],
      ['nothing', 'new'],
    ] as const)
      expect(await repairLog(from, to, disk)).toMatchObject({ ok: false, error: { code: 'UNREADABLE' } });
  });
});

describe('readLog on a log that a store has open', () => {
  it('reads the acknowledged updates and changes no file', async () => {
    const disk = await written('read');
    const store = await openOn(disk);
    const path = segmentsOf(disk).at(-1) ?? '';
    // The owner of the log is writing this record and may still undo it.
    disk.overwrite(path, Buffer.concat([disk.bytesOf(path), disk.bytesOf(path).subarray(0, 40)]));
    const before = disk.paths();
    const found: string[] = [];
    const notes: string[] = [];
    const read = await readLog({
      folder: 'log',
      disk,
      onLine: (line) => found.push(line),
      onNote: (note) => notes.push(note),
    });
    expect(read).toEqual({ ok: true, value: store.head() });
    expect(found).toEqual(lines);
    expect(notes).toEqual([expect.stringMatching(/^left out 40 bytes/)]);
    expect(disk.paths()).toEqual(before);
    await store.close();
  });

  it('is refused with the reason when the folder cannot be read', async () => {
    const folder = join(tmpdir(), 'coinlab-damage-missing');
    expect(await readLog({ folder })).toEqual({
      ok: false,
      error: { code: 'UNREADABLE', reason: expect.stringMatching(/ENOENT/) as string },
    });
  });

  it('omits complete records that the head does not yet acknowledge', async () => {
    const disk = await written('beyond');
    const head = Uint8Array.from(disk.bytesOf('log/head.json'));
    const store = await openOn(disk);
    const { offset } = store.head();
    await store.append(offset, updates(offset + 2).slice(offset));
    await store.close();
    disk.overwrite('log/head.json', head);
    const found: string[] = [];
    expect(await readLog({ folder: 'log', disk, onLine: (line) => found.push(line) })).toMatchObject({
      ok: true,
      value: { offset },
    });
    expect(found).toEqual(lines);
  });
});

/** The store reads a log in pieces of one MiB. */
describe('a log of several MiB, with a record of 1.5 MB between small ones', () => {
  const many = longHistory();
  const FILE = 'log/log-000000000001.ndjson';

  async function stored(): Promise<{ readonly disk: PowerCutDisk; readonly ends: readonly number[] }> {
    const disk = new PowerCutDisk('long', () => 0.9);
    const opened = await openFileStore({ folder: 'log', disk });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    await opened.value.append(0, many);
    await opened.value.close();
    const bytes = Buffer.from(disk.bytesOf(FILE));
    const ends = [0];
    for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) ends.push(at + 1);
    return { disk, ends };
  }

  it('is read with every update and every line', async () => {
    const { disk } = await stored();
    const [read, told]: [Update[], string[]] = [[], []];
    const opened = await openFileStore({
      folder: 'log',
      disk,
      onUpdate: (update) => read.push(update),
      onLine: (line) => told.push(line),
    });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    expect(read).toEqual(many);
    expect(told).toEqual(many.map((update) => codec.encode(update)));
    for (const offset of [1, 1500, 3000, many.length]) expect(opened.value.lineAt(offset)).toBe(told[offset - 1]);
  });

  it.each([1, 700, 1500, 1501, 1900, 2600, 3001])(
    'is refused at the record of offset %i if a bit of it flips',
    async (offset) => {
      const { disk, ends } = await stored();
      const [byte = 0, end = 0] = ends.slice(offset - 1, offset + 1);
      flip(disk, FILE, Math.floor((byte + end) / 2), 0);
      const opened = await openFileStore({ folder: 'log', disk });
      const damage = { file: 'log-000000000001.ndjson', byte, offset, reason: 'the hash does not match the record' };
      expect(opened).toEqual({ ok: false, error: { code: 'DAMAGED', damage } });
    },
  );

  it('loses only an unfinished record at its end, and the note counts its bytes', async () => {
    const { disk } = await stored();
    const whole = Uint8Array.from(disk.bytesOf(FILE));
    disk.overwrite(FILE, Buffer.concat([whole, Buffer.alloc(2_500_000, 'x')]));
    const notes: string[] = [];
    const opened = await openFileStore({ folder: 'log', disk, onNote: (note) => notes.push(note) });
    expect(opened).toMatchObject({ ok: true });
    const cut = `cut 2500000 bytes that were never acknowledged off log-000000000001.ndjson at byte ${whole.length}`;
    expect(notes).toEqual([`${cut}: the record has no line break`]);
    expect(Buffer.from(disk.bytesOf(FILE)).equals(whole)).toBe(true);
  });
});

function longHistory(): readonly Update[] {
  let ledger = openLedger();
  const owner = PartyId.of('owner');
  const submit = (command: Command): Update => {
    const accepted = ledger.submit(command, { now: ledger.state.time, actAs: [owner] });
    if (!accepted.ok) throw new Error(JSON.stringify(accepted.error));
    ledger = accepted.value.ledger;
    return accepted.value.update;
  };
  submit({ type: 'AllocateParty', party: owner });
  let coin = submit({ type: 'Tap', receiver: owner, amount: Amount.of('1') }).created[0]?.id as ContractId;
  while (ledger.state.offset < 3_100) {
    const note = 'x'.repeat(ledger.state.offset === 1_500 ? 1_500_000 : ledger.state.offset % 37);
    const moved = submit({
      type: 'SelfTransfer',
      sender: owner,
      amount: Amount.of('1'),
      inputs: [coin],
      meta: { note },
    });
    coin = moved.created[0]?.id as ContractId;
  }
  return ledger.updates();
}
