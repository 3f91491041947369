import { createHash } from 'node:crypto';
import { isKnownParty, PartyId } from '@coinlab/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyOf, type Key } from '../core/external-keys.ts';
import { ledgerServer, type Body, type LedgerCaller } from './ledger-fixture.ts';

const synchronizer = PartyId.of('global-domain');
const actAs = (party: string): object => ({ kind: { CanActAs: { value: { party } } } });

let ledger: LedgerCaller;
let namespace: string;
beforeEach(async () => {
  ledger = await ledgerServer();
  namespace = ledger.server.participantId.split('::')[2] ?? '';
  await ledger.done('POST', '/v2/users', { user: { id: 'ann' } });
});
afterEach(() => ledger.server.close());

const partyOf = ({ partyDetails }: Body): string => (partyDetails as { party: string }).party;
const rightsOf = async (id: string) => (await ledger.done('GET', `/v2/users/${id}/rights`))['rights'];
const allocate = async (body: object) => ledger.done('POST', '/v2/parties', body);

describe('a local party', () => {
  it('has the hint and the namespace of the participant, and is found at once', async () => {
    const details = {
      party: `carol::${namespace}`,
      isLocal: true,
      localMetadata: { resourceVersion: '1', annotations: { team: 'a' } },
      identityProviderId: '',
    };
    const request = { partyIdHint: 'carol', localMetadata: { annotations: { team: 'a', role: '' } } };
    expect(await allocate(request)).toEqual({ partyDetails: details });
    const found = await ledger.as('ann').done('GET', `/v2/parties/carol::${namespace}`);
    expect(found).toEqual({ partyDetails: [details] });
  });

  it('has a unique id when no hint is given', async () => {
    expect(partyOf(await allocate({}))).not.toBe(partyOf(await allocate({ partyIdHint: '' })));
  });

  it('gives the named user the right to act as it', async () => {
    const party = partyOf(await allocate({ partyIdHint: 'carol', userId: 'ann' }));
    expect(await rightsOf('ann')).toEqual([actAs(party)]);
  });

  it('can be allocated by a user without the right to administer for that user only', async () => {
    const caller = ledger.as('ann');
    await caller.done('POST', '/v2/parties', { partyIdHint: 'own', userId: 'ann' });
    await caller.refused(403, 'NA', 'POST', '/v2/parties', { partyIdHint: 'other' });
    await caller.refused(403, 'NA', 'POST', '/v2/parties', { partyIdHint: 'other', userId: 'ledger-api-user' });
  });

  it.each([
    ['Party already exists: party carol::', { partyIdHint: 'carol' }],
    ['partyIdHint: got a::b', { partyIdHint: 'a::b' }],
    ['partyIdHint', { partyIdHint: 'x'.repeat(186) }],
    ['synchronizerId: got other', { partyIdHint: 'dave', synchronizerId: 'other' }],
    ['resourceVersion', { partyIdHint: 'dave', localMetadata: { resourceVersion: '1' } }],
  ])('with an invalid field is refused, and the cause contains %s', async (cause, request) => {
    await allocate({ partyIdHint: 'carol', synchronizerId: synchronizer });
    const refused = await ledger.refused(400, 'INVALID_ARGUMENT', 'POST', '/v2/parties', request);
    expect(refused['cause']).toContain(cause);
  });

  it('is not allocated for an unknown user', async () => {
    const request = { partyIdHint: 'carol', userId: 'missing' };
    await ledger.refused(404, 'USER_NOT_FOUND', 'POST', '/v2/parties', request);
    expect(await ledger.done('GET', `/v2/parties/carol::${namespace}`)).toEqual({ partyDetails: [] });
  });
});

describe('the list of parties', () => {
  it('is sorted, can be filtered by the start of an id, and comes in pages', async () => {
    for (const partyIdHint of ['zoe', 'zac', 'yan']) await allocate({ partyIdHint });
    const page = await ledger.done('GET', '/v2/parties?filter-party=z&pageSize=1');
    expect(page).toMatchObject({ partyDetails: [{ party: `zac::${namespace}`, isLocal: true }] });
    const next = await ledger.done('GET', `/v2/parties?filter-party=z&pageToken=${String(page['nextPageToken'])}`);
    expect(next).toMatchObject({ partyDetails: [{ party: `zoe::${namespace}` }], nextPageToken: '' });
    const all = (await ledger.done('GET', '/v2/parties?pageSize=0'))['partyDetails'] as {
      party: string;
      isLocal: boolean;
    }[];
    expect(all.map(({ party }) => party)).toEqual(all.map(({ party }) => party).sort());
    expect(all.find(({ party }) => party === PartyId.of('DSO'))).toMatchObject({ isLocal: false });
  });

  it('is readable by administrators and users that read as any party', async () => {
    await ledger.as('ann').refused(403, 'NA', 'GET', '/v2/parties');
    const rights = [{ kind: { CanReadAsAnyParty: { value: {} } } }];
    await ledger.done('POST', '/v2/users/ann/rights', { rights });
    await ledger.as('ann').done('GET', '/v2/parties');
  });
});

