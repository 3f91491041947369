import { ed25519 } from '@noble/curves/ed25519.js';
import { Hex, purposeHash } from '../../kernel/bytes.js';
import { PartyId } from '../../kernel/ids.js';
import type { Malformed } from '../../kernel/malformed.js';
import { ok, type Result } from '../../kernel/result.js';

const FINGERPRINT_PURPOSE = 12;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** Hex digits of a SHA-256: the hash of a transaction may lack the two bytes that make it a multihash. */
const SHA256_HEX = 64;
const MULTIHASH_BYTES = 34;

/** A hash and the signature to be checked, in hex. */
export interface Signed {
  /** Raw Ed25519 key of 32 bytes. */
  readonly publicKey: string;
  /** SHA-256 of 32 bytes, or multihash of 34; the signature covers the bytes, not their hex. */
  readonly hash: string;
  /** 64 bytes: r, then s. */
  readonly signature: string;
}

/**
 * Verifies signatures in place of {@link isSignedBy}, and must agree with it. The platform's own verification may be
 * twenty times as fast. Decision: ADR 0006.
 */
export type SignatureCheck = (signed: Signed) => boolean;

/** Returns the fingerprint of an Ed25519 key: `1220` and the SHA-256 of the purpose number 12 and the key. Source: specification §9.1. */
export function fingerprintOf(publicKey: string): Result<string, Malformed> {
  const key = Hex.parse(publicKey, KEY_BYTES, 'publicKey');
  return key.ok ? ok(purposeHash(FINGERPRINT_PURPOSE, key.value)) : key;
}

/** Returns the party of a hint and an Ed25519 key: `hint::fingerprint`. Source: specification §9.1. */
export function externalPartyOf(hint: string, publicKey: string): Result<PartyId, Malformed> {
  const fingerprint = fingerprintOf(publicKey);
  return fingerprint.ok ? PartyId.parse(`${hint}::${fingerprint.value}`, 'hint') : fingerprint;
}

/**
 * Returns whether a signature is valid for the key and the bytes of the hash; false for malformed values. Strict as
 * in RFC 8032: a signature has one form only, so a valid one cannot be changed into another.
 * Source: specification §9.1. Decision: ADR 0006.
 */
export const isSignedBy: SignatureCheck = ({ publicKey, hash, signature }) => {
  const key = Hex.parse(publicKey, KEY_BYTES);
  const message = Hex.parse(hash, hash.length === SHA256_HEX ? SHA256_HEX / 2 : MULTIHASH_BYTES);
  const signed = Hex.parse(signature, SIGNATURE_BYTES);
  if (!key.ok || !message.ok || !signed.ok) return false;
  return ed25519.verify(signed.value, message.value, key.value, { zip215: false });
};
