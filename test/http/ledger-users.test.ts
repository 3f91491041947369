import { PartyId } from '@coinlab/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerServer, OPERATOR, type LedgerCaller } from './ledger-fixture.ts';
import { PING } from './ledger-commands-fixture.ts';
import { heldLog } from './wallet-fixture.ts';

const ann = PartyId.of('ann');
const actAs = (party: string): object => ({ kind: { CanActAs: { value: { party } } } });
const readAs = (party: string): object => ({ kind: { CanReadAs: { value: { party } } } });
const of = (kind: string): object => ({ kind: { [kind]: { value: {} } } });
const annotated = (user: object, ...paths: readonly string[]): object => ({ user, updateMask: { paths } });

let ledger: LedgerCaller;
beforeEach(async () => void (ledger = await ledgerServer()));
afterEach(() => ledger.server.close());

const create = async (id: string, ...rights: readonly object[]) =>
  ledger.done('POST', '/v2/users', { user: { id }, rights });
const rightsOf = async (id: string) => (await ledger.done('GET', `/v2/users/${id}/rights`))['rights'];

async function onboard(name: string): Promise<string> {
  const { party_id } = await ledger.done('POST', '/v0/admin/users', { name });
  return String(party_id);
}

describe('a user', () => {
  it('is created with its profile and rights, and found by its id', async () => {
    const user = { id: 'ann', primaryParty: ann, metadata: { annotations: { team: 'a' } } };
    const expected = {
      user: {
        id: 'ann',
        primaryParty: ann,
        isDeactivated: false,
        metadata: { resourceVersion: '0', annotations: { team: 'a' } },
        identityProviderId: '',
        primaryPartyAuthentication: false,
      },
    };
    const rights = [actAs(ann), of('CanReadAsAnyParty'), actAs(ann)];
    expect(await ledger.done('POST', '/v2/users', { user, rights })).toEqual(expected);
    expect(await ledger.done('GET', '/v2/users/ann?identity-provider-id=')).toEqual(expected);
    expect(await ledger.as('ann').done('GET', '/v2/authenticated-user')).toEqual(expected);
    expect(await rightsOf('ann')).toEqual([actAs(ann), of('CanReadAsAnyParty')]);
  });

  it('can read its own record and rights, and no data of other users', async () => {
    await create('ann', actAs(ann), of('CanReadAsAnyParty'));
    await create('ben');
    const caller = ledger.as('ann');
    await caller.done('GET', '/v2/users/ann');
    await caller.done('GET', '/v2/users/ann/rights');
    for (const [method, path, body] of [
      ['GET', '/v2/users'],
      ['GET', '/v2/users/ben'],
      ['GET', '/v2/users/ben/rights'],
      ['POST', '/v2/users', { user: { id: 'cid' } }],
      ['POST', '/v2/users/ann/rights', { userId: 'ann', rights: [of('ParticipantAdmin')] }],
      ['PATCH', '/v2/users/ben/rights', { userId: 'ben', rights: [] }],
      ['PATCH', '/v2/users/ann', annotated({ id: 'ann' }, 'metadata')],
      ['DELETE', '/v2/users/ben'],
    ] as const)
      expect(await caller.refused(403, 'NA', method, path, body)).toMatchObject({
        errorCategory: -1,
        grpcCodeValue: 7,
      });
  });

  it.each([
    ['CanReadAs', readAs(ann)],
    ['CanExecuteAs', { kind: { CanExecuteAs: { value: { party: ann } } } }],
  ])('cannot submit commands for a party with the right %s', async (_, right) => {
    await create('ben', right);
    const createArguments = { id: '1', initiator: ann, responder: ann };
    const command = { CreateCommand: { templateId: PING, createArguments } };
    const body = { commands: [command], commandId: 'c', actAs: [ann] };
    const path = '/v2/commands/submit-and-wait';
    await ledger.as('ben').refused(403, 'NA', 'POST', path, body);
    await ledger.done('POST', '/v2/users/ben/rights', { userId: 'ben', rights: [actAs(ann)] });
    await ledger.as('ben').done('POST', path, body);
  });

  it('administers the participant with the right ParticipantAdmin', async () => {
    await create('ann', of('ParticipantAdmin'));
    const caller = ledger.as('ann');
    await caller.done('POST', '/v2/users', { user: { id: 'ben' } });
    await caller.done('DELETE', '/v2/users/ben');
    await caller.refused(400, 'INVALID_ARGUMENT', 'DELETE', '/v2/users/ann');
    await ledger.done('PATCH', '/v2/users/ann/rights', { userId: 'ann', rights: [of('ParticipantAdmin')] });
    await caller.refused(403, 'NA', 'GET', '/v2/users');
  });

  it('is refused on every route while it is deactivated', async () => {
    const party = await onboard('ann');
    const profile = annotated({ id: 'ann', isDeactivated: true }, 'is_deactivated');
    expect(await ledger.done('PATCH', '/v2/users/ann', profile)).toMatchObject({
      user: { isDeactivated: true, primaryParty: party },
    });
    await ledger.as('ann').refused(403, 'NA', 'GET', '/v2/authenticated-user');
    const headers = { authorization: `Bearer ${await ledger.server.token('ann')}` };
    expect((await ledger.server.fetch('/v0/wallet/balance', { headers })).status).toBe(403);
    await ledger.done('PATCH', '/v2/users/ann', annotated({ id: 'ann' }, 'isDeactivated'));
    await ledger.as('ann').done('GET', '/v2/authenticated-user');
    expect(await rightsOf('ann')).toEqual([actAs(party)]);
  });

  it('has annotations, with a version, that an update merges and removes', async () => {
    await create('ann');
    const change = async (annotations: object, resourceVersion?: string) =>
      ledger.ask(
        'PATCH',
        '/v2/users/ann',
        annotated({ id: 'ann', metadata: { annotations, resourceVersion } }, 'metadata'),
      );
    await change({ team: 'a', role: 'b' });
    const { body } = await change({ team: '', role: 'c' }, '1');
    expect(body).toHaveProperty('user.metadata', { resourceVersion: '2', annotations: { role: 'c' } });
    expect(await change({ role: 'd' }, '1')).toMatchObject({
      status: 409,
      body: { code: 'CONCURRENT_USER_UPDATE_DETECTED' },
    });
    await ledger.done('PATCH', '/v2/users/ann', annotated({ id: 'ann', primaryParty: ann }, 'primary_party'));
    expect(await ledger.done('GET', '/v2/users/ann')).toMatchObject({
      user: { primaryParty: ann, metadata: { resourceVersion: '3', annotations: { role: 'c' } } },
    });
  });
});

