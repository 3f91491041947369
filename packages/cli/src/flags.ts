import { Amount } from '@coinlab/core';
import { InvalidArgumentError } from 'commander';

export type OrNone<Value> = Value | 'none';

export function nullForNone<Value>(given: OrNone<Value>): Value | null {
  return given === 'none' ? null : given;
}

export function port(text: string): number {
  return whole(text, 0, 65_535);
}

export function offset(text: string): number {
  return whole(text, 1, Number.MAX_SAFE_INTEGER);
}

export function clockSpeed(text: string): 'real' | 'manual' | number {
  if (text === 'real' || text === 'manual') return text;
  const factor = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (!(factor > 0)) throw new InvalidArgumentError("Expected 'real', 'manual' or a positive number.");
  return factor;
}

export function positive(text: string): number {
  const value = /^\d{1,12}(\.\d{1,10})?$/.test(text) ? Number(text) : 0;
  if (!(value > 0)) throw new InvalidArgumentError(`Got '${text}', expected a number above 0, such as 0.5.`);
  return value;
}

/** Parses a probability above 0.5, the probability of a random choice. */
export function probability(text: string): number {
  const value = /^0\.\d{1,6}$/.test(text) ? Number(text) : 0;
  if (!(value > 0.5))
    throw new InvalidArgumentError(`Got '${text}', expected a number above 0.5 and below 1, such as 0.95.`);
  return value;
}

export function coinOrZero(text: string): Amount {
  const parsed = Amount.parse(text);
  if (!parsed.ok || parsed.value < 0n)
    throw new InvalidArgumentError('Expected an amount of at least 0 with at most ten decimal places.');
  return parsed.value;
}

export function coin(text: string): Amount {
  const parsed = Amount.parse(text);
  if (!parsed.ok || parsed.value <= 0n)
    throw new InvalidArgumentError('Expected a positive amount with at most ten decimal places.');
  return parsed.value;
}

export function coinOrNone(text: string): OrNone<Amount> {
  return text === 'none' ? text : coin(text);
}

export function whole(text: string, least: number, most: number, orElse: string = ''): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (!(number >= least && number <= most))
    throw new InvalidArgumentError(`Expected ${orElse}an integer from ${least} to ${most}.`);
  return number;
}

export function range(
  least: number,
  most: number,
  isWhole: boolean,
): (text: string) => { readonly least: number; readonly most: number } {
  return (text) => {
    const [, low, high] = /^(\d{1,12}(?:\.\d{1,6})?)\.\.(\d{1,12}(?:\.\d{1,6})?)$/.exec(text) ?? [];
    const [from, to] = [Number(low), Number(high)];
    const fits =
      from >= least && to <= most && from <= to && (!isWhole || (Number.isInteger(from) && Number.isInteger(to)));
    if (!fits)
      throw new InvalidArgumentError(
        `Expected two ${isWhole ? 'integers' : 'numbers'} from ${least} to ${most}, such as ${isWhole ? '1..100' : '0.3..0.7'}.`,
      );
    return { least: from, most: to };
  };
}
