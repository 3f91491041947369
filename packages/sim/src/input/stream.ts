import { Amount, ok, type Result } from '@coinlab/core';
import { fault, quoted, type FileFault } from './fault.js';
import { linesOf } from './lines.js';

/** Coin per integer of a stream by default: a satoshi reads as 0.0001 CC. */
export const DEFAULT_UNIT: Amount = Amount.of('0.0001');

/** The payments of one wallet in order: positive rows are receipts, negative rows payments. */
export interface PaymentStream {
  readonly kind: 'stream';
  readonly file: string;
  /** Coin per integer of the file. */
  readonly unit: Amount;
  /** In units of 10⁻¹⁰ coin; exact. */
  readonly rows: readonly bigint[];
}

/** Parses a stream: one signed integer per line. Stops at the first fault. */
export function parseStream(text: string, file: string, unit: Amount = DEFAULT_UNIT): Result<PaymentStream, FileFault> {
  const rows = parseIntegers(text, file, unit, {
    start: /^-?\d*/,
    expected: 'a whole number: positive for a receipt, negative for a payment',
  });
  return rows.ok ? ok({ kind: 'stream', file, unit, rows: rows.value }) : rows;
}

/** Parses an initial wallet: one UTXO above zero per line, in order of creation. */
export function parseOpening(
  text: string,
  file: string,
  unit: Amount = DEFAULT_UNIT,
): Result<readonly Amount[], FileFault> {
  const form = { start: /^\d*/, expected: 'a whole number above zero, one UTXO per line' };
  return parseIntegers(text, file, unit, form);
}

function parseIntegers(
  text: string,
  file: string,
  unit: Amount,
  { start, expected }: { readonly start: RegExp; readonly expected: string },
): Result<readonly Amount[], FileFault> {
  const rows: Amount[] = [];
  let received = 0n;
  const lines = linesOf(text);
  if (lines.length === 0) return fault(file, 1, 1, 'the file is empty; expected one whole number per line');
  for (const [i, line] of lines.entries()) {
    const at = i + 1;
    const digits = start.exec(line)?.[0] ?? '';
    if (digits !== line || !/\d/.test(line))
      return fault(file, at, digits.length + 1, `got ${quoted(line)}, expected ${expected}`);
    const units = line.length > 40 ? null : BigInt(line) * unit;
    if (units === null || !Amount.inRange(units)) {
      return fault(file, at, 1, `got ${quoted(line)}, which times ${Amount.short(unit)} coin exceeds 38 digits`);
    }
    if (units === 0n) return fault(file, at, 1, `got ${quoted(line)}, expected ${expected}`);
    if (units > 0n) received += units;
    if (!Amount.inRange(received))
      return fault(file, at, 1, 'the sum of receipts up to this line exceeds 38 digits of coin');
    rows.push(Amount.ofUnits(units));
  }
  return ok(rows);
}
