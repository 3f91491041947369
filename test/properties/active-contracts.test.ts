import { PROFILE_NAMES } from '@coinlab/core';
import type { CoinlabServer } from '@coinlab/http';
import { sequences } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';
import { quietServer, updatesAfter } from './quiet-server.ts';

const DELTA = 'TRANSACTION_SHAPE_ACS_DELTA';
const HOLDINGS = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';
const FILTERS = [
  {},
  {
    cumulative: [
      { identifierFilter: { InterfaceFilter: { value: { interfaceId: HOLDINGS, includeInterfaceView: true } } } },
    ],
  },
] as const;

interface Created {
  readonly contractId: string;
  readonly nodeId: number;
}
interface Transaction {
  readonly offset: number;
  readonly events: readonly {
    readonly CreatedEvent?: Created;
    readonly ArchivedEvent?: { readonly contractId: string; readonly nodeId: number };
  }[];
}

describe.each(PROFILE_NAMES)('under the rules of %s', (profile) => {
  it('the active contracts of every party at any offset are the fold of its updates up to that offset', async () => {
    const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(sequences(40), places, fc.constantFrom(...FILTERS), async (steps, at, filters) => {
        const server = await quietServer(updatesAfter(profile, steps));
        const end = server.state.offset;
        const offsets = [end, ...at.map((share) => Math.floor(share * end))];
        for (const { user, party } of server.hosted) {
          const filter = { filtersByParty: { [party]: filters } };
          const reader = readerOf(server, await server.token(user), filter);
          const transactions = await reader.updates();
          for (const offset of offsets) {
            const folded = foldOf(transactions, offset);
            expect(await reader.active('eventFormat', offset), `${party} at ${offset}`).toEqual(folded);
            expect(await reader.active('filter', offset)).toEqual(folded);
          }
        }
        await server.close();
      }),
      { numRuns: runs(6) },
    );
  });
});

interface Reader {
  updates(): Promise<readonly Transaction[]>;
  active(form: 'filter' | 'eventFormat', activeAtOffset: number): Promise<ReadonlyMap<string, Created>>;
}

function readerOf(server: CoinlabServer, token: string, eventFormat: object): Reader {
  // Casts: test/http checks the shapes of the responses.
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return response.json();
  };
  return {
    async updates() {
      const updateFormat = { includeTransactions: { eventFormat, transactionShape: DELTA } };
      const list = await post('/v2/updates', { beginExclusive: 0, updateFormat });
      return (list as { update: { Transaction: { value: Transaction } } }[]).map(
        ({ update }) => update.Transaction.value,
      );
    },
    async active(form, activeAtOffset) {
      const list = await post('/v2/state/active-contracts', { activeAtOffset, [form]: eventFormat });
      const events = (list as { contractEntry: { JsActiveContract: { createdEvent: Created } } }[]).map(
        ({ contractEntry }) => contractEntry.JsActiveContract.createdEvent,
      );
      return new Map(events.map((event) => [event.contractId, event]));
    },
  };
}

/** Also expects that every archived contract was created before, and that events of an update have ascending numbers. */
function foldOf(transactions: readonly Transaction[], until: number): ReadonlyMap<string, Created> {
  const active = new Map<string, Created>();
  for (const { offset, events } of transactions) {
    if (offset > until) break;
    const nodes = events.map(({ CreatedEvent, ArchivedEvent }) => (CreatedEvent ?? ArchivedEvent)?.nodeId ?? -1);
    expect(nodes).toEqual([...new Set(nodes)].sort((a, b) => a - b));
    for (const { CreatedEvent, ArchivedEvent } of events) {
      if (CreatedEvent) active.set(CreatedEvent.contractId, CreatedEvent);
      if (ArchivedEvent) expect(active.delete(ArchivedEvent.contractId)).toBe(true);
    }
  }
  return active;
}
