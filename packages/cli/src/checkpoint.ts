import { createReadStream } from 'node:fs';
import { ResumableHash } from '@coinlab/sim';
import { PendingFile } from '@coinlab/sim/files';
import { BadInput, messageOf } from './exit-code.js';

/** Replaces a checkpoint atomically. */
export function writeCheckpoint(name: string, lines: Iterable<string>): void {
  const file = new PendingFile(name);
  try {
    for (const line of lines) file.write(Buffer.from(`${line}\n`));
    file.sync();
    file.commit();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** Refuses a partial log whose first bytes do not have the hash of the checkpoint. */
export async function refuseOtherLog(part: string, bytes: number, hash: string): Promise<void> {
  const expected = await ResumableHash.create();
  expected.restore(hash);
  const found = await ResumableHash.create();
  let length = 0;
  try {
    if (bytes > 0)
      // Without an encoding the stream yields bytes; its declared type is any.
      for await (const piece of createReadStream(part, { end: bytes - 1 }) as AsyncIterable<Uint8Array>) {
        found.update(piece);
        length += piece.length;
      }
  } catch (error) {
    throw new BadInput(`${part}: cannot be read: ${messageOf(error)}; leave out --log to resume without it`);
  }
  if (length !== bytes || found.digest() !== expected.digest())
    throw new BadInput(`${part}: this is not the log of the checkpoint; leave out --log to resume without it`);
}
