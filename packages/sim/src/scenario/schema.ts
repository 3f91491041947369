import { PROFILE_NAMES } from '@coinlab/core';
import { DEFAULT_PRESET, PRESET_NAMES } from '@coinlab/core/rules';
import { z } from 'zod';
import { group } from './group.js';
import { decimal, oneOf, slug } from './values.js';

const prices = {
  amuletPrice: decimal.optional().describe('USD per coin.'),
  trafficPrice: decimal.optional().describe('USD per megabyte of extra traffic.'),
  holdingFee: decimal
    .optional()
    .describe('USD per UTXO and round; a coin expires when its accrued fee exceeds its amount.'),
  validatorFaucetCap: decimal.optional().describe('USD per validator and round.'),
  featuredAppRewardCap: decimal.optional().describe('Coin per featured coupon, in units of its activity.'),
};

const network = z.strictObject({
  preset: z.enum(PRESET_NAMES).default(DEFAULT_PRESET).describe('Prices and caps of the network at a date.'),
  profile: z.enum(PROFILE_NAMES).optional().describe('Rule profile; default: the preset’s.'),
  maxInputs: z.number().int().min(2).max(10_000).default(100).describe('Limit of inputs per transaction.'),
  ...prices,
  rewards: z
    .boolean()
    .default(true)
    .describe('Whether rounds issue rewards (validators’ liveness, app and super validator rewards).'),
  expiresDust: z.boolean().default(true).describe('Whether the DSO expires dust coins.'),
  fees: oneOf(
    z.strictObject({
      network: z.literal(true).optional().describe('The fees of the rule profile.'),
      perByte: z
        .strictObject({
          base: z.number().int().min(0).default(10).describe('Bytes per transaction.'),
          input: z.number().int().min(0).default(148).describe('Bytes per input.'),
          output: z.number().int().min(0).default(34).describe('Bytes per output.'),
          price: decimal.describe('Coin per byte.'),
        })
        .optional()
        .describe('Fee by size, as in the published simulator; paid from the change.'),
    }),
    'network',
    'perByte',
  ).default({ network: true }),
  changes: z
    .array(z.strictObject({ atRound: z.number().int().min(1).describe('First round with the new values.'), ...prices }))
    .default([])
    .describe('Changes of prices and caps at given rounds.'),
});

const duration = oneOf(
  z.strictObject({
    rounds: z.number().int().min(1).max(10_000_000).optional().describe('Rounds of ten minutes.'),
    days: z.number().positive().max(36_500).optional().describe('144 rounds of ten minutes each.'),
    updates: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Ends with the round in which the log reaches this many updates.'),
  }),
  'rounds',
  'days',
  'updates',
);

const threshold = z.string().regex(/^(<=|<|>=|>|==) ?-?\d+(\.\d+)?$/, 'expected a comparison such as "<= 10"');

export const scenarioSchema = z
  .strictObject({
    $schema: z.string().optional().describe('URL of the JSON schema, for editors.'),
    name: slug.describe('Name of the scenario, used in tables and file names.'),
    description: z.string().default('').describe('Purpose of the scenario.'),
    seed: z.number().int().min(0).max(0xffff_ffff).default(1).describe('Seed of all random draws.'),
    network: network.default(network.parse({})),
    duration,
    warmup: z.number().int().min(0).default(0).describe('Rounds before metrics are sampled.'),
    parties: z.array(group).min(1).max(100).describe('Groups of parties with equal behaviour.'),
    policies: z.string().optional().describe('A file with your own policies; path relative to the scenario.'),
    metrics: z
      .strictObject({
        every: z.number().int().min(1).default(1).describe('Rounds between two samples.'),
        perParty: z.boolean().default(false).describe('Whether the result has a line per party.'),
      })
      .default({ every: 1, perParty: false }),
    thresholds: z
      .record(z.string(), threshold)
      .default({})
      .describe('Limits of metrics, such as utxosPerParty.p95: "<= 10"; a violated one sets the exit code.'),
  })
  .describe('A scenario: a network, its parties, their behaviour and the duration.');

/** A scenario as written in a file. */
export type ScenarioInput = z.input<typeof scenarioSchema>;
export type RawScenario = z.output<typeof scenarioSchema>;

/** Returns the JSON Schema of scenario files, for editors. */
export function scenarioJsonSchema(): unknown {
  return z.toJSONSchema(scenarioSchema, { io: 'input', target: 'draft-2020-12' });
}
