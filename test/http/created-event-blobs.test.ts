import { describe, expect, it } from 'vitest';
import { decodeBlob } from './contract-blob.ts';
import { RUNS } from './ledger-choice-runs.ts';
import { ledgerServer, type LedgerServer } from './ledger-commands-fixture.ts';

/** A blob of the network: a Ping that the documentation of Canton shows. */
const PING =
  'CgMyLjESuQQKRQBjTUl2dyqzat8236jWAVQ7N5fKufP9tC25XfYKc8tcGMoQEiCC572aoJidPFPbnuK4QKF9wAuxGP1l7xumvhhNwM7khRIOQWRtaW5Xb3JrZmxv' +
  'd3MaYApAOWExOWU5Y2MxNTI1MzhkM2FkM2I5OWI5MzNjY2Y4ODFlNTNiMTkzZWU2YWYxN2JkZDlhNjU5MDVhNmUxZjhhYhIGQ2FudG9uEghJbnRlcm5hbBIEUGlu' +
  'ZxoEUGluZyKwAWqtAQoLCglCB3BpbmdfaWQKTwpNOkthbGljZTo6MTIyMGQ0NjZhNWQ5NmEzNTA5NzM2YzgyMWUyNWZlODFmYzhhNzNmMjI2ZDkyZTU3ZTk0YTY1' +
  'MTcwZTU4YjA3ZmMwOGUKTQpLOklib2I6OjEyMjAyNTRkMDYwOTViNDA3ZjhjNmEzNzhiNmZjNDQzYTY3ZDMzNTZhYjhlZGZiZjEzNzhjYjNlNDQyMThkZTMyYzhh' +
  'KkthbGljZTo6MTIyMGQ0NjZhNWQ5NmEzNTA5NzM2YzgyMWUyNWZlODFmYzhhNzNmMjI2ZDkyZTU3ZTk0YTY1MTcwZTU4YjA3ZmMwOGUySWJvYjo6MTIyMDI1NGQw' +
  'NjA5NWI0MDdmOGM2YTM3OGI2ZmM0NDNhNjdkMzM1NmFiOGVkZmJmMTM3OGNiM2U0NDIxOGRlMzJjOGE544B3nIAuBgBCKgomCiQIARIgZrl+7TfHbM1LcYFnlh0p' +
  'NxS091G09Le5mhD5PUCvwmkQHg==';

it('the decoder of these tests decodes a blob that a real participant has created', () => {
  const alice = 'alice::1220d466a5d96a3509736c821e25fe81fc8a73f226d92e57e94a65170e58b07fc08e';
  const bob = 'bob::1220254d06095b407f8c6a378b6fc443a67d3356ab8edfbf1378cb3e44218de32c8a';
  expect(decodeBlob(PING)).toMatchObject({
    version: '2.1',
    contractId:
      '00634d4976772ab36adf36dfa8d601543b3797cab9f3fdb42db95df60a73cb5c18ca10122082e7bd9aa0989d3c53db9ee2b840a17dc00bb118fd65ef1ba6be184dc0cee485',
    packageName: 'AdminWorkflows',
    templateId: '9a19e9cc152538d3ad3b99b933ccf881e53b193ee6af17bdd9a65905a6e1f8ab:Canton.Internal.Ping:Ping',
    argument: ['ping_id', alice, bob],
    signatories: [alice],
    others: [bob],
  });
});

interface CreatedEvent {
  readonly contractId: string;
  readonly templateId: string;
  readonly packageName: string;
  readonly createArgument: unknown;
  readonly createdEventBlob: string;
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
  readonly createdAt: string;
}

async function contracts({ wallets, server }: LedgerServer): Promise<readonly CreatedEvent[]> {
  const rights = [{ kind: { CanReadAsAnyParty: { value: {} } } }];
  const userId = 'ledger-api-user';
  await wallets.post(userId, `/v2/users/${userId}/rights`, { userId, rights });
  const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } };
  const eventFormat = { filtersForAnyParty: { cumulative: [wildcard] } };
  const body = { activeAtOffset: server.state.offset, eventFormat };
  const answer = await wallets.post(userId, '/v2/state/active-contracts', body);
  expect(answer.status).toBe(200);
  return answer.body.map(
    (each: { contractEntry: { JsActiveContract: { createdEvent: CreatedEvent } } }) =>
      each.contractEntry.JsActiveContract.createdEvent,
  );
}

/** JSON of a value without the labels of records. */
function withoutLabels(json: unknown, field = ''): unknown {
  if (typeof json === 'number') return String(json);
  if (Array.isArray(json)) return json.map((each) => withoutLabels(each));
  if (typeof json !== 'object' || json === null) return json;
  const fields = Object.entries(json);
  const [[first] = [], [second] = []] = fields;
  if (fields.length === 2 && first === 'tag' && second === 'value')
    return { tag: fields[0]?.[1], value: withoutLabels(fields[1]?.[1]) };
  if (field === 'values') return Object.fromEntries(fields.map(([key, each]) => [key, withoutLabels(each)]));
  return fields.map(([name, each]) => withoutLabels(each, name));
}

describe('a created-event blob', () => {
  it.each(Object.entries(RUNS).map(([name, [, run]]) => [name, run] as const))(
    'is a contract instance of the network for each contract after %s',
    async (_, run) => {
      const ledger = await ledgerServer();
      await run(ledger, 'alice');
      const events = await contracts(ledger);
      expect(events.length).toBeGreaterThan(5);
      for (const event of events) {
        const { signatories, observers } = event;
        expect(decodeBlob(event.createdEventBlob)).toEqual({
          version: '2.1',
          contractId: event.contractId,
          packageName: event.packageName,
          templateId: event.templateId,
          argument: withoutLabels(event.createArgument),
          signatories: signatories.toSorted(),
          others: observers.filter((party) => !signatories.includes(party)).toSorted(),
          createdAt: event.createdAt,
        });
      }
    },
  );

  it('is equal in the registry, in scan and in the ledger API', async () => {
    const ledger = await ledgerServer();
    await ledger.tap('alice', '10');
    const blobs = new Map((await contracts(ledger)).map((each) => [each.contractId, each.createdEventBlob]));
    const { disclosedContracts = [] } = await ledger.transferOf('alice', 'bob', '3');
    expect(disclosedContracts.length).toBeGreaterThan(1);
    for (const each of disclosedContracts) expect(each).toMatchObject({ createdEventBlob: blobs.get(each.contractId) });
    const { body } = await ledger.wallets.post(null, '/v0/amulet-rules', {});
    const { contract_id: id, created_event_blob: blob } = body.amulet_rules_update.contract;
    expect(blob).toBe(blobs.get(id));
  });
});
