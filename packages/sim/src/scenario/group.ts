import { z } from 'zod';
import { automation } from './automation.js';
import { delay, decimal, distribution, oneOf, rate, share, slug, span } from './values.js';

const TEMPERAMENTS = [
  'payer',
  'merchant',
  'exchange',
  'hoarder',
  'validator',
  'app-provider',
  'faucet-user',
  'external-party',
  'wallet-provider',
  'adversary',
] as const;

export type Temperament = (typeof TEMPERAMENTS)[number];

const arrivals = oneOf(
  z.strictObject({
    poisson: z
      .strictObject({ perDay: rate.describe('Mean payments of a party per day.') })
      .optional()
      .describe('Independent payments of each party, at a mean rate per day.'),
    bursts: z
      .strictObject({
        perDay: rate.describe('Mean bursts of a party per day.'),
        size: z.number().min(1).max(10_000).describe('Mean payments per burst.'),
      })
      .optional()
      .describe(
        'Bursts of each party, at a mean rate per day; a burst has a geometric number of payments, all in one round.',
      ),
    every: z
      .strictObject({
        rounds: z.number().int().min(1).describe('Rounds between two batches of payments.'),
        count: z.number().int().min(1).max(10_000).default(1).describe('Payments per batch.'),
      })
      .optional()
      .describe('A fixed number of payments of each party at a fixed interval.'),
    trace: z
      .strictObject({
        file: z.string().min(1).describe('A payment stream or a network file; path relative to the scenario.'),
        unit: decimal.default('0.0001').describe('Coin per unit of a stream.'),
        rowsPerRound: z.number().int().min(1).default(50).describe('Rows of a stream per round.'),
        operators: z
          .array(
            oneOf(
              z.strictObject({
                fold: z.number().int().min(2).optional().describe('Sums this many consecutive receipts into one.'),
                scale: decimal.optional().describe('Multiplies amounts by this factor.'),
                negate: z.literal(true).optional().describe('Turns receipts into payments and payments into receipts.'),
                compress: z.number().int().min(2).optional().describe('Joins this many rounds into one.'),
                bootstrap: z
                  .strictObject({
                    block: z.number().int().min(1).describe('Rows per block.'),
                    rows: z
                      .number()
                      .int()
                      .min(1)
                      .optional()
                      .describe('Rows of the result; default: as many as the file has.'),
                  })
                  .optional()
                  .describe('Resamples blocks of rows with replacement.'),
              }),
              'fold',
              'scale',
              'negate',
              'compress',
              'bootstrap',
            ),
          )
          .default([])
          .describe('Transformations of the rows, in this order.'),
      })
      .optional()
      .describe('Recorded payments: receipts come from outside the group, payments go to `to`.'),
  }),
  'poisson',
  'bursts',
  'every',
  'trace',
);

const payments = z.strictObject({
  arrivals,
  rhythm: z
    .strictObject({
      hours: z
        .array(z.number().min(0))
        .length(24)
        .optional()
        .describe('Weight of each hour of the day, from midnight UTC.'),
      days: z.array(z.number().min(0)).length(7).optional().describe('Weight of each day of the week, from Monday.'),
    })
    .default({}),
  amount: distribution.default({ logNormal: { median: '20', sigma: 1.2 }, step: '0.01' }),
  to: z
    .strictObject({
      groups: z.array(slug).min(1).optional().describe('Default: all groups.'),
      choice: oneOf(
        z.strictObject({
          uniform: z.literal(true).optional().describe('All parties are equally likely.'),
          zipf: z
            .number()
            .min(0)
            .max(5)
            .optional()
            .describe('Exponent; the first parties of the groups are paid most.'),
          communities: z
            .strictObject({
              size: z.number().int().min(2).describe('Parties per community.'),
              stay: share.describe('Share of payments within the community.'),
            })
            .optional()
            .describe('Divides parties into communities; a share of payments stays within them.'),
        }),
        'uniform',
        'zipf',
        'communities',
      ).default({ uniform: true }),
    })
    .default({ choice: { uniform: true } }),
  whenShort: z
    .enum(['drop', 'wait'])
    .default('drop')
    .describe('Whether a payment above the balance is dropped and counted, or waits in order.'),
});

const receives = oneOf(
  z.strictObject({
    preapproved: z.literal(true).optional().describe('One step: the receiver has a preapproval.'),
    offers: z
      .strictObject({
        accepts: share.default(1).describe('Share of offers that are accepted.'),
        rejects: share.default(0).describe('Share of offers that are rejected.'),
        withdraws: share.default(0).describe('Share of offers that the sender withdraws; the remaining offers expire.'),
        after: delay.default({ exponential: { mean: '10m' } }),
        expiresAfter: span.default('1d').describe('Time until an offer expires.'),
      })
      .optional()
      .describe('Two steps: an offer locks the coin until it is answered.'),
  }),
  'preapproved',
  'offers',
);