describe('users without a record', () => {
  it('are the operator and the users of wallets, each with rights', async () => {
    const party = await onboard('ann');
    const { validator } = ledger.server;
    expect(await rightsOf(OPERATOR)).toEqual([of('ParticipantAdmin'), actAs(validator)]);
    expect(await rightsOf('ann')).toEqual([actAs(party)]);
    expect(await ledger.done('GET', '/v2/users/ann')).toMatchObject({ user: { id: 'ann', primaryParty: party } });
    await ledger.refused(409, 'USER_ALREADY_EXISTS', 'POST', '/v2/users', { user: { id: 'ann' } });
  });

  it('get a record with their first grant, and keep their other rights', async () => {
    const party = await onboard('ann');
    const grant = { userId: 'ann', rights: [actAs(party), readAs(ann)] };
    expect(await ledger.done('POST', '/v2/users/ann/rights', grant)).toEqual({ newlyGrantedRights: [readAs(ann)] });
    expect(await ledger.done('POST', '/v2/users/ann/rights', grant)).toEqual({ newlyGrantedRights: [] });
    expect(await rightsOf('ann')).toEqual([actAs(party), readAs(ann)]);
    expect(await ledger.done('PATCH', '/v2/users/ann/rights', grant)).toEqual({ newlyRevokedRights: [readAs(ann)] });
    expect(await ledger.done('PATCH', '/v2/users/ann/rights', grant)).toEqual({ newlyRevokedRights: [] });
    expect(await rightsOf('ann')).toEqual([actAs(party)]);
    expect(await ledger.done('GET', '/v2/users/ann')).toMatchObject({ user: { primaryParty: party } });
  });

  it('cannot be deleted before they are off-boarded', async () => {
    await onboard('ann');
    const refused = await ledger.refused(400, 'INVALID_ARGUMENT', 'DELETE', '/v2/users/ann');
    expect(refused['cause']).toContain('POST /v0/admin/users/offboard?username=ann');
    await ledger.done('POST', '/v2/users/ann/rights', { rights: [readAs(ann)] });
    await ledger.done('POST', '/v0/admin/users/offboard?username=ann');
    expect(await rightsOf('ann')).toEqual([readAs(ann)]);
    await ledger.done('DELETE', '/v2/users/ann');
    await ledger.refused(404, 'USER_NOT_FOUND', 'GET', '/v2/users/ann');
  });

  it('cannot be deleted if they are the operator', async () => {
    await create('ann', of('ParticipantAdmin'));
    await ledger.done('POST', `/v2/users/${OPERATOR}/rights`, { rights: [readAs(ann)] });
    await ledger.as('ann').refused(400, 'INVALID_ARGUMENT', 'DELETE', `/v2/users/${OPERATOR}`);
  });
});

