import { Amount } from '@coinlab/core';
import { InvalidArgumentError } from 'commander';

/** A value that may be left out by name. The word stays a word until all flags are read: Commander takes null for an empty text. */
export type OrNone<Value> = Value | 'none';

/** The value, or null for `none`. */
export function nullForNone<Value>(given: OrNone<Value>): Value | null {
  return given === 'none' ? null : given;
}

/** A port; 0 takes a free one. */
export function port(text: string): number {
  return whole(text, 0, 65_535);
}

/** The place of an update in a log. */
export function offset(text: string): number {
  return whole(text, 1, Number.MAX_SAFE_INTEGER);
}

/** How a server's time passes: by itself, by hand, or so many times as fast. */
export function clockSpeed(text: string): 'real' | 'manual' | number {
  if (text === 'real' || text === 'manual') return text;
  const factor = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (!(factor > 0)) throw new InvalidArgumentError("Expected 'real', 'manual' or a positive number.");
  return factor;
}

/** Coin above zero, as a decimal with at most ten places. */
export function coin(text: string): Amount {
  const parsed = Amount.parse(text);
  if (!parsed.ok || parsed.value <= 0n)
    throw new InvalidArgumentError('Expected a positive amount with at most ten decimal places.');
  return parsed.value;
}

/** Coin above zero, or `none`. */
export function coinOrNone(text: string): OrNone<Amount> {
  return text === 'none' ? text : coin(text);
}

/** A whole number in a range. */
export function whole(text: string, least: number, most: number, orElse: string = ''): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (!(number >= least && number <= most))
    throw new InvalidArgumentError(`Expected ${orElse}an integer from ${least} to ${most}.`);
  return number;
}

/** Two numbers with two points between them: `1..100`. */
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
