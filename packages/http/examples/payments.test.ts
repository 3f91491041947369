import { stateHash } from '@coinlab/core';
import { createServer } from '@coinlab/http';
import { afterAll, beforeEach, expect, it } from 'vitest';

const server = await createServer({ dev: true, clock: 'manual' });
const start = await server.snapshot();
beforeEach(() => server.revert(start));
afterAll(() => server.close());
type Answer = { status: number; body: Record<string, unknown> };
async function request(user: string, path: string, body?: object, on = server): Promise<Answer> {
  const headers = { authorization: `Bearer ${await on.token(user)}` };
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const answer = await on.fetch(path, init);
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}
const balanceOf = async (user: string): Promise<unknown> =>
  (await request(user, '/v0/wallet/balance')).body['effective_unlocked_qty'];
const TRANSFERS = '/v0/wallet/token-standard/transfers';
const pay = (on = server): Promise<Answer> => {
  const terms = { amount: '2.5', tracking_id: 'rent-1', description: 'rent', receiver_party_id: on.party('bob') };
  return request('alice', TRANSFERS, { ...terms, expires_at: Number(on.now) + 3_600_000_000 }, on);
};
const answer = async (verb: 'accept' | 'reject', { body }: Answer): Promise<number> => {
  const { transfer_instruction_cid: id } = body['output'] as { transfer_instruction_cid: string };
  return (await request('bob', `${TRANSFERS}/${id}/${verb}`, {})).status;
};
it('reads a balance', async () => expect(await balanceOf('alice')).toBe('10000.0000000000'));
it('an offer locks its amount in the wallet of the sender', async () => {
  expect((await pay()).status).toBe(200);
  expect(await balanceOf('alice')).toBe('9997.5000000000');
});
it('an offer pays the receiver who accepts it', async () => {
  expect(await answer('accept', await pay())).toBe(200);
  expect(await balanceOf('bob')).toBe('10002.5000000000');
});
it('an offer returns its coin when the receiver rejects it', async () => {
  expect(await answer('reject', await pay())).toBe(200);
  expect(await balanceOf('alice')).toBe('10000.0000000000');
});
it('an offer returns its coin when it expires', async () => {
  await pay();
  await server.advance('2h');
  expect(await balanceOf('alice')).toBe('10000.0000000000');
});
it('a repeated request pays once when the first answer was lost', async () => {
  await request('alice', '/dev/faults', { errorRate: 1, count: 1, when: 'after', path: TRANSFERS });
  expect([(await pay()).status, (await pay()).status]).toEqual([503, 200]);
  expect(await balanceOf('alice')).toBe('9997.5000000000');
});
it('a refusal has the status and the code of its reason', async () => {
  const command = { type: 'AcceptOffer', instruction: 99 };
  const { status, body } = await request('bob', '/dev/submit', { actAs: [server.party('bob')], command });
  expect([status, body['code']]).toEqual([404, 'CONTRACT_NOT_FOUND']);
});
it('gives the same state hash in two runs', async () => {
  const runs = [0, 1].map(() => createServer({ dev: true, clock: 'manual' }));
  for (const run of runs) expect((await pay(await run)).status).toBe(200);
  const [one, two] = await Promise.all(runs);
  expect(one && stateHash(one.state)).toBe(two && stateHash(two.state));
});
