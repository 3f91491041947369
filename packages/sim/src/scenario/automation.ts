import { z } from 'zod';
import { decimal, slug, span } from './values.js';

/** Parties whose offers one wallet looks for: each is asked for at every look. */
export const MOST_ACCEPTED_SENDERS = 100;

/**
 * What the network's own automation does for the wallets of a group, each habit at the validator group that runs them, or at the
 * party itself where none does. The last two belong to the group that runs wallets.
 */
export const automation = z.strictObject({
  collects: z
    .boolean()
    .default(false)
    .describe('Mints rewards and makes one coin of a wallet’s coins as soon as there are two (up to 100 at a time).'),
  sweep: z
    .strictObject({
      to: slug.describe('Group whose first party receives.'),
      maxBalanceUsd: decimal.describe('USD above which the wallet is swept.'),
      minBalanceUsd: decimal.describe('USD that a sweep leaves.'),
      preapproved: z
        .boolean()
        .default(true)
        .describe('One step by a preapproval of the receiver; else a wallet offer that locks nothing.'),
    })
    .optional()
    .describe(
      'Moves what is above a balance to another wallet, as the network’s sweep does: in USD, with its own inputs.',
    ),
  accepts: z
    .strictObject({
      from: z.array(slug).min(1).describe('Groups, of at most 100 parties together.'),
      instructions: z
        .enum(['none', 'wallet', 'all'])
        .default('all')
        .describe('Two-step transfers that count as offers: none, those of sweeps, all.'),
    })
    .optional()
    .describe('Accepts what parties of these groups offer, in the next round.'),
  completesOffers: z
    .boolean()
    .default(false)
    .describe('Pays wallet offers that were accepted, and removes those that have expired.'),
  mints: z
    .strictObject({
      mergeLimit: z
        .number()
        .int()
        .min(1)
        .default(10)
        .describe('Coins that a wallet is merged down to when it has twice as many.'),
      every: span.default('1h').describe('Between two looks at all wallets of the group.'),
    })
    .optional()
    .describe('A minting delegation to the validator that runs the wallet: it mints rewards and merges.'),
  topUp: z
    .strictObject({
      bytesPerSecond: z.number().int().min(1).max(1_000_000_000).describe('Traffic that a validator means to use.'),
      every: span.default('1h').describe('Least time between two purchases.'),
    })
    .optional()
    .describe(
      'These validators count the traffic of the wallets they run and buy more in time, out of their own coin.',
    ),
  preapprovals: z
    .strictObject({
      lifetime: span.default('90d').describe('Time that is bought at once.'),
      renewal: span.default('30d').describe('Time before its end at which a preapproval is renewed.'),
    })
    .optional()
    .describe('These validators renew, out of their own coin, the preapprovals of the wallets they run.'),
});

/** The habits of a group's wallets, and of the validators that run them. */
export type WalletAutomation = z.output<typeof automation>;
