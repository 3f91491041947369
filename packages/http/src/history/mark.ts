/** 32 bits that stand for a text (FNV-1a): texts that are looked for are found by them, and then compared. */
export function markOf(text: string): number {
  let mark = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) mark = Math.imul(mark ^ text.charCodeAt(i), 0x01000193);
  return mark >>> 0;
}
