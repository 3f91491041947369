import { createServer } from '@coinlab/http';
import { PartyId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { askDeclared } from './declared.ts';

const alice = PartyId.of('alice');
const bob = PartyId.of('bob');
const admin = PartyId.of('DSO');
const meta = { values: {} };
const instrumentId = { admin, id: 'Amulet' };
const time = '2026-01-01T00:00:00Z';

const allocation = {
  expectedAdmin: admin,
  allocation: {
    settlement: {
      executor: bob,
      settlementRef: { id: 'trade', cid: null },
      requestedAt: time,
      allocateBefore: '2026-01-02T00:00:00Z',
      settleBefore: '2026-01-03T00:00:00Z',
      meta,
    },
    transferLegId: 'leg',
    transferLeg: { sender: alice, receiver: bob, amount: '5.0', instrumentId, meta },
  },
  requestedAt: time,
  inputHoldingCids: [],
  extraArgs: { context: {}, meta: {} },
};
const transfer = {
  transfer: {
    sender: alice,
    receiver: bob,
    amount: '5.0',
    instrumentId,
    requestedAt: time,
    executeBefore: '2026-01-02T00:00:00Z',
    inputHoldingCids: [],
    meta,
  },
  extraArgs: { context: {}, meta: {} },
};

const FACTORIES = [
  'allocation-instruction/v1/allocation-factory',
  'allocation-instruction/v2/allocation-factory',
  'allocation/v2/settlement-factory',
];
const CONTEXTS = ['v1/ID/choice-contexts/execute-transfer', 'v1/ID/choice-contexts/withdraw'].concat(
  ['v1', 'v2'].map((version) => `${version}/ID/choice-contexts/cancel`),
  'v2/ID/choice-contexts/withdraw',
);

async function registry() {
  const server = await createServer({ clock: 'manual' });
  const post = (path: string, body: unknown): ReturnType<typeof askDeclared> =>
    askDeclared(server, `/registry/${path}`, { method: 'POST', body: JSON.stringify(body) });
  return { server, post };
}

describe.each(FACTORIES)('the factory at %s', (path) => {
  it('returns the transfer factory with the context of an offer', async () => {
    const { post } = await registry();
    const offer = await post('transfer-instruction/v2/transfer-factory', { choiceArguments: transfer });
    const { transferKind, ...expected } = offer.body as Record<string, unknown>;
    expect(transferKind).toBe('offer');
    expect(await post(path, { choiceArguments: allocation })).toEqual({ status: 200, body: expected });
    const brief = await post(path, { choiceArguments: allocation, excludeDebugFields: true });
    expect(JSON.stringify(brief.body)).not.toContain('debugPayload');
  });

  it('returns 400 without arguments', async () => {
    const { post } = await registry();
    for (const body of [{}, { choiceArguments: 'x' }, []]) expect((await post(path, body)).status).toBe(400);
    const amiss = { ...allocation, allocation: { ...allocation.allocation, transferLeg: { sender: alice } } };
    if (path.includes('v1')) expect((await post(path, { choiceArguments: amiss })).status).toBe(400);
  });

  it('returns 404 while no round is usable', async () => {
    const { server } = await registry();
    // Before its first round has opened.
    server.host.replaceState(server.history.stateAt(1));
    const body = JSON.stringify({ choiceArguments: allocation });
    const answer = await askDeclared(server, `/registry/${path}`, { method: 'POST', body });
    expect(answer.status).toBe(404);
  });
});

describe.each(CONTEXTS)('the context at allocations/%s', (path) => {
  it('returns 404 for every id, since the network has no allocations', async () => {
    const { post } = await registry();
    for (const id of ['x', `00${'0'.repeat(64)}ca121220${'1'.repeat(64)}`])
      expect((await post(`allocations/${path.replace('ID', id)}`, {})).status).toBe(404);
    expect((await post(`allocations/${path}`, { meta: 'x' })).status).toBe(400);
  });
});
