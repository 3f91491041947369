import { Column } from './columns.js';
import type { Follower } from './follower.js';
import type { OffsetRange } from './party-updates.js';

export interface UserSubmissions {
  offsetsOf(user: string, range: OffsetRange): readonly number[];
}

/** Most users submit few commands. */
const FEW = 4;

export function userSubmissions(follower: Follower): UserSubmissions {
  const offsets = new Map<string, Column<number>>();
  follower.follow({
    add({ offset, created }) {
      const submitted = created.at(-1);
      if (submitted?.template !== 'SubmittedCommand') return;
      let own = offsets.get(submitted.userId);
      if (!own) offsets.set(submitted.userId, (own = Column.ofNumbers(FEW)));
      own.push(offset);
    },
    reset: () => offsets.clear(),
  });
  return {
    offsetsOf(user, { begin, end }) {
      follower.readAll();
      const own = offsets.get(user);
      if (!own) return [];
      const from = own.countUntil(begin);
      return Array.from({ length: Math.max(0, own.countUntil(end) - from) }, (_, i) => own.at(from + i) ?? 0);
    },
  };
}
