import { openFileStore, type Mark, type RevertibleStore } from '@coinlab/store';
import { describe, expect, it } from 'vitest';
import { FaultyDisk, type Fault } from './faulty-disk.js';
import { PowerCutDisk } from './power-cut-disk.js';
import { updates } from './sample.js';

const FILE = 'log/marks.json';
const history = updates(8);
const FULL: Fault = { code: 'ENOSPC', effect: 'before' };
const marks: readonly Mark[] = [
  { name: 'start', offset: 0 },
  { name: 'funded', offset: 3 },
  { name: 'head', offset: 6 },
];

async function opened(disk: PowerCutDisk | FaultyDisk, notes: string[] = []): Promise<RevertibleStore> {
  const store = await openFileStore({ folder: 'log', disk, silenceMillis: 5, onNote: (note) => notes.push(note) });
  if (!store.ok) throw new Error(JSON.stringify(store.error));
  return store.value;
}

/** Returns the disk of a closed log of six updates with marks. */
async function marked(): Promise<PowerCutDisk> {
  const disk = new PowerCutDisk('marks', () => 0.9);
  const store = await opened(disk);
  await store.append(0, history.slice(0, 6));
  expect(await store.setMarks(marks)).toEqual({ ok: true, value: null });
  await store.close();
  return disk;
}

describe('the marks of a log', () => {
  it('are kept from the start of the log to its head, over a power cut that follows at once', async () => {
    const store = await opened((await marked()).afterPowerCut('after'));
    expect(await store.marks()).toEqual(marks);
    await store.close();
  });

  it('are refused with a RangeError beyond the head, and the earlier ones remain', async () => {
    const store = await opened(await marked());
    await expect(store.setMarks([{ name: 'late', offset: 7 }])).rejects.toThrow(
      new RangeError('offset 7 is beyond the head 6 of the log'),
    );
    expect(await store.marks()).toEqual(marks);
    await store.close();
  });

  it.each([
    '',
    '{}',
    'null',
    '[1]',
    '[null]',
    '[{"name":1,"offset":3,"hash":"0"}]',
    '[{"name":"a","offset":"3","hash":"0"}]',
    '[{"name":"a","offset":1.5,"hash":"0"}]',
    '[{"name":"a","offset":3}]',
  ])('are ignored with a note when their file contains %j', async (text) => {
    const disk = await marked();
    disk.overwrite(FILE, Buffer.from(text));
    const notes: string[] = [];
    const store = await opened(disk, notes);
    expect(await store.marks()).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/^ignored marks\.json: not of the form/)]);
    await store.close();
  });

  it('are ignored with their number when the log has no such record', async () => {
    const disk = await marked();
    const bytes = disk.bytesOf(FILE);
    const other = new PowerCutDisk('other', () => 0.9);
    const first = await opened(other);
    await first.append(0, [...history.slice(0, 3), ...updates(5, 'other').slice(3)]);
    await first.close();
    other.overwrite(FILE, bytes);
    const notes: string[] = [];
    const store = await opened(other, notes);
    expect(await store.marks()).toEqual(marks.slice(0, 2));
    expect(notes).toEqual([expect.stringMatching(/^ignored 1 marks of marks\.json/)]);
    await store.close();
  });

  it('stay as they were when the disk is full, and can be set when there is space again', async () => {
    const inner = await marked();
    let isFull = false;
    const disk: FaultyDisk = new FaultyDisk(
      inner,
      FULL,
      () => isFull && (disk.calls.at(-1) ?? '').startsWith(`write ${FILE}`),
    );
    const store = await opened(disk);
    isFull = true;
    expect(await store.setMarks([])).toMatchObject({ ok: false, error: { code: 'WRITE_FAILED' } });
    expect(await store.marks()).toEqual(marks);
    isFull = false;
    expect((await store.setMarks([])).ok).toBe(true);
    expect(await store.marks()).toEqual([]);
    await store.close();
  });

  it('are those of the last of several concurrent calls', async () => {
    const disk = await marked();
    const store = await opened(disk);
    const sets = marks.map((mark) => store.setMarks([mark]));
    expect(await Promise.all(sets)).toEqual(sets.map(() => ({ ok: true, value: null })));
    expect(await store.marks()).toEqual(marks.slice(2));
    await store.close();
  });
});
