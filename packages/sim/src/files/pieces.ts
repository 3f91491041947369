import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const PIECE = 1 << 18;

export function* piecesOf(file: string): Generator<Uint8Array, void, undefined> {
  const descriptor = openSync(file, 'r');
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE);
      const size = readSync(descriptor, piece);
      if (size === 0) return;
      yield piece.subarray(0, size);
    }
  } finally {
    closeSync(descriptor);
  }
}

export function* textPiecesOf(file: string): Generator<string, void, undefined> {
  const decoder = new StringDecoder('utf8');
  for (const piece of piecesOf(file)) yield decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
  yield decoder.end();
}
