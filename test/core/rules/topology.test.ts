import { createHash } from 'node:crypto';
import {
  combinedHash,
  externalPartyOf,
  fingerprintOf,
  generateTopology,
  isSignedBy,
  topologyKeyOf,
} from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { keyOf, participant } from '../external-keys.ts';

const { publicKey, sign } = keyOf('dave');
const sha256 = (...parts: readonly Buffer[]): string => createHash('sha256').update(Buffer.concat(parts)).digest('hex');
const u32 = (value: number): Buffer => Buffer.from([0, 0, 0, value]);

describe('the id of an external party', () => {
  it('is its hint and the fingerprint of its key: 1220 and the SHA-256 of purpose 12 and the key', () => {
    const fingerprint = `1220${sha256(u32(12), Buffer.from(publicKey, 'hex'))}`;
    expect(fingerprintOf(publicKey)).toEqual({ ok: true, value: fingerprint });
    expect(externalPartyOf('dave', publicKey)).toEqual({ ok: true, value: `dave::${fingerprint}` });
  });

  it('of an all-zero key equals the hash that sha256sum computes for the bytes 0, 0, 0, 12 and 32 zeros', () => {
    expect(fingerprintOf('00'.repeat(32))).toEqual({
      ok: true,
      value: '1220ea618da83b6c6b2c4557ffa17d722045169f52b8f50f3b31fc867e266de7e53d',
    });
  });

  it.each([
    ['short', publicKey.slice(2)],
    ['no hex', `zz${publicKey.slice(2)}`],
    ['long', `${publicKey}00`],
  ])('cannot be made of a key that is %s', (_, key) => {
    expect(fingerprintOf(key)).toMatchObject({ ok: false, error: { field: 'publicKey' } });
  });

  it('cannot be made of a hint with a space', () => {
    expect(externalPartyOf('da ve', publicKey)).toMatchObject({ ok: false, error: { field: 'hint' } });
  });
});

describe('the topology of an external party', () => {
  const topology = generateTopology({ hint: 'dave', publicKey, participant });
  if (!topology.ok) throw new Error('dave has a topology');
  const { party, transactions, multiHash } = topology.value;
  const contents = transactions.map(({ transaction }) => Buffer.from(transaction, 'base64'));

  it('delegates the namespace, names the host, and names the signing key', () => {
    expect(contents.map((content) => JSON.parse(content.toString('utf8')))).toEqual([
      { mapping: 'NamespaceDelegation', namespace: party.slice('dave::'.length), key: publicKey, isRoot: true },
      { mapping: 'PartyToParticipant', party, participant, permission: 'confirmation', threshold: 1 },
      { mapping: 'PartyToKeyMapping', party, key: publicKey, threshold: 1 },
    ]);
  });

  it('has hashes with purpose 11, as multihashes', () => {
    expect(transactions.map(({ hash }) => hash)).toEqual(contents.map((content) => `1220${sha256(u32(11), content)}`));
  });

  it('has one combined hash with purpose 55, independent of the order', () => {
    const hashes = transactions.map(({ hash }) => hash);
    const pieces = [...hashes].sort().flatMap((hash) => [u32(34), Buffer.from(hash, 'hex')]);
    expect(multiHash).toBe(`1220${sha256(u32(55), u32(3), ...pieces)}`);
    expect(combinedHash([...hashes].reverse())).toBe(multiHash);
    expect(combinedHash(hashes.slice(1))).not.toBe(multiHash);
  });

  it('contains the key of the party; transactions without a namespace delegation have no key', () => {
    const texts = transactions.map(({ transaction }) => transaction);
    expect(topologyKeyOf(texts)).toBe(publicKey);
    expect(topologyKeyOf(texts.slice(1))).toBeNull();
    expect(topologyKeyOf(['?', Buffer.from('[]').toString('base64')])).toBeNull();
  });

  it('names further participants in the hosting transaction', () => {
    const others = [{ participant: 'PAR::other::1220cd', permission: 'observation' }] as const;
    const shared = generateTopology({ hint: 'dave', publicKey, participant, others });
    if (!shared.ok) throw new Error('dave has a topology');
    const hosting = Buffer.from(shared.value.transactions[1]?.transaction ?? '', 'base64').toString('utf8');
    expect(JSON.parse(hosting)).toMatchObject({ participant, permission: 'confirmation', threshold: 1, others });
    expect(shared.value.multiHash).not.toBe(multiHash);
  });

  it('is the same for every spelling of the key', () => {
    expect(generateTopology({ hint: 'dave', publicKey: publicKey.toUpperCase(), participant })).toEqual(topology);
  });

  it.each([
    ['publicKey', { publicKey: 'ab' }],
    ['hint', { hint: '' }],
    ['participant', { participant: '' }],
    ['threshold', { threshold: 0 }],
    ['threshold', { threshold: 2 }],
    ['threshold', { observesOnly: true }],
  ])('is not generated when the field %s is invalid', (field, change) => {
    const answer = generateTopology({ hint: 'dave', publicKey, participant, ...change });
    expect(answer).toMatchObject({ ok: false, error: { field } });
  });
});

describe('a signature', () => {
  const hash = `1220${sha256(Buffer.from('what is signed'))}`;
  const signature = sign(hash);

  it('is valid when made by the key over the hash bytes', () => {
    expect(isSignedBy({ publicKey, hash, signature })).toBe(true);
    expect(isSignedBy({ publicKey: publicKey.toUpperCase(), hash, signature })).toBe(true);
  });

  it.each([
    ['by another key', { publicKey: keyOf('mallory').publicKey }],
    ['of another hash', { hash: `1220${sha256(Buffer.from('something else'))}` }],
    ['of the hash as a hex text', { signature: sign(Buffer.from(hash, 'utf8').toString('hex')) }],
    ['with a bit turned', { signature: `${signature.slice(0, -2)}00` }],
    ['with nothing in it', { signature: '' }],
    ['of all zeros', { signature: '00'.repeat(64) }],
    ['cut short', { signature: signature.slice(2) }],
    ['of a hash without its prefix', { hash: hash.slice(4) }],
    ['by a key that is no point of the curve', { publicKey: 'ff'.repeat(32) }],
  ])('is invalid if it is %s', (_, change) => {
    expect(isSignedBy({ publicKey, hash, signature, ...change })).toBe(false);
  });

  it('by the neutral point is refused, since anybody can compute it for any message', () => {
    const neutral = `01${'00'.repeat(31)}`;
    expect(isSignedBy({ publicKey: neutral, hash, signature: neutral + '00'.repeat(32) })).toBe(false);
  });

  it('is refused when its s is increased by the group order', () => {
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const s = BigInt(`0x${Buffer.from(signature.slice(64), 'hex').reverse().toString('hex')}`);
    const other = Buffer.from((s + order).toString(16).padStart(64, '0'), 'hex')
      .reverse()
      .toString('hex');
    expect(isSignedBy({ publicKey, hash, signature: signature.slice(0, 64) + other })).toBe(false);
  });
});
