import { Amount } from '@coinlab/core';
import { bad, good, textOf, type ForeignCell, type Read } from './cell.js';
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

const STATEMENT_PARTY = 'wallet';

const NONE = -1;

export class PaymentRowReader implements RowTaker {
  readonly payments: PaymentList = new PaymentList();
  readonly columns: readonly string[];
  readonly hasTimes: boolean;
  rows = 0;
  sum = 0n;
  fromOutside = 0;
  toOutside = 0;
  readonly #readers: Readers;
  readonly #fromPlace: number;
  readonly #toPlace: number;
  readonly #amountPlace: number;
  readonly #timePlaces: readonly number[];
  readonly #isStatement: boolean;

  constructor(chosen: readonly ColumnChoice[], readers: Readers) {
    this.#readers = readers;
    this.columns = chosen.flatMap(({ columns }) => columns);
    const placesOf = (field: ImportField): readonly number[] =>
      (chosen.find((choice) => choice.field === field)?.columns ?? []).map((column) => this.columns.indexOf(column));
    [this.#fromPlace = NONE] = placesOf('from');
    [this.#toPlace = NONE] = placesOf('to');
    [this.#amountPlace = NONE] = placesOf('amount');
    this.#timePlaces = placesOf('time');
    this.hasTimes = this.#timePlaces.length > 0;
    this.#isStatement = this.#fromPlace === NONE;
  }

  broken(line: number, value: string, reason: string): void {
    this.rows += 1;
    this.#readers.rejects.add(line, [{ field: 'row', value, reason }]);
  }

  row(line: number, cells: readonly ForeignCell[]): void {
    this.rows += 1;
    const { amounts, times, rejects } = this.#readers;
    const given = cells[this.#amountPlace];
    const amount = this.#isStatement ? amounts.read(given) : positive(amounts.read(given));
    const timeCells = this.#timePlaces.map((place) => cells[place]);
    const time = this.hasTimes ? times.read(timeCells) : good(this.payments.length);
    const ends = this.#isStatement ? statementEnds(amount) : this.#ends(cells);
    if (amount.ok && time.ok && ends.ok) {
      this.#add(ends.value, amount.value, { time: time.value, line });
      return;
    }
    const faults: Omit<Rejected, 'line'>[] = [];
    if (!ends.ok) faults.push({ field: 'from', value: textOf(cells[this.#fromPlace]), reason: ends.error });
    if (!amount.ok) faults.push({ field: 'amount', value: textOf(given), reason: amount.error });
    if (!time.ok) faults.push({ field: 'time', value: timeCells.map(textOf).join(' '), reason: time.error });
    rejects.add(line, faults);
  }

  #ends(cells: readonly ForeignCell[]): Read<Ends> {
    const { names } = this.#readers;
    const [from, to] = [textOf(cells[this.#fromPlace]), textOf(cells[this.#toPlace])];
    const [isFromOutside, isToOutside] = [names.isOutside(from), names.isOutside(to)];
    if (isFromOutside && isToOutside) return bad('is unknown like the recipient, expected at least one party');
    return good({ from: isFromOutside ? null : from, to: isToOutside ? null : to });
  }

  #add({ from, to }: Ends, amount: Amount, { time, line }: { readonly time: number; readonly line: number }): void {
    const { names } = this.#readers;
    const size = Amount.ofUnits(amount < 0n ? -amount : amount);
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

interface Ends {
  readonly from: string | null;
  readonly to: string | null;
}

function statementEnds(amount: Read<Amount>): Read<Ends> {
  const isReceipt = !amount.ok || amount.value > 0n;
  return good(isReceipt ? { from: null, to: STATEMENT_PARTY } : { from: STATEMENT_PARTY, to: null });
}

function positive(amount: Read<Amount>): Read<Amount> {
  return amount.ok && amount.value < 0n
    ? bad('is negative, expected an amount above zero from the sender to the recipient')
    : amount;
}
