/** A replacement of one text in a source file. */
export interface Replacement {
  /** The text to replace; it must occur exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/**
 * Returns a text with one replacement. Throws unless the text to replace occurs exactly once.
 * @param place the fault and the file, for the error message
 */
export function replacedOnce(text: string, { find, replace }: Replacement, place: string): string {
  const [before, after, ...more] = text.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    const times = after === undefined ? '0 times' : `${more.length + 1} times`;
    throw new Error(`${place}: the text to replace occurs ${times}:\n${find}`);
  }
  return `${before}${replace}${after}`;
}
