/** FNV-1a. Hashes collide, so callers compare the texts. */
export function markOf(text: string): number {
  let mark = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) mark = Math.imul(mark ^ text.charCodeAt(i), 0x01000193);
  return mark >>> 0;
}
