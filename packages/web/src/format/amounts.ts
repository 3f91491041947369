import { Amount } from '@coinlab/core';

/** Reads a decimal text of the server. Every digit is kept: amounts are integers of 10⁻¹⁰ coin. */
export function amountOf(text: string): Amount {
  const read = Amount.parse(text);
  return read.ok ? read.value : Amount.zero;
}

/** An amount for people: all its digits, grouped, without zeros at the end. `1,234.5`. */
export function shownAmount(amount: Amount): string {
  const [whole = '', places = ''] = Amount.format(amount).split('.');
  const fraction = places.replace(/0+$/, '');
  return grouped(whole) + (fraction === '' ? '' : `.${fraction}`);
}

/** A whole number with a comma for every three digits. */
export function grouped(whole: string | number | bigint): string {
  return String(whole).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** Reads what a person typed: digits, at most ten places, above zero. Returns null for everything else. */
export function typedAmount(text: string): Amount | null {
  const read = Amount.parse(text.trim().replaceAll(',', '').replace(/^\./, '0.').replace(/\.$/, ''));
  return read.ok && read.value > 0n ? read.value : null;
}