describe('an unknown user with a valid token', () => {
  it.each(['/v2/authenticated-user', '/v2/users/x', '/v2/parties/participant-id', '/v2/packages'])(
    'gets 403 from %s',
    async (path) => {
      await ledger.as('stranger').refused(403, 'NA', 'GET', path);
    },
  );
});

describe('the list of users', () => {
  it('is sorted and comes in pages of the requested size', async () => {
    await onboard('dan');
    for (const id of ['cid', 'ann', 'ben']) await create(id);
    const pages: string[][] = [];
    let token = '';
    do {
      const page = await ledger.done('GET', `/v2/users?pageSize=2&pageToken=${token}`);
      pages.push((page['users'] as { id: string }[]).map(({ id }) => id));
      token = String(page['nextPageToken']);
    } while (token !== '');
    expect(pages).toEqual([['ann', 'ben'], ['cid', 'dan'], [OPERATOR]]);
  });

  it('has at most 1,000 users per page, also when the request has no size or a larger one', async () => {
    const { host, validator, participantId } = ledger.server;
    const commands = Array.from({ length: 1_001 }, (_, i) => ({ userId: `u${i}`, participant: participantId }));
    await Promise.all(
      commands.map(async (one) => host.submit({ type: 'CreateLedgerUser', operator: validator, ...one }, [validator])),
    );
    for (const query of ['', '?pageSize=0', '?pageSize=5000'])
      expect((await ledger.done('GET', `/v2/users${query}`))['users']).toHaveLength(1_000);
  });

  it('continues after a user that was deleted between two pages', async () => {
    for (const id of ['ann', 'ben', 'cid']) await create(id);
    const { nextPageToken } = await ledger.done('GET', '/v2/users?pageSize=2');
    await ledger.done('DELETE', '/v2/users/ben');
    const next = await ledger.done('GET', `/v2/users?pageSize=1&pageToken=${String(nextPageToken)}`);
    expect(next['users']).toMatchObject([{ id: 'cid' }]);
  });
});

describe('a request about users', () => {
  const bad: readonly (readonly [cause: string, code: string, method: string, path: string, body: unknown])[] = [
    ['userId', 'INVALID_ARGUMENT', 'POST', '/v2/users', { user: { id: 'a b' } }],
    ['user.id', 'INVALID_ARGUMENT', 'POST', '/v2/users', { user: {} }],
    ['user.primaryParty', 'INVALID_ARGUMENT', 'POST', '/v2/users', { user: { id: 'x', primaryParty: 'x' } }],
    ['CanActAs.value.party', 'INVALID_ARGUMENT', 'POST', '/v2/users', { user: { id: 'x' }, rights: [actAs('x')] }],
    ['CanReadAsAnyParty', 'INVALID_ARGUMENT', 'POST', '/v2/users', { user: { id: 'x' }, rights: [of('CanDance')] }],
    [
      'resourceVersion',
      'INVALID_ARGUMENT',
      'POST',
      '/v2/users',
      { user: { id: 'x', metadata: { resourceVersion: '1' } } },
    ],
    ['identityProviderId', 'INVALID_ARGUMENT', 'POST', '/v2/users', { user: { id: 'x', identityProviderId: 'idp' } }],
    ['expected ann', 'INVALID_ARGUMENT', 'POST', '/v2/users/ann/rights', { userId: 'ben', rights: [] }],
    ['expected ann', 'INVALID_ARGUMENT', 'PATCH', '/v2/users/ann', annotated({ id: 'ben' }, 'metadata')],
    ['got no paths', 'INVALID_USER_UPDATE_REQUEST', 'PATCH', '/v2/users/ann', annotated({ id: 'ann' })],
    ['got colour', 'INVALID_USER_UPDATE_REQUEST', 'PATCH', '/v2/users/ann', annotated({ id: 'ann' }, 'colour')],
    ['pageToken', 'INVALID_ARGUMENT', 'GET', '/v2/users?pageToken=%21', undefined],
    ['pageSize', 'INVALID_ARGUMENT', 'GET', '/v2/users?pageSize=-1', undefined],
  ];

  it.each(bad)('with an invalid field is refused, and the cause names %s', async (cause, code, method, path, body) => {
    await create('ann');
    expect(String((await ledger.refused(400, code, method, path, body))['cause'])).toContain(cause);
  });

  it.each([
    ['GET', '/v2/users/missing', undefined],
    ['GET', '/v2/users/missing/rights', undefined],
    ['POST', '/v2/users/missing/rights', { rights: [of('ParticipantAdmin')] }],
    ['PATCH', '/v2/users/missing/rights', { rights: [of('ParticipantAdmin')] }],
    ['PATCH', '/v2/users/missing', annotated({ id: 'missing' }, 'metadata')],
    ['DELETE', '/v2/users/missing', undefined],
  ] as const)('about an unknown user is answered with USER_NOT_FOUND: %s %s', async (method, path, body) => {
    const refused = await ledger.refused(404, 'USER_NOT_FOUND', method, path, body);
    expect(refused).toMatchObject({ errorCategory: 11, grpcCodeValue: 5, resources: [['USER', 'missing']] });
  });

  it('to deactivate the caller itself is refused', async () => {
    const profile = annotated({ id: OPERATOR, isDeactivated: true }, 'is_deactivated');
    await ledger.refused(400, 'INVALID_ARGUMENT', 'PATCH', `/v2/users/${OPERATOR}`, profile);
  });

  it('to grant more than 1,000 rights is refused', async () => {
    await create('ann');
    const rights = Array.from({ length: 1_001 }, (_, i) => actAs(PartyId.of(`p${i}`)));
    await ledger.refused(400, 'TOO_MANY_USER_RIGHTS', 'POST', '/v2/users/ann/rights', { rights });
  });
});

