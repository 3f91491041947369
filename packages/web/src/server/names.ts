/** The server's rule for names of snapshots and forks. */
export function isName(text: string): boolean {
  return /^[A-Za-z][\w.-]{0,62}$/.test(text);
}

export const NAME_RULE = 'Type a letter, then letters, digits, _, - or a point.';
