import { Amount, type CommandOf, type CommandType } from '@coinlab/core';
import type { Shape } from '@coinlab/core/workflows';
import { shapeOfCommand } from '../command-shapes.js';
import { LedgerAssertionError } from '../failure.js';

/** A value in which each amount may also be written as decimal text. */
export type Written<Value> = Value extends Amount
  ? Amount | string
  : Value extends bigint | string | number | boolean | null | undefined
    ? Value
    : Value extends readonly (infer Item)[]
      ? readonly Written<Item>[]
      : { readonly [Key in keyof Value]: Written<Value[Key]> };

/** A command in which each amount may also be written as decimal text, such as `amount: '2.5'`. */
export type WrittenCommand<Type extends CommandType = CommandType> = { readonly type: Type } & Written<CommandOf<Type>>;

export function amountOf(value: Amount | string, field: string = 'amount'): Amount {
  if (typeof value !== 'string') return value;
  const parsed = Amount.parse(value, field);
  if (parsed.ok) return parsed.value;
  throw new LedgerAssertionError(`${field} is '${value}', expected ${parsed.error.expected}: '2.5'`);
}

/** The ledger refuses other texts, so they stay unchanged. */
export function commandOf<Type extends CommandType>(written: WrittenCommand<Type>): CommandOf<Type> {
  const shape = shapeOfCommand(written.type);
  if (!shape) return written as CommandOf<Type>; // refused by the ledger
  // Cast: only the amounts have changed.
  return withAmounts(shape, written) as CommandOf<Type>;
}

function withAmounts(shape: Shape<unknown>, value: unknown): unknown {
  if (shape.inner && (shape.optional || shape.expected.endsWith(' or null'))) return withAmounts(shape.inner, value);
  if (typeof value === 'string' && shape.expected === 'decimal text') {
    const parsed = Amount.parse(value);
    return parsed.ok ? parsed.value : value;
  }
  const { inner } = shape;
  if (Array.isArray(value)) return inner ? value.map((item) => withAmounts(inner, item)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = shape.fields ?? variantOf(shape, value)?.fields ?? {};
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, fields[name] ? withAmounts(fields[name], field) : field]),
  );
}

function variantOf(shape: Shape<unknown>, value: object): Shape<unknown> | undefined {
  return 'type' in value ? shape.variants?.[String(value.type)] : undefined;
}
