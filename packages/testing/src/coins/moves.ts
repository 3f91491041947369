import { COIN_PARTIES, unlockedOf, type CoinCommand, type CoinView } from './coin-ledger.js';
import type { CoinMoment } from './draw.js';

/** Offers are identified by their position in the list, since ids differ between runs. */
export type CoinMove = (moment: CoinMoment) => CoinCommand | null;

const [alice, bob] = COIN_PARTIES;

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
