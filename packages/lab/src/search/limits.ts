import type { Stream } from '@coinlab/sim';

/**
 * Limits of the searched payment streams. A payment never exceeds the balance before it. Amounts are integers in units of the
 * stream.
 */
export interface StreamLimits {
  readonly rows: number;
  /** Smallest and largest absolute amount of a row. */
  readonly amounts: { readonly least: number; readonly most: number };
  readonly receipts: { readonly least: number; readonly most: number };
  /** Largest balance at any time; Infinity for no limit. */
  readonly balance: number;
}

/** A payment stream: positive rows are receipts, negative rows payments. */
export type Rows = readonly number[];

/** Returns whether a stream respects the limits. A stream with a negative balance after any row does not. */
export function isWithin(rows: Rows, limits: StreamLimits): boolean {
  const { least, most } = limits.amounts;
  let balance = 0;
  let receipts = 0;
  for (const row of rows) {
    if (Math.abs(row) < least || Math.abs(row) > most) return false;
    if (row > 0) receipts += 1;
    balance += row;
    if (balance < 0 || balance > limits.balance) return false;
  }
  const [fewest, greatest] = receiptCounts(limits);
  return rows.length === limits.rows && receipts >= fewest && receipts <= greatest;
}

const TRIES = 2_000;

/** Draws a stream within the limits row by row. Throws a RangeError when {@link TRIES} attempts fail. */
export function drawnStream(limits: StreamLimits, draws: Stream): Rows {
  for (let tries = 0; tries < TRIES; tries++) {
    const rows = attempt(limits, draws);
    if (rows && isWithin(rows, limits)) return rows;
  }
  throw new RangeError(`none of ${TRIES} drawn streams is within the limits; widen receipts, amounts or balance`);
}

function attempt(limits: StreamLimits, draws: Stream): Rows | null {
  const { least, most } = limits.amounts;
  const [fewest, greatest] = receiptCounts(limits);
  if (greatest < fewest) return null;
  let receipts = fewest + draws.below(greatest - fewest + 1);
  let balance = 0;
  const rows: number[] = [];
  for (let left = limits.rows; left > 0; left--) {
    const canReceive = receipts > 0 && balance + least <= limits.balance;
    const canPay = receipts < left && balance >= least;
    if (!canReceive && !canPay) return null;
    const isReceipt = canReceive && (!canPay || draws.below(left) < receipts);
    const largest = Math.min(most, isReceipt ? limits.balance - balance : balance);
    const amount = least + draws.below(largest - least + 1);
    if (isReceipt) receipts -= 1;
    rows.push(isReceipt ? amount : -amount);
    balance += isReceipt ? amount : -amount;
  }
  return rows;
}

/** Yields every stream within the limits, in order of rows. For small limits only: see {@link boundOf}. */
export function* streamsWithin(limits: StreamLimits): Generator<Rows, void, undefined> {
  const { least, most } = limits.amounts;
  const rows: number[] = [];
  yield* from(0);

  function* from(balance: number): Generator<Rows, void, undefined> {
    if (rows.length === limits.rows) {
      if (isWithin(rows, limits)) yield [...rows];
      return;
    }
    for (let amount = -most; amount <= most; amount++) {
      if (Math.abs(amount) < least || balance + amount < 0 || balance + amount > limits.balance) continue;
      rows.push(amount);
      yield* from(balance + amount);
      rows.pop();
    }
  }
}

/** Returns an upper bound of the number of streams within the limits; Infinity when it exceeds a double. */
export function boundOf({ rows, amounts: { least, most } }: StreamLimits): number {
  return (2 * (most - least + 1)) ** rows;
}

function receiptCounts({ rows, receipts: { least, most } }: StreamLimits): readonly [fewest: number, greatest: number] {
  // Avoids rounding errors of shares such as 0.7 of ten rows.
  return [Math.ceil(least * rows - 1e-9), Math.floor(most * rows + 1e-9)];
}
