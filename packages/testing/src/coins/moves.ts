import { COIN_PARTIES, unlockedOf, type CoinCommand, type CoinView } from './coin-ledger.js';
import type { CoinMoment } from './draw.js';

/** A command that is written when the path to it was played: offers are named by their place. */
export type CoinMove = (moment: CoinMoment) => CoinCommand | null;

const [alice, bob] = COIN_PARTIES;

/** Seconds until the deadline of an offer. */
const TERM = 2;

export function offerMoves(view: CoinView): readonly CoinMove[] {
  const ends = view.offers.flatMap((_, place) =>
    (['accept', 'reject', 'withdraw'] as const).flatMap((type) => [alice, bob].map((by) => ({ type, place, by }))),
  );
  return [0, 1].flatMap((wait) => [
    ...[alice, bob].flatMap((from): readonly CoinMove[] => {
      const to = from === alice ? bob : alice;
      return [
        ({ now }) => ({ type: 'pay', from, to, amount: 60n, by: from, now: now + wait }),
        (moment) => ({
          type: 'offer',
          from,
          to,
          amount: unlockedOf(moment.view, from),
          deadline: moment.now + wait + TERM,
          by: from,
          now: moment.now + wait,
        }),
      ];
    }),
    ...ends.map(({ type, place, by }): CoinMove => {
      return ({ view: { offers }, now }) => {
        const offer = offers[place];
        return offer ? { type, offer: offer.id, by, now: now + wait } : null;
      };
    }),
  ]);
}