describe('the annotations of a party', () => {
  const change = (party: string, localMetadata: object, ...paths: readonly string[]): object => ({
    partyDetails: { party, localMetadata },
    updateMask: { paths },
  });

  it('are merged by an update, which is refused for an outdated version', async () => {
    const party = partyOf(await allocate({ partyIdHint: 'carol', localMetadata: { annotations: { a: '1', b: '2' } } }));
    const path = `/v2/parties/${party}`;
    const update = change(
      party,
      { resourceVersion: '1', annotations: { a: '', c: '3' } },
      'local_metadata.annotations',
    );
    expect(await ledger.done('PATCH', path, update)).toHaveProperty('partyDetails.localMetadata', {
      resourceVersion: '2',
      annotations: { b: '2', c: '3' },
    });
    await ledger.refused(409, 'CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED', 'PATCH', path, update);
    await ledger.as('ann').refused(403, 'NA', 'PATCH', path, update);
  });

  it('cannot be changed for an unknown party, another party than in the path, or an unknown field', async () => {
    const missing = PartyId.of('missing');
    const party = ledger.server.validator;
    const update = change(missing, {}, 'local_metadata');
    await ledger.refused(404, 'PARTY_NOT_FOUND', 'PATCH', `/v2/parties/${missing}`, update);
    await ledger.refused(400, 'INVALID_ARGUMENT', 'PATCH', `/v2/parties/${party}`, update);
    const odd = change(party, {}, 'is_local');
    await ledger.refused(400, 'INVALID_PARTY_DETAILS_UPDATE_REQUEST', 'PATCH', `/v2/parties/${party}`, odd);
  });
});

