import { Amount, ContractId } from '@coinlab/core';
import { createServer, HostUnavailable, type LogPort } from '@coinlab/http';
import { describe, expect, it } from 'vitest';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface TestLog {
  readonly port: LogPort;
  hold(): void;
  take(): Promise<void>;
  refuse(): Promise<void>;
  readonly groups: number[];
}

/** A log that accepts or refuses a group on demand. */
function log(): TestLog {
  const held: ((isTaken: boolean) => void)[] = [];
  const groups: number[] = [];
  let isHeld = false;
  let head = 0;
  const taken = async (): Promise<boolean> => !isHeld || new Promise<boolean>((resolve) => held.push(resolve));
  const port: LogPort = {
    async append(expected, updates) {
      if (!(await taken())) return { ok: false, error: { code: 'WRITE_FAILED', reason: 'no space' } };
      if (expected !== head) return { ok: false, error: { code: 'CONFLICT' } };
      head += updates.length;
      groups.push(updates.length);
      return { ok: true, value: null };
    },
    async cut(offset) {
      await taken();
      head = offset;
      return { ok: true, value: null };
    },
    close: async () => undefined,
  };
  return {
    port,
    groups,
    hold: () => void (isHeld = true),
    async take() {
      held.shift()?.(true);
      await turn();
    },
    async refuse() {
      held.shift()?.(false);
      await turn();
    },
  };
}

async function busyHost() {
  const kept = log();
  const server = await createServer({ clock: 'manual' }, { log: kept.port });
  const { host, validator } = server;
  kept.hold();
  const tap = () => host.submit({ type: 'Tap', receiver: validator, amount: Amount.of('1') }, [validator]);
  return { ...kept, host, validator, tap };
}

describe('the host', () => {
  it('answers a refusal once all earlier updates are in the log, without waiting for later updates', async () => {
    const { host, validator, tap, take } = await busyHost();
    const first = tap();
    await turn();
    const second = tap();
    let refusals = 0;
    const refused = host.submit({ type: 'AcceptOffer', instruction: ContractId.of(999_999) }, [validator]);
    void refused.then(() => (refusals += 1));
    await take();
    expect((await first).ok).toBe(true);
    const third = tap();
    expect(refusals).toBe(0);
    await take();
    expect((await second).ok).toBe(true);
    expect(refusals).toBe(1);
    expect(await refused).toMatchObject({ ok: false, error: { code: 'CONTRACT_NOT_FOUND' } });
    await take();
    expect((await third).ok).toBe(true);
  });

  it('appends concurrent updates as one group, and calls listeners once per update, in order', async () => {
    const { host, tap, take, groups } = await busyHost();
    const { length } = groups;
    const first = tap();
    await turn();
    const others = [tap(), tap(), tap()];
    let isSeen = false;
    const taken: number[] = [];
    host.onUpdate(({ offset }) => {
      expect(host.state.offset).toBeGreaterThanOrEqual(offset);
      taken.push(offset);
      isSeen = true;
    });
    const before = host.state.offset;
    await take();
    expect([(await first).ok, isSeen, host.state.offset]).toEqual([true, true, before + 1]);
    await take();
    for (const other of others) expect((await other).ok).toBe(true);
    expect(groups.slice(length)).toEqual([1, 3]);
    expect(taken).toEqual([before + 1, before + 2, before + 3, before + 4]);
  });

  it('rolls back all groups from the one that the log refused, and continues at the head of the log', async () => {
    const { host, tap, take, refuse, groups } = await busyHost();
    const [before, { length }] = [host.state.offset, groups];
    const first = tap();
    await turn();
    const second = tap();
    await turn();
    const third = tap();
    const lost = Promise.allSettled([first, second, third]);
    await refuse();
    const failed = { status: 'rejected', reason: new HostUnavailable('the log cannot be written: no space') };
    expect(await lost).toEqual([failed, failed, failed]);
    expect([host.state.offset, host.ahead.offset, host.failure]).toEqual([before, before, 'no space']);
    const next = tap();
    await turn();
    // The log refuses the second group, since its head is not at the expected offset.
    await take();
    await take();
    expect(await next).toMatchObject({ ok: true, value: { update: { offset: before + 1 } } });
    expect([host.state.offset, host.failure, groups.slice(length)]).toEqual([before + 1, null, [1]]);
  });

  it('decides on the reverted state after a command that throws during a revert', async () => {
    const { host, validator, tap, take } = await busyHost();
    const { state } = host;
    const first = tap();
    await turn();
    await take();
    await first;
    const reverting = host.revertTo(state);
    await turn();
    const broken = { type: 'Tap', amount: Amount.of('1'), receiver: validator } as const;
    const throwing = Object.defineProperty({ ...broken }, 'receiver', {
      enumerable: true,
      get() {
        throw new Error('broken');
      },
    });
    await expect(host.submit(throwing, [validator])).rejects.toThrow('broken');
    const next = tap();
    await take();
    await reverting;
    await take();
    expect(await next).toMatchObject({ ok: true, value: { update: { offset: state.offset + 1 } } });
    expect(host.state.offset).toBe(state.offset + 1);
  });
});