describe('concurrent requests', () => {
  it('create a user once and lose no grant', async () => {
    const creations = Array.from({ length: 3 }, async () => ledger.ask('POST', '/v2/users', { user: { id: 'ann' } }));
    expect((await Promise.all(creations)).map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const parties = ['a', 'b', 'c', 'd'].map(PartyId.of);
    const grant = async (party: string) => ledger.done('POST', '/v2/users/ann/rights', { rights: [actAs(party)] });
    await Promise.all(parties.map(grant));
    expect(await rightsOf('ann')).toHaveLength(4);
    await Promise.all(
      parties.map(async (party) => ledger.done('POST', `/v2/users/${OPERATOR}/rights`, { rights: [actAs(party)] })),
    );
    expect(await rightsOf(OPERATOR)).toHaveLength(6);
  });
});

it('a user that is created while the log is slow is created once', async () => {
  const { log, hold, release } = heldLog();
  const slow = await ledgerServer({}, { log });
  hold();
  const creations = [1, 2].map(async () => slow.ask('POST', '/v2/users', { user: { id: 'ann' } }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  release();
  expect((await Promise.all(creations)).map(({ status }) => status).sort()).toEqual([200, 409]);
  await slow.server.close();
});

describe('a server that continues a log', () => {
  it('keeps users, rights, annotations and archives', async () => {
    await create('ann', of('ParticipantAdmin'), actAs(ann));
    await ledger.done(
      'PATCH',
      '/v2/users/ann',
      annotated({ id: 'ann', metadata: { annotations: { a: 'b' } } }, 'metadata'),
    );
    await create('ben');
    await ledger.done('DELETE', '/v2/users/ben');
    await ledger.done('POST', '/v2/parties', { partyIdHint: 'cid', localMetadata: { annotations: { c: 'd' } } });
    await ledger.done('POST', '/v2/dars', Buffer.from('an archive'));
    const reads = ['/v2/users', '/v2/users/ann/rights', '/v2/parties', '/v2/packages'];
    const before = await Promise.all(reads.map(async (path) => ledger.done('GET', path)));
    const log = await (await ledger.server.fetch('/log', { headers: await operatorHeaders(ledger) })).text();

    const next = await ledgerServer({ from: log });
    expect(await Promise.all(reads.slice(1).map(async (path) => next.as('ann').done('GET', path)))).toEqual(
      before.slice(1),
    );
    const users = (await next.as('ann').done('GET', '/v2/users'))['users'];
    expect(users).toEqual(expect.arrayContaining(before[0]?.['users'] as unknown[]));
    await next.refused(404, 'USER_NOT_FOUND', 'GET', '/v2/users/ben');
    await next.server.close();
  });
});

async function operatorHeaders({ server }: LedgerCaller): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await server.token(OPERATOR)}` };
}