describe('an external party', () => {
  const key = keyOf('dave');
  const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
  const keyData = base64(key.publicKey);
  const publicKey = { format: 'CRYPTO_KEY_FORMAT_RAW', keyData, keySpec: 'SIGNING_KEY_SPEC_EC_CURVE25519' };
  const GENERATE = '/v2/parties/external/generate-topology';
  const ALLOCATE = '/v2/parties/external/allocate';

  interface Topology {
    readonly partyId: string;
    readonly publicKeyFingerprint: string;
    readonly topologyTransactions: readonly string[];
    readonly multiHash: string;
  }

  const generate = async (more: object = {}): Promise<Topology> =>
    (await ledger.done('POST', GENERATE, {
      synchronizer,
      partyHint: 'dave',
      publicKey,
      ...more,
    })) as unknown as Topology;

  const signatureBy = (signer: Key, signedBy: string, hash: string): object => ({
    format: 'SIGNATURE_FORMAT_CONCAT',
    signature: base64(signer.sign(hash)),
    signedBy,
    signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
  });

  const signed = (topology: Topology, signer: Key = key): object => ({
    synchronizer,
    onboardingTransactions: topology.topologyTransactions.map((transaction) => ({ transaction })),
    multiHashSignatures: [
      signatureBy(signer, topology.publicKeyFingerprint, Buffer.from(topology.multiHash, 'base64').toString('hex')),
    ],
  });

  it('is allocated by one signature of the combined hash, and can act through a user', async () => {
    const topology = await generate();
    expect(topology.partyId).toBe(`dave::${topology.publicKeyFingerprint}`);
    expect(await ledger.done('POST', ALLOCATE, { ...signed(topology), userId: 'ann' })).toEqual({
      partyId: topology.partyId,
    });
    expect(await rightsOf('ann')).toEqual([actAs(topology.partyId)]);
    expect(await ledger.done('GET', `/v2/parties/${topology.partyId}`)).toMatchObject({
      partyDetails: [{ party: topology.partyId, isLocal: true }],
    });
  });

  it('is allocated by a signature of each transaction', async () => {
    const { topologyTransactions, publicKeyFingerprint, partyId } = await generate();
    const onboardingTransactions = topologyTransactions.map((transaction) => ({
      transaction,
      signatures: [signatureBy(key, publicKeyFingerprint, hashOf(11, Buffer.from(transaction, 'base64')))],
    }));
    expect(await ledger.done('POST', ALLOCATE, { synchronizer, onboardingTransactions })).toEqual({ partyId });
  });

  it('has a combined hash of its sorted transaction hashes, as clients compute it', async () => {
    const { topologyTransactions, multiHash } = await generate();
    const hashes = topologyTransactions.map((transaction) => hashOf(11, Buffer.from(transaction, 'base64'))).sort();
    const pieces = hashes.flatMap((hash) => [u32(34), Buffer.from(hash, 'hex')]);
    expect(multiHash).toBe(base64(hashOf(55, u32(hashes.length), ...pieces)));
  });

  it('is not allocated twice', async () => {
    const request = signed(await generate());
    await ledger.done('POST', ALLOCATE, request);
    await ledger.refused(409, 'EXTERNAL_PARTY_ALREADY_EXISTS', 'POST', ALLOCATE, request);
  });

  it('is accepted without effect at a second participant of its topology', async () => {
    const { participantId } = ledger.server;
    const topology = await generate({
      otherConfirmingParticipantUids: [`sv-1::${namespace}`, participantId],
      observingParticipantUids: [`PAR::sv-2::${namespace}`],
    });
    const hosting = JSON.parse(
      Buffer.from(topology.topologyTransactions[1] ?? '', 'base64').toString('utf8'),
    ) as object;
    expect(hosting).toMatchObject({
      participant: participantId,
      threshold: 2,
      others: [
        { participant: `PAR::sv-1::${namespace}`, permission: 'confirmation' },
        { participant: `PAR::sv-2::${namespace}`, permission: 'observation' },
      ],
    });
    await ledger.done('POST', ALLOCATE, signed(topology));
  });

  it('cannot be allocated for other users by a user without the right to administer', async () => {
    const request = signed(await generate());
    await ledger.as('ann').refused(403, 'NA', 'POST', ALLOCATE, request);
    await ledger.as('ann').done('POST', ALLOCATE, { ...request, userId: 'ann' });
  });

  it('is not allocated for an unknown user', async () => {
    const topology = await generate();
    const request = { ...signed(topology), userId: 'missing' };
    await ledger.refused(404, 'USER_NOT_FOUND', 'POST', ALLOCATE, request);
    expect(isKnownParty(ledger.server.state, PartyId.of('dave'))).toBe(false);
    expect(await ledger.done('GET', `/v2/parties/${topology.partyId}`)).toEqual({ partyDetails: [] });
  });

  it.each<[cause: string, change: (topology: Topology) => object]>([
    ['INVALID_SIGNATURE', (topology) => signed(topology, keyOf('mallory'))],
    ['INVALID_SIGNATURE', (topology) => ({ ...signed(topology), multiHashSignatures: [] })],
    [
      'none is signedBy',
      (topology) => ({ ...signed(topology), multiHashSignatures: [signatureBy(key, '1220', topology.multiHash)] }),
    ],
    ['onboardingTransactions', (topology) => ({ ...signed(topology), onboardingTransactions: [] })],
    ['synchronizer: got x', (topology) => ({ ...signed(topology), synchronizer: 'x' })],
    [
      'transactions',
      (topology) => signed({ ...topology, topologyTransactions: topology.topologyTransactions.slice(0, 2) }),
    ],
  ])('with an invalid field is refused, and the cause contains %s', async (cause, change) => {
    const request = change(await generate());
    const refused = await ledger.refused(400, 'INVALID_ARGUMENT', 'POST', ALLOCATE, request);
    expect(refused['cause']).toContain(cause);
  });

  it.each([
    ['publicKey.format', { publicKey: { ...publicKey, format: 'DER' } }],
    ['publicKey.keySpec', { publicKey: { ...publicKey, keySpec: 'EC_P256' } }],
    ['publicKey.keyData', { publicKey: { ...publicKey, keyData: 'AAAA' } }],
    ['hint', { partyHint: 'a b' }],
    ['participant: got x', { otherConfirmingParticipantUids: ['x'] }],
    ['threshold', { confirmationThreshold: 2 }],
    ['synchronizer', { synchronizer: 'x' }],
  ])('has no topology for a malformed %s', async (cause, change) => {
    const request = { synchronizer, partyHint: 'dave', publicKey, ...change };
    expect((await ledger.refused(400, 'INVALID_ARGUMENT', 'POST', GENERATE, request))['cause']).toContain(cause);
  });
});

