/**
 * One version of a list that grows: the beginning of a part and the parts before it. Versions share the parts: the
 * newest version of a part extends it in place, an older one begins another part.
 */
export interface VersionList<Item> {
  readonly part: Part<Item>;
  /** The lengths of the lists of the part that belong to this version. */
  readonly numbers: number;
  readonly items: number;
}

/** Numbers and items; callers know which numbers go with which items. */
interface Part<Item> {
  readonly before: VersionList<Item> | null;
  /** A number that the caller gives to the first entry; later entries have higher ones. */
  readonly first: number;
  readonly numbers: number[];
  readonly items: Item[];
}

/** Limits of a part, because an old version keeps what newer ones added to its last part. */
const MOST_NUMBERS = 4096;
const MOST_ITEMS = 64;

/** Returns the part to add an entry to; then call {@link versionOf}. */
export function partAfter<Item>(list: VersionList<Item> | null, first: number): Part<Item> {
  if (list) {
    const { part, numbers, items } = list;
    const isNewest = part.numbers.length === numbers && part.items.length === items;
    if (isNewest && numbers < MOST_NUMBERS && items < MOST_ITEMS) return part;
  }
  return { before: list, first, numbers: [], items: [] };
}

/** Returns the version that ends with what a part holds now. */
export function versionOf<Item>(part: Part<Item>): VersionList<Item> {
  return { part, numbers: part.numbers.length, items: part.items.length };
}

/** Returns the ends of a version's parts, oldest first, from the part with the entry of a number on. */
export function partsFrom<Item>(list: VersionList<Item> | null, number: number): readonly VersionList<Item>[] {
  const parts: VersionList<Item>[] = [];
  for (let at = list; at; at = at.part.before) {
    parts.push(at);
    if (at.part.first <= number) break;
  }
  return parts.reverse();
}
