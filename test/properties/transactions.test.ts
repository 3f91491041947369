import { lockedTotalOf, unlockedTotalOf } from '@coinlab/core/views';
import { Amount, PROFILE_NAMES, type PartyId } from '@coinlab/core';
import type { CoinlabServer } from '@coinlab/http';
import { sequences } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';
import { recordedSteps } from '../core/recorded.ts';
import { quietServer, updatesAfter } from './quiet-server.ts';
import { coinIn, labelsOf, nodeOf, type EffectEvent, type ExercisedNode, type Holding } from '../http/wallet-labels.ts';

const HOLDINGS = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';
const FILTERS = {
  cumulative: [
    { identifierFilter: { InterfaceFilter: { value: { interfaceId: HOLDINGS, includeInterfaceView: true } } } },
    { identifierFilter: { WildcardFilter: { value: {} } } },
  ],
};

interface Transaction {
  readonly offset: number;
  readonly events: readonly EffectEvent[];
}

describe.each(PROFILE_NAMES)('under the rules of %s', (profile) => {
  it('the labelled changes of a wallet add up to its coin, and both transaction shapes agree with the trees of scan', async () => {
    await fc.assert(
      fc.asyncProperty(sequences(40), async (steps) => {
        await requireTransactions(await quietServer(updatesAfter(profile, steps)));
      }),
      { numRuns: runs(4) },
    );
  });

  it('the labelled changes add up for a recorded log with every kind of update', async () => {
    await requireTransactions(await quietServer(recordedSteps(profile).map(({ update }) => update)));
  }, 60_000);
});

async function requireTransactions(server: CoinlabServer): Promise<void> {
  const trees = await treesOfScan(server);
  for (const { user, party } of server.hosted) {
    const token = await server.token(user);
    const effects = await transactionsOf(server, token, party, 'LEDGER_EFFECTS');
    requireLabels(server, party, effects);
    for (const { offset, events } of effects) requireTree(events, trees[offset - 1] ?? {}, party);
    expect(changesIn(await transactionsOf(server, token, party, 'ACS_DELTA'))).toEqual(
      effects.flatMap(({ offset, events }) =>
        events
          .filter((event) => nodeOf(event).acsDelta)
          .map((event) => [offset, nodeOf(event).nodeId, nodeOf(event).contractId]),
      ),
    );
  }
  await server.close();
}

/** Every coin of a wallet is created and archived under a label, and the changes of the labels sum to its coin. */
function requireLabels(server: CoinlabServer, party: PartyId, transactions: readonly Transaction[]): void {
  const coins = new Map<string, Holding>();
  let sum = 0n;
  for (const { offset, events } of transactions) {
    for (const event of events)
      if ('CreatedEvent' in event) {
        const coin = coinIn(event.CreatedEvent);
        if (coin) coins.set(event.CreatedEvent.contractId, coin);
      }
    for (const { type, change } of labelsOf(events, party, (id) => coins.get(id) ?? null)) {
      expect(type, `${server.history.updateAt(offset).kind} of ${party}`).not.toBe('Archive');
      sum += change;
    }
  }
  const owned = Amount.add(unlockedTotalOf(server.state, party), lockedTotalOf(server.state, party));
  expect(Amount.short(Amount.ofUnits(sum)), party).toBe(Amount.short(owned));
}

/** Node ids ascend, exercises enclose the nodes below them, and who sees an exercise sees everything below it. */
function requireTree(events: readonly EffectEvent[], tree: Readonly<Record<number, object>>, party: PartyId): void {
  const ids = events.map((event) => nodeOf(event).nodeId);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  const all = Object.keys(tree).map(Number);
  for (const event of events) {
    const node = nodeOf(event);
    expect(node.witnessParties).toEqual([party]);
    if ('CreatedEvent' in event) continue;
    const { nodeId, lastDescendantNodeId: last } = event.ExercisedEvent as ExercisedNode;
    const below = (id: number): boolean => id > nodeId && id <= last;
    expect(ids.filter(below)).toEqual(all.filter(below));
  }
}

async function post(server: CoinlabServer, path: string, token: string, body: object): Promise<any> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  return response.json();
}

async function transactionsOf(
  server: CoinlabServer,
  token: string,
  party: PartyId,
  shape: 'ACS_DELTA' | 'LEDGER_EFFECTS',
): Promise<readonly Transaction[]> {
  const eventFormat = { filtersByParty: { [party]: FILTERS } };
  const includeTransactions = { eventFormat, transactionShape: `TRANSACTION_SHAPE_${shape}` };
  const body = { beginExclusive: 0, updateFormat: { includeTransactions } };
  const list: any[] = await post(server, '/v2/updates', token, body);
  return list.map(({ update }) => update.Transaction.value);
}

/** The nodes of all transactions in scan, by offset and node id. Children and roots make up the whole tree. */
async function treesOfScan(server: CoinlabServer): Promise<readonly Readonly<Record<number, object>>[]> {
  const trees: Record<number, object>[] = [];
  let after: object | undefined;
  for (;;) {
    const { transactions } = await post(server, '/v2/updates', '', { page_size: 1000, ...(after && { after }) });
    for (const { root_event_ids, events_by_id, record_time } of transactions) {
      after = { after_migration_id: 0, after_record_time: record_time };
      const children = Object.values<any>(events_by_id).flatMap(({ child_event_ids = [] }) => child_event_ids);
      expect([...root_event_ids, ...children].sort()).toEqual(Object.keys(events_by_id).sort());
      trees.push(
        Object.fromEntries(
          Object.entries<object>(events_by_id).map(([id, event]) => [Number(id.split(':')[1]), event]),
        ),
      );
    }
    if (transactions.length === 0) return trees;
  }
}

/** Offset, node and contract of each change of the active contracts. */
function changesIn(
  transactions: readonly { readonly offset: number; readonly events: readonly any[] }[],
): readonly (readonly [number, number, string])[] {
  return transactions.flatMap(({ offset, events }) =>
    events.map((event: any) => {
      const { nodeId, contractId } = event.CreatedEvent ?? event.ArchivedEvent;
      return [offset, nodeId, contractId] as const;
    }),
  );
}
