import { Amount } from '@coinlab/core';

/** Reads a decimal text of the server. Every digit is kept: amounts are integers of 10⁻¹⁰ coin. */
export function amountOf(text: string): Amount {
  const read = Amount.parse(text);
  return read.ok ? read.value : Amount.zero;
}

/** Formats an amount with all its digits, grouped, without zeros at the end: `1,234.5`. */
export function shownAmount(amount: Amount): string {
  const [whole = '', places = ''] = Amount.format(amount).split('.');
  const fraction = places.replace(/0+$/, '');
  return grouped(whole) + (fraction === '' ? '' : `.${fraction}`);
}

export function grouped(whole: string | number | bigint): string {
  return String(whole).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** Parses an amount that a user typed: digits, at most ten decimal places, above zero. Returns null for any other text. */
export function typedAmount(text: string): Amount | null {
  const read = Amount.parse(text.trim().replaceAll(',', '').replace(/^\./, '0.').replace(/\.$/, ''));
  return read.ok && read.value > 0n ? read.value : null;
}
