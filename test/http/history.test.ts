import { codec, Engine, genesis, Instant, PartyId, updateOf, type Update } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { createServer } from '@coinlab/http';

const alice = PartyId.of('alice');

async function serverWithParties(count: number) {
  const server = await createServer({ clock: 'manual' });
  for (let i = 0; i < count; i++) {
    server.host.clock.advance(1_000_000n as never);
    const party = PartyId.of(`party${i}`);
    await server.host.submit({ type: 'AllocateParty', party, displayName: '' }, [party]);
  }
  return server;
}

describe('the history of a server', () => {
  it('returns the state after every update, at any distance from a snapshot', async () => {
    const { history, host } = await serverWithParties(1_100);
    const engine = new Engine();
    for (let offset = 1; offset <= history.head; offset++) {
      engine.apply(history.updateAt(offset));
      if (offset % 250 === 3 || offset === history.head) {
        expect(history.stateAt(offset).offset).toBe(offset);
        expect(new Engine({}, history.stateAt(offset)).hash()).toBe(engine.hash());
      }
    }
    expect(history.head).toBe(host.state.offset);
    expect(history.stateAt(0).offset).toBe(0);
  });

  it('finds updates by id and by time', async () => {
    const { history } = await serverWithParties(3);
    const last = history.updateAt(history.head);
    expect(history.offsetOf(last.updateId)).toBe(history.head);
    expect(history.offsetOf('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBeNull();
    expect(history.offsetAt(last.recordTime)).toBe(history.head);
    expect(history.offsetAt(Instant.plus(last.recordTime, -1n as never))).toBe(history.head - 1);
    expect(history.offsetAt(Instant.of('2025-12-31T23:59:59.999999Z'))).toBe(0);
    expect(history.timeAt(history.head)).toBe(last.recordTime);
  });

  it('contains the updates and states of a log that a restart has recovered', async () => {
    const updates: Update[] = [];
    const engine = new Engine({ onEntry: (entry) => updates.push(updateOf(entry)) });
    for (const { command, context } of genesis({})) engine.submit(command, context);
    engine.submit({ type: 'AllocateParty', party: alice, displayName: '' }, { now: engine.state.time, actAs: [alice] });
    const server = await createServer(
      { clock: 'manual' },
      { recovered: { state: engine.snapshot(), lines: updates.map(codec.encode) } },
    );
    for (const update of updates) expect(server.history.updateAt(update.offset)).toEqual(update);
    expect(new Engine({}, server.history.stateAt(engine.state.offset)).hash()).toBe(engine.hash());
  });

  it('contains no update that was reverted', async () => {
    const server = await serverWithParties(600);
    const { history, host } = server;
    const reverted = history.updateAt(550);
    host.replaceState(history.stateAt(500));
    await host.submit({ type: 'AllocateParty', party: alice, displayName: '' }, [alice]);
    expect(history.head).toBe(501);
    expect(history.offsetOf(reverted.updateId)).toBeNull();
    expect(history.stateAt(501).offset).toBe(501);
    expect(new Engine({}, history.stateAt(501)).hash()).toBe(new Engine({}, host.state).hash());
  });

  it('throws RangeError for an offset after the head', async () => {
    const { history } = await serverWithParties(0);
    expect(() => history.updateAt(history.head + 1)).toThrow(RangeError);
    expect(() => history.timeAt(history.head + 1)).toThrow(RangeError);
  });
});
