/**
 * Returns the text in `names` with the smallest edit distance to `name`; null if the list is empty. The cost for each
 * text is the product of both lengths.
 */
export function nearestTo(name: string, names: readonly string[]): string | null {
  let nearest: string | null = null;
  let least = Infinity;
  for (const candidate of names) {
    const distance = editDistance(name.slice(0, MOST_COMPARED), candidate);
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

const MOST_COMPARED = 200;

function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}
