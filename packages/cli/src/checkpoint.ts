import { createReadStream, existsSync, readFileSync, rmSync } from 'node:fs';
import { ResumableHash } from '@coinlab/sim';
import { PendingFile } from '@coinlab/sim/files';
import { BadInput, messageOf } from './exit-code.js';

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

export function readCheckpointFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new BadInput(`${file}: cannot be read: ${messageOf(error)}`);
  }
}

/**
 * Runs a simulation that SIGINT and SIGTERM stop. At its end, completes the log and deletes the checkpoint. After a
 * failure or a stop, keeps the partial log if a checkpoint can continue it.
 */
export async function stoppably<Result>(
  checkpoint: string,
  log: PendingFile | null,
  simulate: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const stopping = (): void => stop.abort();
  process.once('SIGINT', stopping).once('SIGTERM', stopping);
  try {
    const result = await simulate(stop.signal);
    log?.commit();
    rmSync(checkpoint, { force: true });
    return result;
  } catch (error) {
    if (existsSync(checkpoint)) log?.leave();
    else log?.discard();
    throw error;
  } finally {
    process.off('SIGINT', stopping).off('SIGTERM', stopping);
  }
}

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
