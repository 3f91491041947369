import { Amount, ok, type Result } from '@coinlab/core';
import { fault, quoted, type FileFault } from './fault.js';
import { linesIn } from './lines.js';

/** Default amount of coin for an integer of 1 in a stream: a satoshi reads as 0.0001 CC. */
export const DEFAULT_UNIT: Amount = Amount.of('0.0001');

/** The payments of one wallet in order: positive rows are receipts, negative rows payments. */
export interface PaymentStream {
  readonly kind: 'stream';
  readonly file: string;
  /** Coin per 1 in the file, when the file has integers. */
  readonly unit: Amount;
  /** Amounts in units of 10⁻¹⁰ coin; exact. */
  readonly rows: readonly bigint[];
}

const ROWS: IntegerForm = {
  start: /^-?\d*/,
  expected: 'a whole number: positive for a receipt, negative for a payment',
};

/** Parses a stream: one signed integer per line. Stops at the first fault. */
export function parseStream(text: string, file: string, unit: Amount = DEFAULT_UNIT): Result<PaymentStream, FileFault> {
  const rows = collected(streamRows([text], file, unit));
  return rows.ok ? ok({ kind: 'stream', file, unit, rows: rows.value }) : rows;
}

export function streamRows(
  pieces: Iterable<string>,
  file: string,
  unit: Amount,
): Generator<Result<Amount, FileFault>, void, undefined> {
  return integers(pieces, file, unit, ROWS);
}

/** Parses an initial wallet: one UTXO above zero per line, in order of creation. */
export function parseOpening(
  text: string,
  file: string,
  unit: Amount = DEFAULT_UNIT,
): Result<readonly Amount[], FileFault> {
  return collected(
    integers([text], file, unit, { start: /^\d*/, expected: 'a whole number above zero, one UTXO per line' }),
  );
}

function collected(rows: Iterable<Result<Amount, FileFault>>): Result<readonly Amount[], FileFault> {
  const amounts: Amount[] = [];
  for (const row of rows) {
    if (!row.ok) return row;
    amounts.push(row.value);
  }
  return ok(amounts);
}

interface IntegerForm {
  readonly start: RegExp;
  readonly expected: string;
}

function* integers(
  pieces: Iterable<string>,
  file: string,
  unit: Amount,
  form: IntegerForm,
): Generator<Result<Amount, FileFault>, void, undefined> {
  let received = 0n;
  let at = 0;
  for (const line of linesIn(pieces)) {
    at += 1;
    const read = integerIn(line, form);
    const units = read === null ? 0n : read.value * unit;
    if (read === null || (read.isExact && units === 0n)) {
      const column = read === null ? (form.start.exec(line)?.[0] ?? '').length + 1 : 1;
      return yield fault(file, at, column, `got ${quoted(line)}, expected ${form.expected}`);
    }
    if (!read.isExact || !Amount.inRange(units))
      return yield fault(file, at, 1, `got ${quoted(line)}, which times ${Amount.short(unit)} coin exceeds 38 digits`);
    if (units > 0n) received += units;
    if (!Amount.inRange(received))
      return yield fault(file, at, 1, 'the sum of receipts up to this line exceeds 38 digits of coin');
    yield ok(Amount.ofUnits(units));
  }
  if (at === 0) yield fault(file, 1, 1, 'the file is empty; expected one whole number per line');
}

/** Long lines are not converted, because they are out of range. */
function integerIn(line: string, { start }: IntegerForm): { readonly value: bigint; readonly isExact: boolean } | null {
  if (start.exec(line)?.[0] !== line || !/\d/.test(line)) return null;
  return line.length > 40 ? { value: 0n, isExact: false } : { value: BigInt(line), isExact: true };
}
