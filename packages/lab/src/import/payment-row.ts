import type { Amount } from '@coinlab/core';
import { textOf, type ForeignCell, type Read } from './cell.js';
import type { ColumnChoice, ImportField } from './columns.js';
import type { AmountReader } from './decimals.js';
import type { RowTaker } from './foreign-table.js';
import { OUTSIDE, type PartyNames } from './party-names.js';
import { PaymentList } from './payment-list.js';
import type { Rejected, Rejects } from './rejects.js';
import type { TimeReader } from './times.js';

interface Readers {
  readonly amounts: AmountReader;
  readonly times: TimeReader;
  readonly names: PartyNames;
  readonly rejects: Rejects;
}

/** The party of a statement, which names neither sender nor recipient. */
const STATEMENT_PARTY = 'wallet';

/** Reads the rows of a table as payments. */
export class PaymentRowReader implements RowTaker {
  readonly payments: PaymentList = new PaymentList();
  /** The columns to read, in the order of the cells. */
  readonly columns: readonly string[];
  readonly hasTimes: boolean;
  rows = 0;
  sum = 0n;
  fromOutside = 0;
  toOutside = 0;
  readonly #readers: Readers;
  readonly #places: ReadonlyMap<ImportField, readonly number[]>;
  readonly #isStatement: boolean;

  constructor(chosen: readonly ColumnChoice[], readers: Readers) {
    this.#readers = readers;
    this.columns = chosen.flatMap(({ columns }) => columns);
    const places = new Map<ImportField, readonly number[]>();
    let next = 0;
    for (const { field, columns } of chosen)
      places.set(
        field,
        columns.map(() => next++),
      );
    this.#places = places;
    this.hasTimes = places.has('time');
    this.#isStatement = !places.has('from');
  }

  broken(line: number, value: string, reason: string): void {
    this.rows += 1;
    this.#readers.rejects.add(line, [{ field: 'row', value, reason }]);
  }

  row(line: number, cells: readonly ForeignCell[]): void {
    this.rows += 1;
    const { amounts, times, rejects } = this.#readers;
    const cell = (field: ImportField): ForeignCell => cells[this.#places.get(field)?.[0] ?? -1];
    const faults: Omit<Rejected, 'line'>[] = [];
    const read = <Value>(field: ImportField, value: ForeignCell, found: Read<Value>): Value | null => {
      if (found.ok) return found.value;
      faults.push({ field, value: textOf(value), reason: found.error });
      return null;
    };
    const amount = read('amount', cell('amount'), this.#amount(amounts.read(cell('amount'))));
    const timeCells = (this.#places.get('time') ?? []).map((place) => cells[place]);
    const time = this.hasTimes
      ? read('time', timeCells.map(textOf).join(' '), times.read(timeCells))
      : this.payments.length;
    const ends = this.#isStatement ? null : this.#ends(textOf(cell('from')), textOf(cell('to')));
    if (ends !== null && 'reason' in ends) faults.push(ends);
    if (faults.length > 0 || amount === null || time === null || (ends !== null && 'reason' in ends)) {
      rejects.add(line, faults);
      return;
    }
    this.#add(ends ?? this.#statementEnds(amount), amount, { time, line });
  }

  #amount(found: Read<Amount>): Read<Amount> {
    return found.ok && found.value < 0n && !this.#isStatement
      ? { ok: false, error: 'is negative, expected an amount above zero from the sender to the recipient' }
      : found;
  }

  #ends(from: string, to: string): Ends | Omit<Rejected, 'line'> {
    const { names } = this.#readers;
    const [isFromOutside, isToOutside] = [names.isOutside(from), names.isOutside(to)];
    if (isFromOutside && isToOutside)
      return { field: 'from', value: from, reason: 'is unknown like the recipient, expected at least one party' };
    return { from: isFromOutside ? null : from, to: isToOutside ? null : to };
  }

  #statementEnds(amount: Amount): Ends {
    return amount > 0n ? { from: null, to: STATEMENT_PARTY } : { from: STATEMENT_PARTY, to: null };
  }

  #add({ from, to }: Ends, amount: Amount, { time, line }: { readonly time: number; readonly line: number }): void {
    const { names } = this.#readers;
    const size = (amount < 0n ? -amount : amount) as Amount;
    if (from === null) this.fromOutside += 1;
    if (to === null) this.toOutside += 1;
    this.sum += size;
    this.payments.add({
      from: from === null ? null : names.numberOf(from),
      to: names.numberOf(to ?? OUTSIDE),
      amount: size,
      time,
      line,
    });
  }
}

/** Sender and recipient by name; null is the outside. */
interface Ends {
  readonly from: string | null;
  readonly to: string | null;
}
