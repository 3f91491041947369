import type { Disk } from './disk.js';

/** Bytes of a file. They end with a line break, except at the end of a file whose last line has none. */
export interface WholeLines {
  readonly bytes: Buffer;
  /** Position of the first byte in the file. */
  readonly at: number;
}

const LINE_BREAK = 0x0a;
const PIECE = 1024 * 1024;

/**
 * Reads a file in pieces of whole lines. A piece is valid until the next one is read, because all use the same memory:
 * the first use of memory takes longer than reading a cached file, on virtual machines more than ten times as long.
 */
export function* wholeLines(disk: Disk, path: string): Generator<WholeLines> {
  let buffer = Buffer.allocUnsafeSlow(PIECE);
  let at = 0;
  let kept = 0;
  for (;;) {
    const length = kept + disk.readInto(path, at + kept, buffer.subarray(kept));
    if (length < buffer.length) {
      if (length > 0) yield { bytes: buffer.subarray(0, length), at };
      return;
    }
    const end = buffer.lastIndexOf(LINE_BREAK) + 1;
    if (end === 0) buffer = Buffer.concat([buffer], 2 * buffer.length);
    else yield { bytes: buffer.subarray(0, end), at };
    buffer.copyWithin(0, end, length);
    at += end;
    kept = length - end;
  }
}