describe('the participant', () => {
  it('names itself, its version and its synchronizer', async () => {
    const { participantId, validator } = ledger.server;
    expect(await ledger.as('ann').done('GET', '/v2/parties/participant-id')).toEqual({
      participantId: participantId.slice(5),
    });
    const version = await ledger.server.fetch('/v2/version');
    expect(await version.json()).toMatchObject({ version: expect.stringMatching(/^3\.4/) as string });
    const connected = async (query: string) =>
      (await ledger.as('ann').done('GET', `/v2/state/connected-synchronizers${query}`))['connectedSynchronizers'];
    const one = { synchronizerAlias: 'global', synchronizerId: synchronizer };
    expect(await connected('')).toEqual([{ ...one, permission: 'PARTICIPANT_PERMISSION_UNSPECIFIED' }]);
    expect(await connected(`?party=${validator}`)).toEqual([
      { ...one, permission: 'PARTICIPANT_PERMISSION_SUBMISSION' },
    ]);
    expect(await connected(`?party=${PartyId.of('sv-1')}`)).toEqual([]);
    expect(await ledger.as('ann').ask('GET', '/v2/state/connected-synchronizers?party=x')).toMatchObject({
      status: 400,
    });
  });
});

describe('a package archive', () => {
  const [one, two] = ['ab', 'cd'].map((byte) => byte.repeat(32)) as [string, string];
  const archive = Buffer.from(`PK name-1.0.0-${one}.dalf other-${two}.dalf ${one}.dalf`, 'latin1');
  const packages = async () => (await ledger.done('GET', '/v2/packages'))['packageIds'];
  const statusOf = async (id: string) => (await ledger.done('GET', `/v2/packages/${id}/status`))['packageStatus'];

  it('adds the packages in its file names, once', async () => {
    expect(await packages()).not.toContain(one);
    expect(await statusOf(one)).toBe('PACKAGE_STATUS_UNSPECIFIED');
    for (const path of ['/v2/packages?vetAllPackages=true', `/v2/dars?synchronizerId=${synchronizer}`])
      expect(await ledger.done('POST', path, archive)).toEqual({});
    expect(await packages()).toEqual(expect.arrayContaining([one, two]));
    expect(await statusOf(two)).toBe('PACKAGE_STATUS_REGISTERED');
    const records = await ledger.server.fetch('/log', {
      headers: { authorization: `Bearer ${await ledger.server.token('ledger-api-user')}` },
    });
    expect((await records.text()).match(/"DarRecorded"/g)).toHaveLength(1);
  });

  it('has its own hash as its only id when its name has no package ids', async () => {
    const bytes = Buffer.from([0, 255, 128, 10, 13, 195]);
    await ledger.done('POST', '/v2/dars', bytes);
    expect(await packages()).toContain(createHash('sha256').update(bytes).digest('hex'));
  });

  it('can be larger than other bodies, up to its own limit', async () => {
    const { server } = ledger;
    const small = await ledgerServer({ limits: { bodyBytes: 100, packageBytes: 200 } });
    await small.done('POST', '/v2/dars', Buffer.alloc(200, 1));
    await small.refused(413, 'REQUEST_REFUSED', 'POST', '/v2/dars', Buffer.alloc(201, 1));
    await small.server.close();
    expect(server.config.limits.packageBytes).toBeGreaterThan(server.config.limits.bodyBytes);
  });

  it('is refused when it is empty, for another synchronizer, and to users without the right to administer', async () => {
    await ledger.refused(400, 'INVALID_ARGUMENT', 'POST', '/v2/dars');
    await ledger.refused(400, 'INVALID_ARGUMENT', 'POST', '/v2/dars?synchronizerId=x', archive);
    await ledger.as('ann').refused(403, 'NA', 'POST', '/v2/packages', archive);
  });
});

function u32(value: number): Buffer {
  return Buffer.from([0, 0, 0, value]);
}

function hashOf(purpose: number, ...parts: readonly Buffer[]): string {
  return `1220${createHash('sha256')
    .update(Buffer.concat([u32(purpose), ...parts]))
    .digest('hex')}`;
}
