import { contractsByKey, firstByKey } from '@coinlab/core/views';
import type { Command } from '@coinlab/core';
import { partyAnnotationsKey, uploadedDarKey, uploadedDarsKey, uploadedPackageKey } from '@coinlab/core/contracts';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, provider, worldOf } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const participant = 'PAR::participant::1220ab';
const [one, two, three] = ['ab', 'cd', 'ef'].map((byte) => byte.repeat(32)) as [string, string, string];

describe('the annotations of a party', () => {
  const annotate = (annotations: Readonly<Record<string, string>>): Command => ({
    type: 'AnnotateParty',
    operator: provider,
    participant,
    party: alice,
    annotations,
  });

  it('are replaced as a whole, with a version number that grows by one', () => {
    const world = worldOf();
    world.accepted('PartyAnnotated', annotate({ team: 'a', role: 'b' }), provider);
    world.accepted('PartyAnnotated', annotate({ team: 'c' }), provider);
    const found = firstByKey(world.state, 'PartyAnnotations', partyAnnotationsKey(participant, alice));
    expect(found).toMatchObject({ party: alice, annotations: { team: 'c' }, resourceVersion: 2 });
    expect(firstByKey(world.state, 'PartyAnnotations', partyAnnotationsKey(participant, bob))).toBeNull();
  });

  it('can be replaced by their own operator only', () => {
    const world = worldOf();
    world.submit(annotate({}), provider);
    const other: Command = { type: 'AnnotateParty', operator: carol, participant, party: alice, annotations: {} };
    expect(world.refused('NOT_AUTHORISED', other, carol).required).toBe(provider);
  });

  precedence(
    { actAs: provider, annotations: {} },
    [
      ['NOT_AUTHORISED', { actAs: alice }],
      ['INVALID_ARGUMENT', { annotations: { note: 'x'.repeat(262_141) } }],
    ],
    (code, { actAs, annotations }) => void worldOf().refused(code, annotate(annotations), actAs),
  );
});

describe('an uploaded archive', () => {
  const upload = (hash: string, ...packages: readonly string[]): Extract<Command, { type: 'RecordDar' }> => ({
    type: 'RecordDar',
    operator: provider,
    participant,
    hash,
    packages,
  });

  it('is found by its hash, by its packages and by its participant', () => {
    const world = worldOf();
    world.accepted('DarRecorded', upload(one, two, three, two), provider);
    const dar = firstByKey(world.state, 'UploadedDar', uploadedDarKey(participant, one));
    expect(dar).toMatchObject({ hash: one, packages: [two, three] });
    expect(firstByKey(world.state, 'UploadedDar', uploadedPackageKey(participant, three))).toBe(dar);
    expect([...contractsByKey(world.state, 'UploadedDar', uploadedDarsKey(participant))]).toEqual([dar]);
    expect(firstByKey(world.state, 'UploadedDar', uploadedPackageKey('PAR::other::1220cd', three))).toBeNull();
  });

  precedence(
    { actAs: provider, ...upload(two, three) },
    [
      ['NOT_AUTHORISED', { actAs: alice }],
      ['INVALID_ARGUMENT', { actAs: provider, hash: 'AB' }, 'no hash'],
      ['INVALID_ARGUMENT', { hash: one, packages: [] }, 'no packages'],
      ['INVALID_ARGUMENT', { packages: [two, 'x'] }, 'no package id'],
      ['INVALID_ARGUMENT', { packages: manyIds(1_001) }, 'too many packages'],
      ['ALREADY_EXISTS', { hash: one, packages: manyIds(1_000) }],
    ],
    (code, { actAs, ...command }) => {
      const world = worldOf();
      world.submit(upload(one, two), provider);
      world.refused(code, command, actAs);
    },
  );
});

function manyIds(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => i.toString(16).padStart(64, '0'));
}
