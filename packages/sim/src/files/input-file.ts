import { ok, type Amount, type Result } from '@coinlab/core';
import { describeFault, fault, type FileFault } from '../input/fault.js';
import { NetworkReader, type NetworkRow } from '../input/network.js';
import { kindOf } from '../input/parse.js';
import { DEFAULT_UNIT, streamRows } from '../input/stream.js';
import { textPiecesOf } from './pieces.js';

/** A checked payment stream or network on disk. `rows` reads the file again each time, in memory that does not grow with it. */
export type InputFile =
  | { readonly kind: 'stream'; readonly file: string; readonly count: number; readonly rows: Iterable<bigint> }
  | {
      readonly kind: 'network';
      readonly file: string;
      readonly count: number;
      readonly rows: Iterable<NetworkRow>;
      /** Party names as in the file, in order of first use. */
      readonly parties: readonly string[];
    };

/**
 * Opens a payment stream or a network and checks it line by line. Only the names of the parties stay in memory.
 * @param unit amount of coin for an integer of 1 in a stream
 */
export function openInput(file: string, unit: Amount = DEFAULT_UNIT): Result<InputFile, FileFault> {
  try {
    const kind = kindOf(firstLineOf(file), file);
    if (!kind.ok) return kind;
    const reader = new NetworkReader(file);
    const count =
      kind.value === 'stream'
        ? counted(streamRows(textPiecesOf(file), file, unit))
        : counted(reader.rows(textPiecesOf(file)));
    if (!count.ok) return count;
    return ok(
      kind.value === 'stream'
        ? { kind: 'stream', file, count: count.value, rows: again(() => streamRows(textPiecesOf(file), file, unit)) }
        : {
            kind: 'network',
            file,
            count: count.value,
            rows: again(() => new NetworkReader(file).rows(textPiecesOf(file))),
            parties: [...reader.parties.keys()],
          },
    );
  } catch (error) {
    return fault(file, null, null, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function firstLineOf(file: string): string {
  for (const piece of textPiecesOf(file)) return piece.split('\n', 1)[0] ?? '';
  return '';
}

function counted(rows: Iterable<Result<unknown, FileFault>>): Result<number, FileFault> {
  let count = 0;
  for (const row of rows) {
    if (!row.ok) return row;
    count += 1;
  }
  return ok(count);
}

function again<Row>(read: () => Iterable<Result<Row, FileFault>>): Iterable<Row> {
  return {
    *[Symbol.iterator]() {
      for (const row of read()) {
        if (!row.ok) throw new Error(`the file has changed during the run: ${describeFault(row.error)}`);
        yield row.value;
      }
    },
  };
}
