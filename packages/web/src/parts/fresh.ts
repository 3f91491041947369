import { effect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { moment, part, view } from '../store/route.js';

type Key = string | number;

interface Shown {
  readonly text: string;
  readonly keys: ReadonlySet<Key>;
  readonly fresh: ReadonlySet<Key>;
}

let entered: number | null = moment.peek();

effect(() => {
  void view.value;
  void part.value;
  entered = moment.peek();
});

/**
 * Returns the keys that the previous offset did not have, so that a table marks them while the slider moves through the
 * past. Empty at the newest offset.
 */
export function useFresh(keys: readonly Key[]): ReadonlySet<Key> {
  const shown = useRef<Shown | null>(null);
  const text = keys.join(' ');
  const before = shown.current;
  if (before?.text !== text) shown.current = { text, keys: new Set(keys), fresh: freshOf(keys, before) };
  return moment.value === null ? NONE : (shown.current?.fresh ?? NONE);
}

const NONE: ReadonlySet<Key> = new Set();

function freshOf(keys: readonly Key[], before: Shown | null): ReadonlySet<Key> {
  if (moment.peek() === null) return NONE;
  if (before) return new Set(keys.filter((key) => !before.keys.has(key)));
  // A table that appears only after the slider moved was empty before.
  return moment.peek() === entered ? NONE : new Set(keys);
}
