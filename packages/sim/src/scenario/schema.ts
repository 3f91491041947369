import { PROFILE_NAMES } from '@coinlab/core';
import { z } from 'zod';
import { group } from './group.js';
import { PRESET_NAMES } from './presets.js';
import { decimal, oneOf, slug } from './values.js';

const prices = {
  amuletPrice: decimal.optional().describe('USD per coin.'),
  trafficPrice: decimal.optional().describe('USD per megabyte of extra traffic.'),
  holdingFee: decimal.optional().describe('USD per UTXO and round; a coin expires when what has accrued exceeds it.'),
  validatorFaucetCap: decimal.optional().describe('USD per validator and round.'),
  featuredAppRewardCap: decimal.optional().describe('Coin per featured coupon, in units of its activity.'),
};

const network = z.strictObject({
  preset: z.enum(PRESET_NAMES).default('2026-06').describe('Prices and caps of a date, with their sources.'),
  profile: z.enum(PROFILE_NAMES).optional().describe('Rule profile; left out: the preset’s.'),
  maxInputs: z.number().int().min(2).max(10_000).default(100).describe('Inputs that one transaction may have.'),
  ...prices,
  rewards: z
    .boolean()
    .default(true)
    .describe('Whether rounds issue rewards (validators’ liveness, app and super validator rewards).'),
  expiresDust: z.boolean().default(true).describe('Whether the DSO expires coins that have become dust.'),
  fees: oneOf(
    z.strictObject({
      network: z.literal(true).optional().describe('What the rule profile charges.'),
      perByte: z
        .strictObject({
          base: z.number().int().min(0).default(10).describe('Bytes of a transaction.'),
          input: z.number().int().min(0).default(148).describe('Bytes of an input.'),
          output: z.number().int().min(0).default(34).describe('Bytes of an output.'),
          price: decimal.describe('Coin per byte.'),
        })
        .optional()
        .describe('Size based, as in the published simulator: paid out of the change.'),
    }),
    'network',
    'perByte',
  ).default({ network: true }),
  changes: z
    .array(z.strictObject({ atRound: z.number().int().min(1).describe('From this round on.'), ...prices }))
    .default([])
    .describe('Changes of regime: what is set from a round on.'),
});

const duration = oneOf(
  z.strictObject({
    rounds: z.number().int().min(1).max(10_000_000).optional().describe('Rounds of ten minutes.'),
    days: z.number().positive().max(36_500).optional().describe('144 rounds of ten minutes each.'),
    updates: z.number().int().min(1).optional().describe('Ends with the round in which the log has so many updates.'),
  }),
  'rounds',
  'days',
  'updates',
);

/** A comparison such as `<= 10`. */
const threshold = z.string().regex(/^(<=|<|>=|>|==) ?-?\d+(\.\d+)?$/, 'expected a comparison such as "<= 10"');

/** A scenario file. */
export const scenarioSchema = z
  .strictObject({
    $schema: z.string().optional().describe('Where an editor finds the schema.'),
    name: slug.describe('Name of the scenario: tables and files carry it.'),
    description: z.string().default('').describe('What it is for.'),
    seed: z.number().int().min(0).max(0xffff_ffff).default(1).describe('Seed of all chance.'),
    network: network.default(network.parse({})),
    duration,
    warmup: z.number().int().min(0).default(0).describe('Rounds before metrics are sampled.'),
    parties: z.array(group).min(1).max(100).describe('Groups of parties that are alike.'),
    policies: z.string().optional().describe('A file with policies of your own; relative to the scenario.'),
    metrics: z
      .strictObject({
        every: z.number().int().min(1).default(1).describe('Rounds between two samples.'),
        perParty: z.boolean().default(false).describe('Whether a line per party is kept at the end.'),
      })
      .default({ every: 1, perParty: false }),
    thresholds: z
      .record(z.string(), threshold)
      .default({})
      .describe(
        'Demands on metrics of the result, such as utxosPerParty.p95: "<= 10"; one that fails sets the exit code.',
      ),
  })
  .describe('A scenario: a network, its parties, what they do and for how long.');

/** A scenario as it is written. */
export type ScenarioInput = z.input<typeof scenarioSchema>;
/** A scenario with its own defaults, before those of its temperaments. */
export type RawScenario = z.output<typeof scenarioSchema>;

/** JSON Schema of scenario files, for editors. */
export function scenarioJsonSchema(): unknown {
  return z.toJSONSchema(scenarioSchema, { io: 'input', target: 'draft-2020-12' });
}
