export function hintOf(party: string): string {
  const at = party.lastIndexOf('::');
  return at <= 0 ? party : party.slice(0, at);
}

/** The end of the fingerprint distinguishes parties with the same name. */
export function tailOf(party: string): string {
  const at = party.lastIndexOf('::');
  return at < 0 ? '' : party.slice(-6);
}

export function shortId(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, 4)}…${id.slice(-8)}`;
}
