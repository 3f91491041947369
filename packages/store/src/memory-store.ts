import { codec, type Update } from '@coinlab/core';
import { beyondHead } from './marks.js';
import type { Mark, RevertibleStore } from './port.js';
import { hashOf, NO_HASH } from './record.js';

/** Returns a store that keeps its log only in memory, for tests and experiments. */
export function memoryStore(): RevertibleStore {
  const updates: Update[] = [];
  let hash = NO_HASH;
  let marks: readonly Mark[] = [];
  return {
    head: () => ({ offset: updates.length, hash }),
    async append(expectedOffset, added) {
      if (expectedOffset !== updates.length) {
        return { ok: false, error: { code: 'CONFLICT', expected: expectedOffset, head: updates.length } };
      }
      for (const update of added) {
        hash = hashOf(hash, codec.encode(update));
        updates.push(update);
      }
      return { ok: true, value: { offset: updates.length, hash } };
    },
    lineAt(offset) {
      const update = updates[offset - 1];
      if (!update) throw new RangeError(`there is no update at offset ${offset}`);
      return codec.encode(update);
    },
    async *read(from = 1) {
      yield* updates.slice(from - 1);
    },
    async snapshot({ offset }) {
      if (offset === updates.length) return { ok: true, value: { offset, hash } };
      return { ok: false, error: { code: 'CONFLICT', expected: offset, head: updates.length } };
    },
    async cut(offset) {
      if (offset > updates.length)
        return { ok: false, error: { code: 'CONFLICT', expected: offset, head: updates.length } };
      updates.length = offset;
      hash = updates.reduce((before, update) => hashOf(before, codec.encode(update)), NO_HASH);
      marks = marks.filter((mark) => mark.offset <= offset);
      return { ok: true, value: { offset, hash } };
    },
    marks: async () => marks,
    async setMarks(given) {
      for (const { offset } of given) if (offset > updates.length) throw beyondHead(offset, updates.length);
      marks = [...given];
      return { ok: true, value: null };
    },
    close: async () => undefined,
  };
}
