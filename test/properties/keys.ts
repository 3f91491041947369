import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { externalPartyOf, type PartyId } from '@coinlab/core';

/** Somebody with an Ed25519 key of its own. */
export interface KeyHolder {
  readonly hint: string;
  readonly party: PartyId;
  /** Raw key, in hex. */
  readonly publicKey: string;
  /** Signature of the bytes of a hash, both in hex. */
  sign(hash: string): string;
}

// What stands before the 32 bytes of an Ed25519 key in PKCS #8.
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The holder of a key that follows from the hint, the same in every run. */
export function keyHolder(hint: string): KeyHolder {
  const seed = createHash('sha256').update(hint).digest();
  const key: KeyObject = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const party = externalPartyOf(hint, publicKey);
  if (!party.ok) throw new Error(`no party for ${hint}: ${JSON.stringify(party.error)}`);
  return {
    hint,
    party: party.value,
    publicKey,
    sign: (hash) => sign(null, Buffer.from(hash, 'hex'), key).toString('hex'),
  };
}