const selection = z.string().min(1);

const merging = oneOf(
  z.strictObject({
    never: z.literal(true).optional().describe('No merging.'),
    threshold: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Above this number of UTXOs, merges the smallest (at most 100).'),
    period: z
      .strictObject({
        every: span.describe('Time between two merges.'),
        above: z.number().int().min(1).default(1).describe('Number of UTXOs up to which nothing is merged.'),
      })
      .optional()
      .describe('Merges periodically, when the wallet is above a number of UTXOs.'),
    keepLargest: z
      .strictObject({
        keep: z.number().int().min(1).describe('Number of coins that stay.'),
        above: z.number().int().min(1).describe('Number of UTXOs up to which nothing is merged.'),
      })
      .optional()
      .describe('Above a number of UTXOs, merges all but the largest.'),
    dustFirst: z
      .strictObject({
        below: decimal.describe('Amount in coin.'),
        above: z.number().int().min(1).describe('Number of UTXOs up to which nothing is merged.'),
      })
      .optional()
      .describe('Above a number of UTXOs, merges those below an amount.'),
    delegated: z
      .strictObject({
        operator: slug.describe('Group of the wallet provider.'),
        above: z.number().int().min(1).default(10).describe('Number of UTXOs up to which nothing is merged.'),
        every: span.default('1h').describe('Time between two batches.'),
      })
      .optional()
      .describe('A wallet provider (a group) merges by delegation, in batches of 100.'),
    custom: z.string().min(1).optional().describe('Name of a merge policy in the policy file.'),
  }),
  'never',
  'threshold',
  'period',
  'keepLargest',
  'dustFirst',
  'delegated',
  'custom',
);

const wallet = z.strictObject({
  select: selection.default('smallest-first').describe('Selection policy: a built-in one, or one of the policy file.'),
  merge: merging.default({ threshold: 10 }),
  sweep: z
    .strictObject({
      to: slug.describe('Group whose first party receives.'),
      above: decimal.describe('Amount in coin.'),
      keep: decimal.describe('Amount in coin.'),
    })
    .nullable()
    .default(null)
    .describe('Above a balance, sends everything but `keep` to a party of a group.'),
  faults: z
    .array(
      oneOf(
        z.strictObject({
          floatAmounts: z.literal(true).optional().describe('Converts amounts through a 64-bit float.'),
          staleInputs: span.optional().describe('Chooses inputs from a list of UTXOs of this age.'),
          skipsSmallerThan: decimal.optional().describe('Never merges coins below this amount.'),
        }),
        'floatAmounts',
        'staleInputs',
        'skipsSmallerThan',
      ),
    )
    .default([])
    .describe('Defects of these wallets.'),
});

const income = z.strictObject({
  every: z.number().int().min(1).describe('Rounds between two receipts of a party.'),
  amount: distribution,
});

/** Parties of all groups together: maps by party name have at most 2²⁴ entries. */
export const MOST_PARTIES = 16_000_000;

export const group = z.strictObject({
  name: slug.describe('Name of the group; its parties are `name-0`, `name-1` …'),
  temperament: z.enum(TEMPERAMENTS).default('payer').describe('Defaults of the other fields: see below.'),
  count: z.number().int().min(1).max(MOST_PARTIES).describe('Number of parties.'),
  opening: z
    .strictObject({
      coins: z.number().int().min(0).max(10_000).default(1).describe('Number of UTXOs.'),
      amount: distribution,
    })
    .optional()
    .describe('Initial UTXOs of each party.'),
  openingFile: z
    .string()
    .min(1)
    .optional()
    .describe('Alternative to `opening`: a file with one UTXO per line, as an integer; path relative to the scenario.'),
  openingUnit: decimal.default('0.0001').describe('Coin per unit of the opening file.'),
  payments: payments.nullable().optional().describe('Payments of each party; null: none.'),
  receives: receives.optional(),
  wallet: wallet.partial().optional(),
  income: income.nullable().optional().describe('Coin minted to each party.'),
  validator: slug
    .nullable()
    .optional()
    .describe('Group of validators that host these wallets and collect their rewards.'),
  automation: automation.optional().describe('The network’s own automation.'),
  featured: z.boolean().optional().describe('Whether these parties are featured app providers.'),
});

export type GroupInput = z.input<typeof group>;
export type RawGroup = z.output<typeof group>;
export type Arrivals = z.output<typeof arrivals>;
export type Payments = z.output<typeof payments>;
export type Receives = z.output<typeof receives>;
export type Merging = z.output<typeof merging>;
export type WalletHabits = z.output<typeof wallet>;
export type Income = z.output<typeof income>;
export { wallet as walletSchema };
