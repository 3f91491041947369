import { hash } from 'node:crypto';
import { codec, type Update } from '@coinlab/core';
import { openFileStore, type RevertibleStore } from '@coinlab/store';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runs, seed } from '../chance.js';
import { FaultyDisk } from './faulty-disk.js';
import { PowerCutDisk } from './power-cut-disk.js';
import { stateAfter, updates } from './sample.js';

// A killed store never ends the renewal of its lock: thousands of renewals would slow the later tests of this process.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterAll(() => void vi.useRealTimers());

const history = updates(16);
const others = updates(16, 'other');
const shortened = (line: string): string => hash('sha256', line).slice(0, 12);
const textOf = (update: Update): string => shortened(codec.encode(update));
const all = history.map(textOf);

async function opened(disk: PowerCutDisk | FaultyDisk, notes: string[] = []): Promise<RevertibleStore> {
  const store = await openFileStore({
    folder: 'log',
    disk,
    segmentBytes: 3_000,
    silenceMillis: 5,
    onNote: (note) => void notes.push(note),
  });
  if (!store.ok) throw new Error(JSON.stringify(store.error));
  return store.value;
}

async function linesOn(disk: PowerCutDisk): Promise<readonly string[]> {
  const store = await opened(disk);
  const lines = Array.from({ length: store.head().offset }, (_, i) => shortened(store.lineAt(i + 1)));
  await store.close();
  return lines;
}

/** Returns the updates in the files of removed updates that cuts have written. */
function archived(disk: PowerCutDisk): readonly string[] {
  return disk
    .paths()
    .filter((path) => /reverted-.*\.ndjson$/.test(path))
    .flatMap((path) => Buffer.from(disk.bytesOf(path)).toString('utf8').trimEnd().split('\n'))
    .map((record) => shortened(JSON.stringify((JSON.parse(record) as { update: unknown }).update)));
}

async function filled(disk: PowerCutDisk): Promise<RevertibleStore> {
  const store = await opened(disk);
  for (let from = 0; from < history.length; from += 3) await store.append(from, history.slice(from, from + 3));
  await store.snapshot(stateAfter(history));
  return store;
}

