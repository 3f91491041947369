/*
 * Policies of one's own, for the wallets of a scenario that name them (`select: spare-the-largest`, `merge: { custom: tidy-in-fives }`).
 *
 *     coinlab run scenario.yaml --policy my-policy.ts#spare-the-largest
 *
 * Nothing is imported but types, so the file needs no packages beside it.
 */
import type { PolicyFile } from '@coinlab/sim';

export default {
  selection: {
    /** The smallest coin that pays alone; where none does, largest first, so that a payment takes few inputs. */
    'spare-the-largest': (wallet, { amount }) => {
      for (const coin of wallet.smallest()) if (coin.amount >= amount) return [coin];
      const taken = [];
      let missing: bigint = amount;
      for (const coin of wallet.largest()) {
        if (missing <= 0n) break;
        taken.push(coin);
        missing -= coin.amount;
      }
      return taken;
    },
  },
  merging: {
    /** Above ten coins the five smallest become one. */
    'tidy-in-fives': (wallet) => (wallet.count > 10 ? [...wallet.smallest()].slice(0, 5) : []),

    /** Once a day all but the three largest become one. */
    'three-by-night': {
      every: '1d',
      coins: (wallet, most) => [...wallet.smallest()].slice(0, Math.min(most, wallet.count - 3)),
    },
  },
} satisfies PolicyFile;
