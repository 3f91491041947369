import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { malformed, type Malformed } from './malformed.js';
import { ok, type Result } from './result.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Converts bytes to base64 and back. Portable: the platforms' own functions need Node or a browser. */
export const Base64 = {
  format(bytes: Uint8Array): string {
    let text = '';
    for (let i = 0; i < bytes.length; i += 3) {
      const left = bytes.length - i;
      const bits = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
      text += ALPHABET.charAt(bits >>> 18) + ALPHABET.charAt((bits >>> 12) & 63);
      text += left > 1 ? ALPHABET.charAt((bits >>> 6) & 63) : '=';
      text += left > 2 ? ALPHABET.charAt(bits & 63) : '=';
    }
    return text;
  },

  parse(text: unknown, field: string = 'bytes'): Result<Uint8Array, Malformed> {
    if (typeof text !== 'string' || !BASE64.test(text)) return malformed(field, text, 'standard base64 with padding');
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
    const bytes = new Uint8Array((text.length / 4) * 3 - padding);
    let at = 0;
    for (let i = 0; i < text.length; i += 4) {
      let bits = 0;
      for (let j = i; j < i + 4; j++) bits = (bits << 6) | (CODES.get(text.charAt(j)) ?? 0);
      for (let shift = 16; shift >= 0 && at < bytes.length; shift -= 8) bytes[at++] = (bits >>> shift) & 255;
    }
    return ok(bytes);
  },
} as const;

const CODES: ReadonlyMap<string, number> = new Map([...ALPHABET].map((digit, value) => [digit, value]));

/** Converts bytes to hex and back. */
export const Hex = {
  format(bytes: Uint8Array): string {
    return bytesToHex(bytes);
  },

  /** Returns the bytes of a hex text of exactly `length` bytes, in upper or lower case, or a `Malformed` refusal that names `field`. */
  parse(text: unknown, length: number, field: string = 'bytes'): Result<Uint8Array, Malformed> {
    if (typeof text !== 'string' || text.length !== length * 2 || !/^[0-9a-fA-F]*$/.test(text)) {
      return malformed(field, text, `${length} bytes in hex`);
    }
    return ok(hexToBytes(text));
  },
} as const;

/** Returns the SHA-256 of the concatenated pieces. */
export type Sha256 = (...pieces: readonly Uint8Array[]) => Uint8Array;

/** Portable implementation. The hash function of the platform returns the same bytes, up to ten times as fast. */
export const sha256Of: Sha256 = (...pieces) => {
  const hash = sha256.create();
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
};

export function u32be(value: number): Uint8Array {
  return new Uint8Array([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);
}

/** A multihash of 34 bytes in hex, so it starts with `1220`. The purpose keeps hashes of different kinds of data apart. Source: specification §9.1. */
export function purposeHash(purpose: number, ...content: readonly Uint8Array[]): string {
  return `1220${bytesToHex(sha256(concatBytes(u32be(purpose), ...content)))}`;
}
