/** Returns whether the server accepts a name of a snapshot or a fork. */
export function isName(text: string): boolean {
  return /^[A-Za-z][\w.-]{0,62}$/.test(text);
}

export const NAME_RULE = 'Type a letter, then letters, digits, _, - or a point.';
