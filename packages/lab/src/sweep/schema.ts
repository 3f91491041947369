import { LEAST_COMPLETED, oneOf } from '@coinlab/sim';
import { z } from 'zod';

const range = z.strictObject({ from: z.number(), to: z.number() });

const parameter = z.strictObject({
  name: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,39}$/, 'expected letters, digits, dashes and underscores, beginning with a letter')
    .describe('Column in the tables.'),
  path: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .describe(
      'Field of the scenario with groups by name, for example "parties.payers.wallet.select"; "*" means all groups.',
    ),
  values: z.array(z.unknown()).min(1).optional().describe('List of values; each may be an object.'),
  linear: range.optional().describe('Range of uniformly distributed numbers.'),
  log: range.optional().describe('Range of positive numbers with uniformly distributed logarithms.'),
  integer: range.optional().describe('Range of integers, both ends included.'),
  decimals: z
    .number()
    .int()
    .min(0)
    .max(10)
    .optional()
    .describe('With linear or log: writes a decimal string with this number of places.'),
  unit: z.enum(['s', 'm', 'h', 'd']).optional().describe('With integer: writes a time span such as "6h".'),
});

const design = oneOf(
  z.strictObject({
    grid: z.literal(true).optional().describe('All combinations of the values.'),
    list: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .optional()
      .describe('List of points: settings by parameter name; missing ones keep the scenario’s value.'),
    latinHypercube: z
      .strictObject({ samples: z.number().int().min(1).max(1_000_000) })
      .optional()
      .describe('Points that cover each range evenly.'),
    morris: z
      .strictObject({
        trajectories: z.number().int().min(2).max(100_000).default(10),
        levels: z.number().int().min(2).max(100).multipleOf(2).default(4),
      })
      .optional()
      .describe('Screening for important parameters: trajectories × (parameters + 1) points.'),
    sobol: z
      .strictObject({
        samples: z.number().int().min(2).max(100_000),
        resamples: z
          .number()
          .int()
          .min(100)
          .max(10_000)
          .default(1_000)
          .describe('Resamples of the bootstrap intervals.'),
      })
      .optional()
      .describe('Share of the variance that each parameter explains: samples × (parameters + 2) points.'),
  }),
  'grid',
  'list',
  'latinHypercube',
  'morris',
  'sobol',
);

export const sweepSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,39}$/, 'expected lower-case letters, digits and dashes, beginning with a letter'),
    description: z.string().default(''),
    scenario: z
      .union([z.string().min(1), z.record(z.string(), z.unknown())])
      .describe('The scenario to vary: inline, or a file relative to this one.'),
    parameters: z.array(parameter).min(1).max(200),
    design: design.describe('The points of the sweep.'),
    seed: z
      .number()
      .int()
      .min(0)
      .max(0xffff_ffff)
      .default(1)
      .describe('Seed of the design; runs use the scenario’s seed.'),
    replicates: z
      .number()
      .int()
      .min(1)
      .max(100_000)
      .default(1)
      .describe('Runs per point, each with its own random seed.'),
    metrics: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Metrics of the result, for example "merges" or "payers/merges"; default: all metrics of the network.'),
    objectives: z
      .array(z.string())
      .min(2)
      .max(8)
      .optional()
      .describe('Metrics of the Pareto view, lower is better; must be among the metrics.'),
    minCompleted: z
      .number()
      .min(0)
      .max(1)
      .default(LEAST_COMPLETED)
      .describe('Share of the requested payments that each group must complete; below it a point has no verdict.'),
  })
  .describe('A sweep: a scenario, the varied parameters, and the runs per point.');

/** A sweep file with its defaults. */
export type SweepFile = z.output<typeof sweepSchema>;
export type Parameter = z.output<typeof parameter>;

/** Returns the JSON Schema of sweep files, for editors. */
export function sweepJsonSchema(): unknown {
  return z.toJSONSchema(sweepSchema, { io: 'input', target: 'draft-2020-12' });
}
