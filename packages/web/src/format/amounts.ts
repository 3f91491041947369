import { Amount } from '@coinlab/core';

export function amountOf(text: string): Amount {
  const read = Amount.parse(text);
  return read.ok ? read.value : Amount.zero;
}

export function shownAmount(amount: Amount): string {
  const [whole = '', places = ''] = Amount.format(amount).split('.');
  const fraction = places.replace(/0+$/, '');
  return grouped(whole) + (fraction === '' ? '' : `.${fraction}`);
}

export function grouped(whole: string | number | bigint): string {
  return String(whole).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

export function typedAmount(text: string): Amount | null {
  const read = Amount.parse(text.trim().replaceAll(',', '').replace(/^\./, '0.').replace(/\.$/, ''));
  return read.ok && read.value > 0n ? read.value : null;
}
