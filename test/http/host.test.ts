import { Amount, ContractId } from '@coinlab/core';
import { createServer, type LogPort } from '@coinlab/http';
import { describe, expect, it } from 'vitest';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A log that takes a group whenever it is told to. */
function log(): { readonly port: LogPort; hold(): void; take(): Promise<void>; readonly groups: number[] } {
  const held: (() => void)[] = [];
  const groups: number[] = [];
  let isHeld = false;
  const port: LogPort = {
    async append(_, updates) {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      groups.push(updates.length);
      return { ok: true, value: null };
    },
    close: async () => undefined,
  };
  return {
    port,
    groups,
    hold: () => void (isHeld = true),
    async take() {
      held.shift()?.();
      await turn();
    },
  };
}

async function busyHost() {
  const kept = log();
  const { server } = await createServer({ clock: 'manual' }, { log: kept.port });
  const { host, validator } = server;
  kept.hold();
  const tap = () => host.submit({ type: 'Tap', receiver: validator, amount: Amount.of('1') }, [validator]);
  return { ...kept, host, validator, tap };
}

describe('the one writer of a server', () => {
  it('answers a refusal once what it was decided upon is in the log, whatever comes after', async () => {
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
    expect(await refused).toMatchObject({ error: { rejection: { code: 'CONTRACT_NOT_FOUND' } } });
    await take();
    expect((await third).ok).toBe(true);
  });

  it('writes what came meanwhile as one group, and tells of every update once, in order', async () => {
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
});
