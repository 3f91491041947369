import { emptyLedger, openLedger, type LedgerState, type Update } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { keepSnapshots, type LogPort } from '@coinlab/http';

type Host = Parameters<typeof keepSnapshots>[0];

const PIECES = 10_000;
/** The longest wait between two chunks while the event loop is busy. */
const LONGEST_MILLIS = 200;

/** A host with a settable offset, and a log with snapshots of many chunks. */
function started(): {
  tell: (offset: number) => void;
  revert: (offset: number) => void;
  log: LogPort;
  host: Host;
  pieces: number[];
  kept: number[];
} {
  let listener: (update: Update, after: LedgerState) => void = () => undefined;
  let reverted: (state: LedgerState) => void = () => undefined;
  const [pieces, kept]: [number[], number[]] = [[], []];
  let state = emptyLedger().state;
  const host = {
    onUpdate(told: typeof listener) {
      listener = told;
      return () => (listener = () => undefined);
    },
    onReplaced(told: typeof reverted) {
      reverted = told;
    },
    standby: null,
    settled: async () => undefined,
    get state() {
      return state;
    },
  } as unknown as Host;
  const log = {
    async snapshot({ offset }: LedgerState, between: () => Promise<void>) {
      pieces.push(0);
      for (let i = 0; i < PIECES; i++) {
        await between();
        pieces[pieces.length - 1] = i + 1;
      }
      kept.push(offset);
      return { ok: true, value: null };
    },
  } as unknown as LogPort;
  const [update] = openLedger().updates() as [Update];
  const tell = (offset: number): void => {
    state = { ...state, offset: offset as LedgerState['offset'] };
    listener({ ...update, offset: state.offset }, state);
  };
  const revert = (offset: number): void => {
    state = { ...state, offset: offset as LedgerState['offset'] };
    reverted(state);
  };
  return { tell, revert, log, host, pieces, kept };
}

describe('a snapshot', () => {
  it('lets other work run between two chunks', async () => {
    const { tell, log, host, pieces, kept } = started();
    const keeper = keepSnapshots(host, log, 0, () => undefined);
    tell(9_999);
    expect(pieces).toEqual([]);
    tell(10_000);
    for (let i = 0; i < 100; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(pieces).toHaveLength(1);
    expect(pieces[0]).toBeLessThan(PIECES);
    expect(kept).toEqual([]);
    await keeper.end();
  });

  it('is written more slowly while the event loop is busy', async () => {
    const { tell, log, host, pieces } = started();
    const keeper = keepSnapshots(host, log, 0, () => undefined);
    tell(10_000);
    const written = (): number => pieces[0] ?? 0;
    const began = performance.now();
    while (written() < 10) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(performance.now() - began).toBeLessThan(10 * LONGEST_MILLIS);
    const [before, busySince] = [written(), performance.now()];
    while (performance.now() - busySince < 3 * LONGEST_MILLIS) await new Promise((resolve) => setImmediate(resolve));
    const busyMillis = performance.now() - busySince;
    expect(written()).toBeGreaterThan(before);
    expect(written() - before).toBeLessThanOrEqual(1 + busyMillis / LONGEST_MILLIS);
    await keeper.end();
  });

  it('is written without pauses when the server shuts down', async () => {
    const { tell, log, host, kept } = started();
    const keeper = keepSnapshots(host, log, 0, () => undefined);
    tell(10_000);
    // With pauses it would exceed the test's time limit.
    await keeper.end();
    expect(kept).toEqual([10_000]);
  });

  it('is taken at the shutdown if 1,000 updates followed the last snapshot', async () => {
    const { tell, log, host, kept } = started();
    const keeper = keepSnapshots(host, log, 0, () => undefined);
    tell(10_000);
    tell(10_999);
    await keeper.end();
    expect(kept).toEqual([10_000]);
    const again = keepSnapshots(host, log, 10_000, () => undefined);
    tell(11_000);
    await again.end();
    expect(kept).toEqual([10_000, 11_000]);
  });

  it('is taken 10,000 updates after the offset of a revert, not after the offset that was reverted', async () => {
    const { tell, revert, log, host, kept } = started();
    const keeper = keepSnapshots(host, log, 30_000, () => undefined);
    revert(5_000);
    tell(15_000);
    await keeper.end();
    expect(kept).toEqual([15_000]);
  });
});
