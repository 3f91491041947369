import { err, ok, type Amount, type Result } from '@coinlab/core';
import { isEmpty, textOf } from './cell.js';
import { chooseColumns, OPENING_FIELDS } from './columns.js';
import { AmountReader, type Decimal, type DecimalSign } from './decimals.js';
import { openTable } from './open-table.js';
import type { Openings } from './funding.js';
import type { PartyNames } from './party-names.js';

/** Stops at the first fault, because leaving out coins would change every result. */
export async function readOpenings(
  file: string,
  names: PartyNames,
  unit: Decimal,
  { decimal = 'point' }: { readonly decimal?: DecimalSign },
): Promise<Result<Openings, string>> {
  const table = await openTable(file);
  if (!table.ok) return err(`openings: ${file}: ${table.error}`);
  const chosen = chooseColumns(table.value.columns, OPENING_FIELDS, {});
  if (!chosen.ok || chosen.value.length < 2)
    return err(`openings: ${file}: got the columns ${table.value.columns.join(', ')}, expected party and amount`);
  const amounts = new AmountReader(unit, decimal);
  const coins = new Map<number, Amount[]>();
  let fault: string | null = null;
  const refuse = (line: number, reason: string): void => void (fault ??= `openings: ${file}: line ${line}: ${reason}`);
  await table.value.read(
    chosen.value.flatMap(({ columns }) => columns),
    {
      broken: (line, _, reason) => refuse(line, reason),
      row(line, [party, cell]) {
        const amount = amounts.read(cell);
        if (isEmpty(party)) return refuse(line, 'party: is empty, expected a name');
        if (!amount.ok) return refuse(line, `amount: got ${JSON.stringify(textOf(cell))}: ${amount.error}`);
        if (amount.value < 0n)
          return refuse(line, `amount: got ${JSON.stringify(textOf(cell))}, expected an amount above zero`);
        const number = names.numberOf(textOf(party));
        const held = coins.get(number);
        if (held) held.push(amount.value);
        else coins.set(number, [amount.value]);
      },
    },
  );
  return fault === null ? ok(names.parties.map((_, number) => coins.get(number) ?? [])) : err(fault);
}
