import { createServer, type CoinlabServer } from '@coinlab/http';
import { Amount, codec, Duration, Engine, PartyId, stateHash } from '@coinlab/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let server: CoinlabServer;
beforeEach(async () => {
  server = await createServer({ clock: 'manual', dev: true });
});
afterEach(() => server.close());

const asked = async (user: string): Promise<Response> =>
  server.app.request('/log', { headers: { authorization: `Bearer ${await server.token(user)}` } });

describe('GET /log', () => {
  it("returns to the operator the updates that build the ledger's state", async () => {
    const { offset } = server.host.state;
    const expected = stateHash(server.host.state);
    const answer = await asked('ledger-api-user');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/x-ndjson']);
    // Later updates are not in the copy.
    const receiver = PartyId.of('alice');
    await server.host.submit({ type: 'Tap', receiver, amount: Amount.of('1') }, [receiver]);
    const engine = new Engine();
    for (const [i, line] of (await answer.text()).trimEnd().split('\n').entries()) {
      const update = codec.decode(line, i + 1);
      if (!update.ok) throw new Error(update.error.reason);
      engine.apply(update.value);
    }
    expect(engine.state.offset).toBe(offset);
    expect(engine.hash()).toBe(expected);
  });

  it('refuses callers other than the operator', async () => {
    expect((await asked('alice')).status).toBe(403);
    expect((await server.app.request('/log')).status).toBe(401);
  });

  it('breaks off when the ledger is reset while the log is sent', async () => {
    await server.advance(Duration.days(1));
    const answer = await asked('ledger-api-user');
    // The copy may fail before the reset is answered.
    const isBroken = expect(answer.text()).rejects.toThrow('the ledger was reset');
    await server.app.request('/dev/reset', { method: 'POST' });
    await isBroken;
  });
});