/** Claims the head of a log for another owner. */
function overtake(disk: PowerCutDisk): void {
  const head = Buffer.from(disk.bytesOf('log/head.json')).toString();
  disk.overwrite('log/head.json', Buffer.from(head.replace(/[0-9a-f]{32}(?="\}\}\n$)/, '0'.repeat(32))));
}

describe('the truncation of a stored log', () => {
  it('leaves the log unchanged or truncated when power fails at any disk call, and archives the removed updates in a file', async () => {
    const seen = { whole: 0, cut: 0, completed: 0 };
    for (const to of [0, 3, 6, 7, 15])
      for (let call = 0; ; call++) {
        const draw = (
          (at) => () =>
            (at = (at * 16807) % 2147483647) / 2147483647
        )(7 * call + to + 1);
        const before = new PowerCutDisk('cut', draw);
        await (await filled(before)).close();
        const settled = before.afterPowerCut('settled');
        const disk = new PowerCutDisk('live', draw);
        for (const path of settled.paths()) disk.overwrite(path, settled.bytesOf(path));
        const store = await opened(disk);
        const calls = disk.calls;
        disk.failAfter(call);
        const cut = await store.cut(to).catch(() => null);
        const isDone = cut?.ok === true;
        const after = disk.afterPowerCut('after');
        const notes: string[] = [];
        await (await opened(after, notes)).close();
        const found = await linesOn(after);
        const what = `cut to ${to}, power fails after ${call} calls`;
        expect([all.length, to], what).toContain(found.length);
        expect(found, what).toEqual(all.slice(0, found.length));
        if (isDone) expect(found.length, what).toBe(to);
        if (found.length === to) expect(archived(after), what).toEqual(all.slice(to));
        if (found.length === to) seen.cut += 1;
        else seen.whole += 1;
        if (notes.some((note) => note.startsWith('completed a cut'))) seen.completed += 1;
        if (isDone && disk.calls - calls < call) break;
      }
    expect(Object.values(seen).every((count) => count > 5)).toBe(true);
  });

  it('loses no acknowledged update in any sequence of appends, truncations and power failures', async () => {
    const step = fc.oneof(
      fc.record({ append: fc.integer({ min: 1, max: 4 }), other: fc.boolean() }),
      fc.record({ cut: fc.double({ min: 0, max: 1, noNaN: true }) }),
      fc.record({ failAfter: fc.integer({ min: 0, max: 30 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), fc.nat(), async (steps, chance) => {
        const draw = (
          (at) => () =>
            (at = (at * 16807) % 2147483647) / 2147483647
        )(chance + 1);
        let disk = new PowerCutDisk('steps-0', draw);
        let store = await opened(disk);
        let kept: readonly string[] = [];
        const restart = async (name: string): Promise<readonly string[]> => {
          disk = disk.afterPowerCut(name);
          store = await opened(disk);
          return Array.from({ length: store.head().offset }, (_, i) => shortened(store.lineAt(i + 1)));
        };
        for (const [i, one] of steps.entries()) {
          if ('failAfter' in one) {
            disk.failAfter(one.failAfter);
            continue;
          }
          const from = kept.length;
          const expected =
            'cut' in one
              ? kept.slice(0, Math.floor(one.cut * from))
              : [...kept, ...(one.other ? others : history).slice(from, from + one.append).map(textOf)];
          const told =
            'cut' in one
              ? await store.cut(expected.length)
              : await store.append(from, (one.other ? others : history).slice(from, from + one.append));
          if (told.ok) kept = expected;
          else {
            const found = await restart(`steps-${i + 1}`);
            if ('cut' in one) expect([kept, expected]).toContainEqual(found);
            else expect(found).toEqual(expected.slice(0, Math.max(kept.length, found.length)));
            kept = found;
          }
        }
        expect(await restart('last')).toEqual(kept);
      }),
      { seed, numRuns: runs(60) },
    );
  });

  it('is refused without effect, or stops the store until the next start completes it, when any disk call fails', async () => {
    const run = async (failing: number): Promise<{ readonly code: string; readonly calls: number }> => {
      const inner = new PowerCutDisk(`fault-${failing}`, () => 0.9);
      await (await filled(inner)).close();
      let isCutting = false;
      let calls = 0;
      const disk = new FaultyDisk(inner, { code: 'EIO', effect: 'before' }, () => isCutting && ++calls === failing);
      const store = await opened(disk);
      isCutting = true;
      const cut = await store.cut(4);
      isCutting = false;
      if (!cut.ok) expect('reason' in cut.error && cut.error.reason, `call ${failing}`).toMatch(/EIO/);
      const appended = await store.append(cut.ok ? 4 : 16, others.slice(4, 4));
      expect((await store.setMarks([])).ok, `call ${failing}`).toBe(cut.ok || cut.error.code !== 'STOPPED');
      await store.close();
      const found = await linesOn(inner);
      const code = cut.ok ? 'ok' : cut.error.code;
      if (code === 'ok') expect(found, `call ${failing}`).toEqual(all.slice(0, 4));
      if (code === 'WRITE_FAILED') expect(found, `call ${failing}`).toEqual(all);
      expect(appended.ok, `call ${failing}`).toBe(code !== 'STOPPED');
      expect([4, 16], `call ${failing}`).toContain(found.length);
      return { code, calls };
    };
    const { calls } = await run(-1);
    const seen = new Set<string>();
    for (let call = 1; call <= calls; call++) seen.add((await run(call)).code);
    expect([...seen].sort()).toEqual(['STOPPED', 'WRITE_FAILED']);
  });

  it.each([
    ['removes whole segments', (call: string) => call === 'list'],
    ['shortens the last segment', (call: string) => call === 'syncFolder'],
  ])('stops without a further change when another process takes over before it %s', async (_, isPlace) => {
    const inner = new PowerCutDisk('overtaken', () => 0.9);
    await (await filled(inner)).close();
    let isCutting = false;
    let later = 0;
    let taken: number | null = null;
    const disk: FaultyDisk = new FaultyDisk(
      inner,
      { code: 'EIO', effect: 'before' },
      () => false,
      async (call) => {
        if (isCutting && (later > 0 || call === 'rename log/head.json')) later += 1;
        // The second call is the sync of the rename.
        if (later <= 2 || taken !== null || !isPlace(call)) return;
        overtake(inner);
        taken = disk.calls.length;
      },
    );
    const store = await opened(disk);
    isCutting = true;
    expect(await store.cut(4)).toMatchObject({ ok: false, error: { code: 'STOPPED' } });
    expect(disk.calls.slice(taken ?? 0).filter((call) => /^(remove|truncate) log\/log-/.test(call))).toEqual([]);
    expect(taken).not.toBeNull();
    await store.close();
  });

  it('is not completed by a start that another process overtakes', async () => {
    const inner = new PowerCutDisk('overtaken start', () => 0.9);
    await (await filled(inner)).close();
    let renames = 0;
    const renamed = (call: string): void => void (renames += Number(call === 'rename log/head.json'));
    let disk: FaultyDisk = new FaultyDisk(
      inner,
      { code: 'EIO', effect: 'before' },
      () => renames > 1 && (disk.calls.at(-1) ?? '').startsWith('open log/log-'),
      async (call) => renamed(call),
    );
    const store = await opened(disk);
    expect(await store.cut(4)).toMatchObject({ ok: false, error: { code: 'STOPPED' } });
    await store.close();
    renames = 0;
    disk = new FaultyDisk(
      inner,
      { code: 'EIO', effect: 'before' },
      () => false,
      async (call) => {
        renamed(call);
        if (renames > 0 && call.startsWith('open log/log-')) overtake(inner);
      },
    );
    expect((await openFileStore({ folder: 'log', disk, silenceMillis: 5 })).ok).toBe(false);
    expect(disk.calls.filter((call) => /^(remove|truncate) log\/log-/.test(call))).toEqual([]);
  });

  it('to the head changes nothing', async () => {
    const inner = new PowerCutDisk('head', () => 0.9);
    await (await filled(inner)).close();
    const disk = new FaultyDisk(inner, { code: 'EIO', effect: 'before' }, () => false);
    const store = await opened(disk);
    const { length } = disk.calls;
    expect(await store.cut(16)).toEqual({ ok: true, value: store.head() });
    expect(disk.calls.slice(length)).toEqual([]);
    expect(await store.cut(17)).toMatchObject({ ok: false, error: { code: 'CONFLICT', expected: 17, head: 16 } });
    await store.close();
  });

  it('waits for the snapshot in progress, removes it, and leaves no file open', async () => {
    const inner = new PowerCutDisk('snapshot', () => 0.9);
    const disk = new FaultyDisk(
      inner,
      { code: 'EIO', effect: 'before' },
      () => false,
      async (call) => {
        if (call.startsWith('write log/state-')) await new Promise((resolve) => setTimeout(resolve, 20));
      },
    );
    const notes: string[] = [];
    const store = await opened(disk, notes);
    await store.append(0, history);
    const snapshot = store.snapshot(stateAfter(history));
    expect((await store.cut(4)).ok).toBe(true);
    expect(notes).toEqual([expect.stringMatching(/after offset 4: .*\b12\b/)]);
    expect((await snapshot).ok).toBe(true);
    await store.close();
    expect(inner.paths().filter((path) => path.includes('state-'))).toEqual([]);
    const count = (verb: string): number => disk.calls.filter((call) => call.startsWith(`${verb} log/`)).length;
    expect(count('close')).toBe(count('open'));
  });

  it('begins after the appends that were called before it', async () => {
    const store = await filled(new PowerCutDisk('waiting', () => 0.9));
    await store.cut(4);
    const append = store.append(4, history.slice(4, 7));
    expect(await store.cut(6)).toMatchObject({ ok: true, value: { offset: 6 } });
    expect(await append).toMatchObject({ ok: true, value: { offset: 7 } });
    expect(store.head().offset).toBe(6);
    await store.close();
  });

  it('reads no removed update again when the log was read in order before', async () => {
    const disk = new PowerCutDisk('ahead', () => 0.9);
    const store = await openFileStore({ folder: 'log', disk, silenceMillis: 5 });
    if (!store.ok) throw new Error(JSON.stringify(store.error));
    const { value: log } = store;
    const read = (): readonly string[] =>
      Array.from({ length: log.head().offset }, (_, i) => shortened(log.lineAt(i + 1)));
    await log.append(0, history);
    expect(read()).toEqual(all);
    await log.cut(4);
    await log.append(4, others.slice(4));
    expect(read()).toEqual([...all.slice(0, 4), ...others.slice(4).map(textOf)]);
    await log.close();
  });

  it('into an earlier segment lets the open store read what is appended there', async () => {
    for (let offset = 1; offset < 12; offset++) {
      const store = await filled(new PowerCutDisk(`earlier ${offset}`, () => 0.9));
      await store.cut(offset);
      for (let from = offset; from < others.length; from += 3) await store.append(from, others.slice(from, from + 3));
      const lines = Array.from({ length: others.length }, (_, i) => shortened(store.lineAt(i + 1)));
      expect(lines).toEqual([...all.slice(0, offset), ...others.slice(offset).map(textOf)]);
      await store.close();
    }
  });

  it('is not repeated for a record that was written later, but not yet acknowledged when the store ended', async () => {
    const disk = new PowerCutDisk('later', () => 0.9);
    const store = await filled(disk);
    await store.cut(4);
    const head = Uint8Array.from(disk.bytesOf('log/head.json'));
    await store.append(4, others.slice(4, 5));
    await store.close();
    disk.overwrite('log/head.json', head);
    expect(await linesOn(disk)).toEqual([...all.slice(0, 4), ...others.slice(4, 5).map(textOf)]);
  });

  it('is not looked for in a log whose segments are missing, which is reported as damaged', async () => {
    const disk = new PowerCutDisk('segments', () => 0.9);
    const store = await filled(disk);
    await store.cut(4);
    await store.close();
    for (const path of disk.paths().filter((each) => each.startsWith('log/log-'))) await disk.remove(path);
    const reason = 'the log ends at offset 0, but head.json acknowledges offset 4';
    expect(await openFileStore({ folder: 'log', disk, silenceMillis: 5 })).toMatchObject({
      ok: false,
      error: { code: 'DAMAGED', damage: { offset: 1, reason } },
    });
  });

  it('keeps the removed updates in a file whose name has their offsets', async () => {
    const disk = new PowerCutDisk('named', () => 0.9);
    const store = await filled(disk);
    await store.cut(12);
    await store.append(12, others.slice(12, 14));
    await store.cut(10);
    await store.close();
    expect(disk.paths().filter((path) => path.includes('reverted'))).toEqual([
      expect.stringMatching(/^log\/reverted-000000000011-000000000014-[0-9a-f]{12}\.ndjson$/),
      expect.stringMatching(/^log\/reverted-000000000013-000000000016-[0-9a-f]{12}\.ndjson$/),
    ]);
    expect(archived(disk)).toEqual([...all.slice(10, 12), ...others.slice(12, 14).map(textOf), ...all.slice(12)]);
    expect(await linesOn(disk)).toEqual(all.slice(0, 10));
  });
});

it('a file store refuses a second truncation and every append after a truncation that failed with the new head in place', async () => {
  const inner = new PowerCutDisk('stopped', () => 0.9);
  await (await filled(inner)).close();
  let isArmed = false;
  const disk: FaultyDisk = new FaultyDisk(inner, { code: 'EIO', effect: 'before' }, () => {
    const fails = isArmed && disk.calls.at(-2) === 'rename log/head.json';
    isArmed &&= !fails;
    return fails;
  });
  const store = await opened(disk);
  isArmed = true;
  const stopped = {
    ok: false,
    error: { code: 'STOPPED', reason: expect.stringContaining('the next start completes') },
  };
  expect(await store.cut(6)).toMatchObject(stopped);
  expect(isArmed).toBe(false);
  expect(await store.cut(3)).toMatchObject(stopped);
  expect(await store.append(16, others.slice(0, 1))).toMatchObject(stopped);
  await store.close();
  expect(await linesOn(inner)).toEqual(all.slice(0, 6));
});

it.each([
  ['form', '"update":', '"updote":'],
  ['content', '"offset":6,', '"offset":9,'],
])('a file store refuses to truncate the log to a record whose %s is damaged, and to mark it', async (_, was, now) => {
  const disk = new PowerCutDisk('damaged', () => 0.9);
  const store = await filled(disk);
  for (const path of disk.paths().filter((each) => each.startsWith('log/log-'))) {
    const lines = Buffer.from(disk.bytesOf(path)).toString('latin1').split('\n');
    const changed = lines.map((line) => (line.includes('"offset":6,') ? line.replace(was, now) : line));
    disk.overwrite(path, Buffer.from(changed.join('\n'), 'latin1'));
  }
  const reason = expect.stringMatching(/^the record at offset 6 is damaged: /);
  const refused = { ok: false, error: { code: 'WRITE_FAILED', reason } };
  expect(await store.cut(6)).toEqual(refused);
  expect(await store.setMarks([{ name: 'six', offset: 6 }])).toEqual(refused);
  expect(store.head().offset).toBe(16);
  expect((await store.append(16, others.slice(0, 1))).ok).toBe(true);
  expect(await store.cut(5)).toMatchObject({ ok: true, value: { offset: 5 } });
  await store.close();
});
