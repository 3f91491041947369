import { createReadStream } from 'node:fs';
import type { ForeignCell } from './cell.js';
import type { ForeignTable } from './foreign-table.js';

const SAMPLED_LINES = 100;

/** Names with points are fields of inner objects, such as `amount.value`. */
export function openJsonLines(file: string, sample: string): ForeignTable {
  const complete = sample.split('\n').slice(0, SAMPLED_LINES);
  const columns = new Set(complete.flatMap((line) => namesIn(objectOf(line) ?? {}, '')));
  return {
    kind: 'JSON lines',
    columns: [...columns],
    async read(names, taker) {
      const paths = names.map((name) => name.split('.'));
      let number = 0;
      const take = (text: string): void => {
        number += 1;
        if (text.trim() === '') return;
        const object = objectOf(text.replace(/^\uFEFF/, ''));
        if (object === null) taker.broken(number, text.slice(0, 80), 'is no JSON object');
        else
          taker.row(
            number,
            names.map((name, i) => object[name] ?? valueIn(object, paths[i] ?? [])),
          );
      };
      let rest = '';
      for await (const piece of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
        const lines = (rest + String(piece)).split('\n');
        rest = lines.pop() ?? '';
        lines.forEach(take);
      }
      if (rest !== '') take(rest);
    },
  };
}

type JsonObject = Readonly<Record<string, ForeignCell>>;

function objectOf(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function namesIn(object: JsonObject, before: string): readonly string[] {
  return Object.entries(object).flatMap(([name, value]) =>
    isObject(value) ? namesIn(value, `${before}${name}.`) : [`${before}${name}`],
  );
}

function valueIn(object: JsonObject, path: readonly string[]): ForeignCell {
  let found: unknown = object;
  for (const name of path) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}
