import { openFileStore } from '@coinlab/store';
import { describe, expect, it } from 'vitest';
import { FaultyDisk } from './faulty-disk.js';
import { PowerCutDisk } from './power-cut-disk.js';
import { updates } from './sample.js';

const past = updates(6);
const HEAD = 'log/head.json';

describe('the head file of a log', () => {
  it.each([
    ['is gone', (disk: PowerCutDisk) => disk.remove(HEAD), 'head.json is gone'],
    ['is damaged', async (disk: PowerCutDisk) => disk.overwrite(HEAD, Buffer.from('{')), 'head.json is damaged'],
  ])('makes its owner refuse further writes when the file %s', async (_, change, reason) => {
    const disk = new PowerCutDisk('head', () => 0.9);
    const opened = await openFileStore({ folder: 'log', disk });
    if (!opened.ok) throw new Error(opened.error.code);
    await opened.value.append(0, past.slice(0, 4));
    await change(disk);
    const answer = await opened.value.append(4, past.slice(4));
    const lost = `another process has taken over this log: ${reason}`;
    expect(answer).toEqual({ ok: false, error: { code: 'STOPPED', reason: lost } });
    await opened.value.close();
  });

  it.each([
    ['is gone', (disk: PowerCutDisk) => disk.remove(HEAD), /no head/],
    ['is damaged', async (disk: PowerCutDisk) => disk.overwrite(HEAD, Buffer.from('{')), /not of the form/],
  ])('is reported when a log is opened whose head file %s', async (_, change, reason) => {
    const disk = new PowerCutDisk('head', () => 0.9);
    const opened = await openFileStore({ folder: 'log', disk });
    if (!opened.ok) throw new Error(opened.error.code);
    await opened.value.append(0, past.slice(0, 4));
    await opened.value.close();
    await change(disk);
    const again = await openFileStore({ folder: 'log', disk });
    expect(again).toMatchObject({
      error: { code: 'DAMAGED', damage: { reason: expect.stringMatching(reason) as string } },
    });
  });

  it('is not replaced by an owner that loses its lock while it prepares the new head', async () => {
    const disk = new PowerCutDisk('claim', () => 0.9);
    const first = await openFileStore({ folder: 'log', disk });
    if (!first.ok) throw new Error(first.error.code);
    await first.value.append(0, past.slice(0, 4));
    await first.value.close();
    const before = Buffer.from(disk.bytesOf(HEAD)).toString();
    const overtaken = new FaultyDisk(
      disk,
      { code: 'EIO', effect: 'before' },
      () => false,
      async (name) => {
        if (!name.startsWith('sync log/head-')) return;
        for (const path of disk.paths().filter((one) => one.includes('lock-'))) await disk.remove(path);
      },
    );
    const second = await openFileStore({ folder: 'log', disk: overtaken });
    expect(second.ok).toBe(false);
    expect(Buffer.from(disk.bytesOf(HEAD)).toString()).toBe(before);
  });
});
