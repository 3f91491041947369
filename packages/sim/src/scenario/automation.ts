import { z } from 'zod';
import { decimal, slug, span } from './values.js';

/** Every run of the automation queries each sender of the list. */
export const MOST_ACCEPTED_SENDERS = 100;

export const automation = z.strictObject({
  collects: z
    .boolean()
    .default(false)
    .describe('Mints rewards and merges a wallet’s coins as soon as there are two (up to 100 at a time).'),
  sweep: z
    .strictObject({
      to: slug.describe('Group whose first party receives.'),
      maxBalanceUsd: decimal.describe('USD above which the wallet is swept.'),
      minBalanceUsd: decimal.describe('USD that a sweep leaves.'),
      preapproved: z
        .boolean()
        .default(true)
        .describe('True: one step by the receiver’s preapproval; false: a wallet offer, which locks nothing.'),
    })
    .optional()
    .describe(
      'Moves funds above a balance to another wallet, like the network’s sweep: limits in USD, own choice of inputs.',
    ),
  accepts: z
    .strictObject({
      from: z.array(slug).min(1).describe('Groups with at most 100 parties in total.'),
      instructions: z
        .enum(['none', 'wallet', 'all'])
        .default('all')
        .describe('Accepted two-step transfers: none, only those of sweeps, or all.'),
    })
    .optional()
    .describe('Accepts offers of parties of these groups, in the next round.'),
  completesOffers: z.boolean().default(false).describe('Pays accepted wallet offers and removes expired ones.'),
  mints: z
    .strictObject({
      mergeLimit: z
        .number()
        .int()
        .min(1)
        .default(10)
        .describe('Number of coins after a merge, which happens at twice that number.'),
      every: span.default('1h').describe('Time between two runs over all wallets of the group.'),
    })
    .optional()
    .describe('A minting delegation to the validator that runs the wallet: it mints rewards and merges.'),
  topUp: z
    .strictObject({
      bytesPerSecond: z.number().int().min(1).max(1_000_000_000).describe('Expected traffic of a validator.'),
      every: span.default('1h').describe('Minimum time between two purchases.'),
    })
    .optional()
    .describe('These validators count the traffic of the wallets they host and buy more in time, with their own coin.'),
  preapprovals: z
    .strictObject({
      lifetime: span.default('90d').describe('How long one renewal extends the preapproval.'),
      renewal: span.default('30d').describe('Time before its end at which a preapproval is renewed.'),
    })
    .optional()
    .describe('These validators renew the preapprovals of the wallets they host, with their own coin.'),
});

export type WalletAutomation = z.output<typeof automation>;
