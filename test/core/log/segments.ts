import { createHash } from 'node:crypto';

/** The bytes within the segments of a compact log. */
export function payloadsOf(log: Uint8Array): readonly Uint8Array[] {
  const payloads: Uint8Array[] = [];
  for (let at = 0; at < log.length;) {
    const length = Buffer.from(log).readUInt32LE(at);
    payloads.push(log.slice(at + 4, at + 4 + length));
    at += 4 + length + 16;
  }
  return payloads;
}

/** Segments of these bytes, with the length and the hash that they should have. */
export function sealed(payloads: readonly Uint8Array[]): Uint8Array {
  let hash = Buffer.alloc(16);
  return Buffer.concat(
    payloads.map((payload) => {
      hash = createHash('sha256').update(hash).update(payload).digest().subarray(0, 16);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(payload.length);
      return Buffer.concat([length, payload, hash]);
    }),
  );
}
