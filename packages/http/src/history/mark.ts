/** Returns the FNV-1a hash of a text in 32 bits. Callers compare the texts, since hashes collide. */
export function markOf(text: string): number {
  let mark = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) mark = Math.imul(mark ^ text.charCodeAt(i), 0x01000193);
  return mark >>> 0;
}
