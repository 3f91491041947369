import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Amount, codec, readCompactLog, replay, type Update } from '@coinlab/core';
import {
  DEFAULT_SETTINGS,
  EventLog,
  loggedUpdates,
  logLines,
  parseStream,
  POLICY_NAMES,
  replayNetwork,
  replayStream,
} from '@coinlab/sim';
import { PendingFile } from '@coinlab/sim/files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { networkFile, streamWithLog } from './runs.ts';

const rows = [5, 8, -3, 9, 9, -20, 1, -1, 2, -9, 30, -12, 4, 4, -2];

function updatesOf(segments: readonly Uint8Array[]): readonly Update[] {
  return [...logLines(segments)].map((line, i) => {
    const update = codec.decode(line, i + 1);
    if (!update.ok) throw new Error(`${update.error.line}: ${update.error.reason}`);
    return update.value;
  });
}

describe('the event log of a replay', () => {
  it.each(POLICY_NAMES)('replays to the reported state, with the policy %s', (policy) => {
    const { report, segments } = streamWithLog(rows, { policy, cap: 3, mergeThreshold: 4 });
    expect(replay(updatesOf(segments)).hash()).toBe(report.stateHash);
  });

  it('replays to the reported state of a network with dust and rounds', () => {
    const file = networkFile(['1 mint a 5', '1 mint b 2', '2 a b 1', '4 b a 2.5', '9 mint b 1', '9 a b 3']);
    const segments: Uint8Array[] = [];
    const settings = { ...DEFAULT_SETTINGS, mergeThreshold: 1, holdingRate: Amount.one };
    const { report } = replayNetwork(file, settings, (segment) => segments.push(segment));
    expect(report.expired).toBeGreaterThan(0);
    expect(replay(updatesOf(segments)).hash()).toBe(report.stateHash);
  });

  it('has the hash of its bytes', () => {
    const { report, segments } = streamWithLog(rows);
    expect(createHash('sha256').update(Buffer.concat(segments)).digest('hex')).toBe(report.logHash);
  });

  it('is not encoded when no writer is given, and every figure is the same', () => {
    const parsed = parseStream(`${rows.join('\n')}\n`, 'hand.csv', Amount.one);
    if (!parsed.ok) throw new Error(parsed.error.reason);
    const settings = { ...DEFAULT_SETTINGS, mergeThreshold: 4 };
    const { report } = streamWithLog(rows, { mergeThreshold: 4 });
    expect(replayStream(parsed.value, settings, null)).toEqual({ ...report, logHash: '', stateHash: '' });
    const file = networkFile(['1 mint a 5', '1 mint b 2', '2 a b 1', '4 b a 2.5']);
    const kept = replayNetwork(file, settings, () => undefined);
    expect(replayNetwork(file, settings, null)).toEqual({
      ...kept,
      report: { ...kept.report, logHash: '', stateHash: '' },
    });
  });

  it.each(POLICY_NAMES)('has the same bytes for the same seed, with the policy %s', (policy) => {
    const once = streamWithLog(rows, { policy, seed: 7 });
    const again = streamWithLog(rows, { policy, seed: 7 });
    expect(Buffer.concat(once.segments).equals(Buffer.concat(again.segments))).toBe(true);
    expect(once.report).toEqual(again.report);
  });

  it('differs for another seed, while a deterministic policy makes the same payments', () => {
    const once = streamWithLog(rows, { seed: 1 }).report;
    const other = streamWithLog(rows, { seed: 2 }).report;
    expect(other.logHash).not.toBe(once.logHash);
    expect({ ...other, seed: 1, logHash: '', stateHash: '' }).toEqual({ ...once, logHash: '', stateHash: '' });
  });

  it('accepts updates longer than a segment, and text of any script', () => {
    const update = updatesOf(streamWithLog([5]).segments)[0] as Update;
    const long = { ...update, actAs: Array.from({ length: 40_000 }, () => update.actAs[0]) } as Update;
    const named = updatesOf(streamWithLog([5]).segments).find(({ kind }) => kind === 'PartyAllocated') as Update;
    const script = {
      ...named,
      created: named.created.map((contract) => ({ ...contract, displayName: 'Zoë 通貨 🪙' })),
    };
    const segments: Uint8Array[] = [];
    const log = new EventLog(0, (segment) => segments.push(segment));
    for (const next of [update, long, script as Update, update]) log.append(next);
    const { updates, bytes, hash } = log.close();
    const whole = Buffer.concat(segments);
    expect({ updates, bytes, hash }).toEqual({
      updates: 4,
      bytes: whole.length,
      hash: createHash('sha256').update(whole).digest('hex'),
    });
    const read = [...readCompactLog(segments)];
    expect(read).toEqual([update, long, script, update].map((value) => ({ ok: true, value })));
  });

  it('has the same hash whether it is read in compact form or as JSON lines', () => {
    const { report, segments } = streamWithLog(rows, { cap: 3, mergeThreshold: 4, seed: 9 });
    const text = Buffer.from([...logLines(segments)].map((line) => `${line}\n`).join(''));
    for (const form of [segments, [text], [text.subarray(0, 1), text.subarray(1, 5000), text.subarray(5000)]]) {
      const again = new EventLog(9, () => undefined);
      for (const { update } of loggedUpdates(form, 'log')) again.append(update);
      expect(again.close().hash).toBe(report.logHash);
    }
  });

  it('is refused with the update and the byte when it is altered, torn or has a gap', () => {
    const { segments } = streamWithLog([...rows, ...rows.filter((row) => row > 0)], { seed: 9 });
    const whole = Buffer.concat(segments);
    const { length } = updatesOf(segments);
    const fault = (bytes: Uint8Array): unknown => {
      try {
        return [...loggedUpdates([bytes], 'run.log')].length;
      } catch (error) {
        return error;
      }
    };
    expect(fault(whole)).toBe(length);
    const header = segments[0]?.length ?? 0;
    const altered = Uint8Array.from(whole);
    altered[header + 9] = (altered[header + 9] ?? 0) ^ 4;
    const torn = { name: 'BrokenLog', file: 'run.log', number: 1, byte: header };
    expect(fault(altered)).toMatchObject({ ...torn, reason: expect.stringContaining('hash') as string });
    expect(fault(whole.subarray(0, -1))).toMatchObject({ ...torn, reason: 'a torn segment' });
    expect(String(fault(whole.subarray(0, -1)))).toContain(`run.log: update 1, byte ${header}: `);
    const gap = new EventLog(9, (segment) => left.push(segment));
    const left: Uint8Array[] = [];
    for (const update of updatesOf(segments)) if (update.offset !== 5) gap.append(update);
    gap.close();
    expect(fault(Buffer.concat(left))).toMatchObject({ number: 5, reason: expect.stringContaining('got 6') as string });
  });
});

describe('a pending file', () => {
  let folder = '';
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'coinlab-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('gets its name only when it is committed', () => {
    const name = join(folder, 'a.txt');
    const file = new PendingFile(name);
    file.write(Buffer.from('ab'));
    expect(existsSync(name)).toBe(false);
    file.commit();
    expect(readFileSync(name, 'utf8')).toBe('ab');
    expect(existsSync(`${name}.part`)).toBe(false);
  });

  it('leaves no file when it is discarded', () => {
    const name = join(folder, 'b.txt');
    const file = new PendingFile(name);
    file.write(Buffer.from('ab'));
    file.discard();
    expect([existsSync(name), existsSync(`${name}.part`)]).toEqual([false, false]);
  });
});
