import { Amount, err, ok, type Result } from '@coinlab/core';
import { nearestText } from '@coinlab/sim';
import { chooseColumns, PAYMENT_FIELDS, type ColumnChoice, type ColumnMap } from './columns.js';
import { AmountReader, decimalOf, type DecimalSign } from './decimals.js';
import type { ForeignTable } from './foreign-table.js';
import { openTable } from './open-table.js';
import { openingsOf, shortfallOf, type Funding, type Openings, type Shortfall } from './funding.js';
import { readOpenings } from './opening-table.js';
import { PartyNames } from './party-names.js';
import { PaymentRowReader } from './payment-row.js';
import { Rejects, type Rejected, type RejectedCount } from './rejects.js';
import { TimeReader, type DateOrder } from './times.js';
import { roundsOf, traceOfPayments, type ImportedTrace } from './trace.js';
import { zoneOf } from './zone.js';

/** How to read a payments file: columns, units, dates and opening balances. All fields are optional. */
export interface ImportOptions {
  /** Column of each field; fields without one are guessed from common names. */
  readonly map?: ColumnMap;
  /** Coin per amount of 1 in the file; default `1`. */
  readonly unit?: string;
  /** Decimal sign of the file; default `point`. */
  readonly decimal?: DecimalSign;
  /** Time zone of times that name none: `UTC` (default), `+02:00` or `Europe/Berlin`. */
  readonly zone?: string;
  /** Order of day, month and year in dates such as 03/04/2026. Without it, such dates are rejected. */
  readonly dates?: DateOrder;
  /** Coin that parties hold at first: a rule, or a file with the columns party and amount. Default `smallest`. */
  readonly openings?: Funding | { readonly file: string };
  /** Minutes of a round; default 10. */
  readonly roundMinutes?: number;
  /** Names of senders and recipients that are not parties, besides empty cells and words such as `unknown`. */
  readonly outside?: readonly string[];
  /** Receives the faults of rejected rows. */
  readonly onReject?: (rejected: Rejected) => void;
}

/** The payments of a table as a network that can be replayed. */
export interface Imported extends ImportedTrace {
  readonly summary: ImportSummary;
}

/** Counts and settings of an import, to check that the table was understood. */
export interface ImportSummary {
  readonly kind: string;
  readonly columns: readonly ColumnChoice[];
  /** Rows of the table, without empty lines. */
  readonly rows: number;
  readonly payments: number;
  readonly parties: number;
  /** Parties whose name in the network differs from the name in the table. */
  readonly renamed: number;
  readonly fromOutside: number;
  readonly toOutside: number;
  /** Microseconds since 1970 of the first and last payment; null when the table has no times. */
  readonly period: { readonly first: number; readonly last: number } | null;
  readonly rounds: number;
  /** Times that name no time zone. */
  readonly withoutZone: number;
  /** Rows with an earlier time than the row before them. */
  readonly outOfOrder: number;
  readonly sum: Amount;
  /** Amounts with more than ten decimals, which were rounded half-even. */
  readonly rounded: number;
  readonly funding: { readonly coins: number; readonly parties: number; readonly coin: Amount } & Shortfall;
  readonly rejected: number;
  readonly reasons: readonly RejectedCount[];
}

/**
 * Reads payments from CSV, TSV, JSON lines or Parquet, in pieces. Rows with faults are rejected and reported. Coin held at
 * first becomes mints of the first round.
 * @returns the network, or a reason when the table or a setting is invalid or no row is valid
 */
export async function importPayments(file: string, options: ImportOptions = {}): Promise<Result<Imported, string>> {
  const { openings = 'smallest', roundMinutes = 10, onReject = () => undefined } = options;
  const readers = readersOf(options);
  if (!readers.ok) return readers;
  if (!(roundMinutes > 0)) return err(`round: got ${roundMinutes}, expected minutes above zero`);
  const table = await openTable(file);
  if (!table.ok) return err(`${file}: ${table.error}`);
  const chosen = columnsOf(table.value, options.map ?? {});
  if (!chosen.ok) return err(`${file}: ${chosen.error}`);
  const names = new PartyNames(options.outside);
  const rejects = new Rejects(onReject);
  const reader = new PaymentRowReader(chosen.value, { ...readers.value, names, rejects });
  await table.value.read(reader.columns, reader);
  const { payments } = reader;
  if (payments.length === 0) return err(`${file}: ${noPayments(rejects)}`);

  const given =
    typeof openings === 'object' ? await readOpenings(openings.file, names, readers.value.unit, options) : null;
  if (given?.ok === false) return given;
  const rule = typeof openings === 'object' ? 'none' : openings;
  const funding: Openings = given?.value ?? openingsOf(payments, names.parties.length, rule);
  const rounds = roundsOf(payments, reader.hasTimes ? roundMinutes : null);
  if (!rounds.ok) return err(`${file}: ${rounds.error}`);
  const coins = funding.flat();
  const { fromOutside, toOutside } = reader;
  return ok({
    ...traceOfPayments(file, names, payments, funding, rounds.value),
    summary: {
      kind: table.value.kind,
      columns: chosen.value,
      rows: reader.rows,
      payments: payments.length,
      parties: names.parties.length,
      renamed: names.renamed,
      fromOutside,
      toOutside,
      period: reader.hasTimes ? { first: payments.at(0).time, last: payments.at(payments.length - 1).time } : null,
      rounds: rounds.value(payments.length - 1),
      withoutZone: readers.value.times.withoutZone,
      outOfOrder: payments.outOfOrder,
      sum: Amount.ofUnits(reader.sum),
      rounded: readers.value.amounts.rounded,
      funding: {
        coins: coins.length,
        parties: funding.filter((held) => held.length > 0).length,
        coin: Amount.sum(coins),
        ...shortfallOf(payments, funding),
      },
      rejected: rejects.rows,
      reasons: rejects.counts,
    },
  });
}

function readersOf({ unit = '1', decimal = 'point', zone = 'UTC', dates }: ImportOptions): Result<
  {
    readonly unit: NonNullable<ReturnType<typeof decimalOf>>;
    readonly amounts: AmountReader;
    readonly times: TimeReader;
  },
  string
> {
  const worth = decimalOf(unit);
  if (worth === null || worth.digits === 0n)
    return err(`unit: got ${JSON.stringify(unit)}, expected a number above zero such as 0.01`);
  const local = zoneOf(zone);
  if (local === null)
    return err(
      `zone: got ${JSON.stringify(zone)}, expected UTC, an offset such as +02:00 or a name such as Europe/Berlin`,
    );
  return ok({ unit: worth, amounts: new AmountReader(worth, decimal), times: new TimeReader(local, dates ?? null) });
}

function columnsOf({ columns }: ForeignTable, map: ColumnMap): Result<readonly ColumnChoice[], string> {
  const chosen = chooseColumns(columns, PAYMENT_FIELDS, map);
  if (!chosen.ok) return chosen;
  const has = (field: string): boolean => chosen.value.some((choice) => choice.field === field);
  // A table with neither sender nor recipient is the statement of one wallet.
  const missing = ['amount', ...(has('from') || has('to') ? ['from', 'to'] : [])].find((field) => !has(field));
  if (missing === undefined) return chosen;
  return err(
    `map: ${missing}: no column has a common name for it, expected ${missing}=COLUMN with one of ${columns.join(', ')}${nearestText(missing, columns)}`,
  );
}

function noPayments({ rows, counts: [most] }: Rejects): string {
  if (!most) return 'has no rows after its header';
  return `all ${rows} rows were rejected; the most frequent reason (${most.rows}): ${most.field} ${most.reason}`;
}
