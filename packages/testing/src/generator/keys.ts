import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { externalPartyOf } from '@coinlab/core/rules';
import type { PartyId } from '@coinlab/core';
import { Hex } from '@coinlab/core/codec';
import { invariant } from '@coinlab/core/workflows';

/** A holder of an Ed25519 key. */
export interface KeyHolder {
  readonly hint: string;
  readonly party: PartyId;
  readonly publicKey: string;
  /** Returns the signature of a hash; both are in hex. */
  sign(hash: string): string;
}

/**
 * Returns a holder whose key is derived from the hint, so every run has the same key. The key is not secret:
 * use it only in tests.
 */
export function keyHolder(hint: string): KeyHolder {
  const key = sha256(utf8ToBytes(hint));
  const publicKey = Hex.format(ed25519.getPublicKey(key));
  const party = externalPartyOf(hint, publicKey);
  invariant(party.ok, 'a hint makes a party id');
  return {
    hint,
    party: party.value,
    publicKey,
    sign: (hash) => Hex.format(ed25519.sign(hexToBytes(hash), key)),
  };
}
