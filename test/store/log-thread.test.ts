import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Update } from '@coinlab/core';
import { openFileStore, type RevertibleStore } from '@coinlab/store';
import { build, type BuildOptions } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updates } from './sample.js';

const place = mkdtempSync(join(tmpdir(), 'coinlab-thread-'));
const program = join(place, 'program.mjs');

const bundled: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['source'],
};

beforeAll(async () => {
  const entry = join(import.meta.dirname, '../../packages/store/src/log-thread-program.ts');
  await build({ ...bundled, entryPoints: [entry], outfile: program });
});

afterAll(() => rmSync(place, { recursive: true }));

/** Number of appends after which a thread writes the log. */
const BUSY = 32;
const history = updates(92);

async function opened(folder: string, thread: string, onUpdate?: (update: Update) => void): Promise<RevertibleStore> {
  const options = { folder: join(place, folder), thread: pathToFileURL(thread), segmentBytes: 12_000 };
  const store = await openFileStore({ ...options, ...(onUpdate ? { onUpdate } : {}) });
  if (!store.ok) throw new Error(JSON.stringify(store.error));
  return store.value;
}

async function makeBusy(store: RevertibleStore): Promise<void> {
  for (let i = 0; i < BUSY; i++) expect((await store.append(i, history.slice(i, i + 1))).ok).toBe(true);
}

/** Returns the paths of the open files of this process. A descriptor may be closed while they are listed. */
function descriptors(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

describe('a writer thread of a busy log', () => {
  it("continues at the log's head, accepts concurrent appends, and leaves a complete log", async () => {
    const store = await opened('log', program);
    await makeBusy(store);
    const given = [
      store.append(32, history.slice(32, 42)),
      store.append(42, history.slice(42, 62)),
      // One caller expects a lower offset than the head, the other a higher one.
      store.append(42, history.slice(42, 43)),
      store.append(63, history.slice(63, 64)),
      store.append(62, history.slice(62, 92)),
    ];
    const answers = await Promise.all(given);
    expect(answers.map((answer) => (answer.ok ? answer.value.offset : answer.error))).toEqual([
      42,
      62,
      { code: 'CONFLICT', expected: 42, head: 62 },
      { code: 'CONFLICT', expected: 63, head: 62 },
      92,
    ]);
    expect(JSON.parse(store.lineAt(77))).toMatchObject({ offset: 77, updateId: history[76]?.updateId });
    const head = store.head();
    await store.close();

    const found: Update[] = [];
    const again = await opened('log', program, (update) => found.push(update));
    expect(found).toEqual(history);
    expect(again.head()).toEqual(head);
    await again.close();
  });

  it.runIf(process.platform === 'linux')('leaves open no file of the writer that it replaces', async () => {
    const store = await opened('descriptors', program);
    await makeBusy(store);
    expect((await store.append(32, history.slice(32, 42))).ok).toBe(true);
    expect(descriptors().filter((path) => path.startsWith(join(place, 'descriptors')))).toHaveLength(1);
    await store.close();
    expect(descriptors().filter((path) => path.startsWith(join(place, 'descriptors')))).toEqual([]);
  });

  it('appends no record for a group without updates', async () => {
    const store = await opened('empty', program);
    await makeBusy(store);
    expect(await store.append(32, [])).toEqual({ ok: true, value: store.head() });
    expect(await store.append(32, history.slice(32, 34))).toMatchObject({ ok: true, value: { offset: 34 } });
    await store.close();
    const found: Update[] = [];
    await (await opened('empty', program, (update) => found.push(update))).close();
    expect(found).toEqual(history.slice(0, 34));
  });

  it('lets the log be truncated before it has written anything', async () => {
    const store = await opened('cut', program);
    await makeBusy(store);
    const conflict = { ok: false, error: { code: 'CONFLICT', expected: 40, head: 32 } };
    expect(await store.append(40, history.slice(40, 41))).toEqual(conflict);
    expect(await store.cut(20)).toMatchObject({ ok: true, value: { offset: 20 } });
    await store.close();
  });

  it('keeps the program running until it answers an append', async () => {
    const contents = `import { openFileStore } from '@coinlab/store';
      import { updates } from './sample.ts';
      const [folder, thread] = process.argv.slice(2);
      const { value: store } = await openFileStore({ folder, thread: new URL(thread) });
      const history = updates(${BUSY + 1});
      for (const [i, update] of history.entries()) await store.append(i, [update]);
      console.log(store.head().offset);`;
    const appending = join(place, 'appending.mjs');
    await build({ ...bundled, stdin: { contents, resolveDir: import.meta.dirname }, outfile: appending });
    const given = [appending, join(place, 'appended'), pathToFileURL(program).href];
    expect(execFileSync(process.execPath, given, { encoding: 'utf8', timeout: 30_000 })).toBe(`${BUSY + 1}\n`);
  });

  it.each([
    ['ends', 'process.exit(3);', 'exit code 3'],
    ['fails', "throw new Error('out of memory');", 'out of memory'],
  ])('that %s refuses all pending appends, and the log keeps the acknowledged updates', async (name, text, reason) => {
    const mortal = join(place, `${name}.mjs`);
    writeFileSync(mortal, text);
    const store = await opened(name, mortal);
    await makeBusy(store);
    const stopped = { ok: false, error: { code: 'STOPPED', reason: `the thread of the log ended: ${reason}` } };
    expect(await store.append(32, history.slice(32, 34))).toEqual(stopped);
    expect(await store.append(32, history.slice(32, 34))).toEqual(stopped);
    await store.close();

    const found: Update[] = [];
    await (await opened(name, program, (update) => found.push(update))).close();
    expect(found).toEqual(history.slice(0, 32));
  });
});
