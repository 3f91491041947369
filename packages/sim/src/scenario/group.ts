import { z } from 'zod';
import { automation } from './automation.js';
import { delay, decimal, distribution, oneOf, rate, share, slug, span } from './values.js';

/** What kinds of party there are: each stands for a set of defaults (`temperaments.ts`), all of which a group can override. */
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

/** The kind of a party. */
export type Temperament = (typeof TEMPERAMENTS)[number];

/** When payments happen. */
const arrivals = oneOf(
  z.strictObject({
    poisson: z
      .strictObject({ perDay: rate.describe('Mean payments of a party.') })
      .optional()
      .describe('Payments of each party: independent, so many a day on average.'),
    bursts: z
      .strictObject({
        perDay: rate.describe('Mean bursts of a party.'),
        size: z.number().min(1).max(10_000).describe('Mean payments of a burst.'),
      })
      .optional()
      .describe(
        'Bursts of each party: so many a day, each of a geometric number of payments with that mean, within one round.',
      ),
    every: z
      .strictObject({
        rounds: z.number().int().min(1).describe('Rounds from one time to the next.'),
        count: z.number().int().min(1).max(10_000).default(1).describe('Payments at a time.'),
      })
      .optional()
      .describe('So many payments of each party, every so many rounds.'),
    trace: z
      .strictObject({
        file: z.string().min(1).describe('A payment stream or a network file; relative to the scenario.'),
        unit: decimal.default('0.0001').describe('Coin per unit of a stream.'),
        rowsPerRound: z.number().int().min(1).default(50).describe('Rows of a stream that happen in one round.'),
        operators: z
          .array(
            oneOf(
              z.strictObject({
                fold: z.number().int().min(2).optional().describe('Every so many receipts become one.'),
                scale: decimal.optional().describe('Amounts times this.'),
                negate: z.literal(true).optional().describe('Receipts become payments and payments receipts.'),
                compress: z.number().int().min(2).optional().describe('So many rounds become one.'),
                bootstrap: z
                  .strictObject({
                    block: z.number().int().min(1).describe('Rows of a block.'),
                    rows: z
                      .number()
                      .int()
                      .min(1)
                      .optional()
                      .describe('Rows of the result; left out: as many as there were.'),
                  })
                  .optional()
                  .describe('Blocks of rows drawn with putting back, until as many rows (or so many) are there.'),
              }),
              'fold',
              'scale',
              'negate',
              'compress',
              'bootstrap',
            ),
          )
          .default([])
          .describe('What is done to the rows, in this order.'),
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
      groups: z.array(slug).min(1).optional().describe('Left out: all groups.'),
      choice: oneOf(
        z.strictObject({
          uniform: z.literal(true).optional().describe('All are equally likely.'),
          zipf: z
            .number()
            .min(0)
            .max(5)
            .optional()
            .describe('Exponent: the first parties of the groups are paid most.'),
          communities: z
            .strictObject({
              size: z.number().int().min(2).describe('Parties of a community.'),
              stay: share.describe('Share of payments within it.'),
            })
            .optional()
            .describe('Parties live in communities of that size and pay within them with that probability.'),
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
    .describe('A payment above the balance is dropped and counted, or waits in order.'),
});

const receives = oneOf(
  z.strictObject({
    preapproved: z.literal(true).optional().describe('One step: the receiver has a preapproval.'),
    offers: z
      .strictObject({
        accepts: share.default(1).describe('Share of offers that are accepted.'),
        rejects: share.default(0).describe('Share that is rejected.'),
        withdraws: share.default(0).describe('Share that the sender takes back; what is left over expires.'),
        after: delay.default({ exponential: { mean: '10m' } }),
        expiresAfter: span.default('1d').describe('Deadline of an offer.'),
      })
      .optional()
      .describe('Two steps: an offer locks the coin until it is answered.'),
  }),
  'preapproved',
  'offers',
);

/** How a wallet chooses inputs; a name of ours or of a policy file. */
const selection = z.string().min(1);

const merging = oneOf(
  z.strictObject({
    never: z.literal(true).optional().describe('Coins are left as they are.'),
    threshold: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Above so many UTXOs the smallest, at most 100, become one.'),
    period: z
      .strictObject({
        every: span.describe('Time between two looks.'),
        above: z.number().int().min(1).default(1).describe('UTXOs that are left alone.'),
      })
      .optional()
      .describe('Every so often, where there are more UTXOs than that.'),
    keepLargest: z
      .strictObject({
        keep: z.number().int().min(1).describe('Coins that stay.'),
        above: z.number().int().min(1).describe('UTXOs that are left alone.'),
      })
      .optional()
      .describe('Above so many UTXOs all but the largest become one.'),
    dustFirst: z
      .strictObject({
        below: decimal.describe('Coin.'),
        above: z.number().int().min(1).describe('UTXOs that are left alone.'),
      })
      .optional()
      .describe('Above so many UTXOs those below an amount become one.'),
    delegated: z
      .strictObject({
        operator: slug.describe('Group of the wallet provider.'),
        above: z.number().int().min(1).default(10).describe('UTXOs that are left alone.'),
        every: span.default('1h').describe('Time between two batches.'),
      })
      .optional()
      .describe('A wallet provider (a group) merges, in batches of 100 by delegation.'),
    custom: z.string().min(1).optional().describe('The name of a merge policy in a policy file.'),
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
  select: selection.default('smallest-first').describe('How inputs are chosen: a name of ours or of a policy file.'),
  merge: merging.default({ threshold: 10 }),
  sweep: z
    .strictObject({
      to: slug.describe('Group whose first party receives.'),
      above: decimal.describe('Coin.'),
      keep: decimal.describe('Coin.'),
    })
    .nullable()
    .default(null)
    .describe('Above an amount of coin everything but `keep` goes to a party of a group.'),
  faults: z
    .array(
      oneOf(
        z.strictObject({
          floatAmounts: z.literal(true).optional().describe('Amounts pass through a 64-bit float.'),
          staleInputs: span.optional().describe('The list of UTXOs that inputs are chosen from is that old.'),
          skipsSmallerThan: decimal.optional().describe('Merges leave coins below this alone.'),
        }),
        'floatAmounts',
        'staleInputs',
        'skipsSmallerThan',
      ),
    )
    .default([])
    .describe('What is wrong with these wallets.'),
});

const income = z.strictObject({
  every: z.number().int().min(1).describe('Rounds between two receipts of a party.'),
  amount: distribution,
});

/** Parties that are alike. */
export const group = z.strictObject({
  name: slug.describe('Name of the group; its parties are `name-0`, `name-1` …'),
  temperament: z.enum(TEMPERAMENTS).default('payer').describe('What fills in the rest: see below.'),
  count: z.number().int().min(1).max(1_000_000).describe('Parties.'),
  opening: z
    .strictObject({ coins: z.number().int().min(0).max(10_000).default(1).describe('How many.'), amount: distribution })
    .optional()
    .describe('UTXOs that each party begins with.'),
  openingFile: z
    .string()
    .min(1)
    .optional()
    .describe('Or: a file with one UTXO a line, a whole number, for each party; relative to the scenario.'),
  openingUnit: decimal.default('0.0001').describe('Coin per unit of the opening file.'),
  payments: payments.nullable().optional().describe('What each party pays; null: nothing.'),
  receives: receives.optional(),
  wallet: wallet.partial().optional(),
  income: income.nullable().optional().describe('Coin minted to each party.'),
  validator: slug
    .nullable()
    .optional()
    .describe('The group whose parties run these wallets and collect their rewards.'),
  automation: automation.optional().describe('What the network’s own automation does.'),
  featured: z.boolean().optional().describe('Whether these parties are featured app providers.'),
});

/** A group as it is written. */
export type GroupInput = z.input<typeof group>;
/** A group before the defaults of its temperament. */
export type RawGroup = z.output<typeof group>;
export type Arrivals = z.output<typeof arrivals>;
export type Payments = z.output<typeof payments>;
export type Receives = z.output<typeof receives>;
export type Merging = z.output<typeof merging>;
export type WalletHabits = z.output<typeof wallet>;
export type Income = z.output<typeof income>;
export { wallet as walletSchema };
