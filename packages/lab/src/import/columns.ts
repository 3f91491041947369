import { err, ok, type Result } from '@coinlab/core';
import { nearestText } from '@coinlab/sim';

/** The fields of a payment that a column can give. */
export const PAYMENT_FIELDS = ['from', 'to', 'amount', 'time'] as const;

export const OPENING_FIELDS = ['party', 'amount'] as const;

/** One of the fields that a column can give. */
export type ImportField = (typeof PAYMENT_FIELDS)[number] | (typeof OPENING_FIELDS)[number];

/** Column of each field by name. `time` may be `Date+Time`: two columns. */
export type ColumnMap = Readonly<Partial<Record<ImportField, string>>>;

/** The column of a field, and whether its name was guessed. */
export interface ColumnChoice {
  readonly field: ImportField;
  /** Names as in the file. */
  readonly columns: readonly string[];
  readonly isGuessed: boolean;
}

/** Names in order of preference, in lower case without signs. */
const COMMON_NAMES: Readonly<Record<ImportField, string>> = {
  from: 'from sender payer source debtor originator src fromaddress fromaccount fromparty sendername payername senderaddress fromuser',
  to: 'to recipient receiver payee destination creditor beneficiary dst dest target toaddress toaccount toparty recipientname receiveraddress touser',
  amount: 'amount value quantity amt sum total volume coins transferamount',
  time: 'timestamp time datetime date createdat created recordtime blocktime blocktimestamp executedat transactiondate bookingdate when ts',
  party: 'party name owner account address wallet user holder',
};

/**
 * Without columns for `from` and `to`, the table is a statement of one wallet; without one for `time`, rows have only an order.
 */
export function chooseColumns(
  names: readonly string[],
  fields: readonly ImportField[],
  given: ColumnMap,
): Result<readonly ColumnChoice[], string> {
  const chosen: ColumnChoice[] = [];
  for (const field of fields) {
    const wanted = given[field];
    if (wanted === undefined) {
      const columns = guessed(names, field);
      if (columns.length > 0) chosen.push({ field, columns, isGuessed: true });
      continue;
    }
    const columns: string[] = [];
    for (const name of parts(names, field, wanted)) {
      const found = columnNamed(names, name);
      if (found === null)
        return err(
          `map: ${field}: got the column ${JSON.stringify(name)}, expected one of ${names.join(', ')}${nearestText(name, names)}`,
        );
      columns.push(found);
    }
    chosen.push({ field, columns, isGuessed: false });
  }
  const twice = chosen.find(({ columns: [column] }, i) =>
    chosen.slice(0, i).some((before) => before.columns[0] === column),
  );
  if (twice)
    return err(`map: ${twice.field}: the column ${JSON.stringify(twice.columns[0])} already gives another field`);
  return ok(chosen);
}

/** Parses `from=Sender,to=Recipient,time=Date+Time`. Column names may contain commas. */
export function parseMap(text: string): Result<ColumnMap, string> {
  const known: readonly string[] = [...PAYMENT_FIELDS, 'party'];
  const map: Partial<Record<ImportField, string>> = {};
  for (const part of text.split(/,(?=\s*\w+\s*=)/)) {
    const [name = '', ...rest] = part.split('=');
    const field = [...PAYMENT_FIELDS, ...OPENING_FIELDS].find((each) => each === name.trim());
    const column = rest.join('=').trim();
    if (field === undefined)
      return err(
        `got the field ${JSON.stringify(name.trim())}, expected one of ${known.join(', ')}${nearestText(name.trim(), known)}`,
      );
    if (column === '') return err(`${field}: got no column, expected ${field}=COLUMN`);
    map[field] = column;
  }
  return ok(map);
}

function parts(names: readonly string[], field: ImportField, wanted: string): readonly string[] {
  if (field !== 'time' || columnNamed(names, wanted) !== null) return [wanted];
  return wanted.split('+').map((part) => part.trim());
}

function columnNamed(names: readonly string[], wanted: string): string | null {
  if (names.includes(wanted)) return wanted;
  const same = names.filter((name) => name.trim().toLowerCase() === wanted.toLowerCase());
  return same.length === 1 ? (same[0] ?? null) : null;
}

function guessed(names: readonly string[], field: ImportField): readonly string[] {
  // `Amount (EUR)` counts as `Amount`, unless a column has that name.
  const plain = new Map(names.map((name) => [comparable(name.replace(/\s*[([][^()[\]]*[)\]]\s*$/, '')), name]));
  for (const name of names) plain.set(comparable(name), name);
  const [date, time] = [plain.get('date'), plain.get('time')];
  if (field === 'time' && date !== undefined && time !== undefined) return [date, time];
  for (const common of COMMON_NAMES[field].split(' ')) {
    const found = plain.get(common);
    if (found !== undefined) return [found];
  }
  return [];
}

function comparable(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
