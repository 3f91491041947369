import { Column } from '@coinlab/core/codec';
import type { Follower } from './follower.js';
import type { OffsetRange } from './party-updates.js';

export interface UserSubmissions {
  offsetsOf(user: string, range: OffsetRange): readonly number[];
}

export function userSubmissions(follower: Follower): UserSubmissions {
  const offsets = new Map<string, Column<number>>();
  follower.follow({
    add({ offset, created }) {
      const submitted = created.at(-1);
      if (submitted?.template !== 'SubmittedCommand') return;
      let own = offsets.get(submitted.userId);
      if (!own) offsets.set(submitted.userId, (own = Column.ofWords()));
      own.push(offset);
    },
    reset: () => offsets.clear(),
  });
  return {
    offsetsOf(user, { begin, end }) {
      follower.readAll();
      const own = offsets.get(user);
      if (!own) return [];
      return own.slice(own.countUntil(begin), own.countUntil(end));
    },
  };
}
