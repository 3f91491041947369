import { oneOf } from '@coinlab/sim';
import { z } from 'zod';

const range = z.strictObject({ from: z.number(), to: z.number() });

/** Something that a sweep sets, and what to. */
const parameter = z.strictObject({
  name: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,39}$/, 'expected letters, digits, dashes and underscores, beginning with a letter')
    .describe('Column of the tables.'),
  path: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .describe(
      'Field of the scenario, groups by name, such as "parties.payers.wallet.select"; "*" stands for all groups.',
    ),
  values: z.array(z.unknown()).min(1).optional().describe('Values one by one; each may be a whole object.'),
  linear: range.optional().describe('Numbers, all equally likely.'),
  log: range.optional().describe('Numbers above zero, whose logarithms are equally likely.'),
  integer: range.optional().describe('Whole numbers, both ends among them.'),
  decimals: z
    .number()
    .int()
    .min(0)
    .max(10)
    .optional()
    .describe('With linear or log: the field is a decimal in quotes, with so many places.'),
  unit: z.enum(['s', 'm', 'h', 'd']).optional().describe('With integer: the field is a span such as "6h".'),
});

const design = oneOf(
  z.strictObject({
    grid: z.literal(true).optional().describe('Every combination of the values.'),
    list: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .optional()
      .describe(
        'Points one by one: settings by the names of the parameters; what a point leaves out stays as the scenario has it.',
      ),
    latinHypercube: z
      .strictObject({ samples: z.number().int().min(1).max(1_000_000) })
      .optional()
      .describe('So many points that cover each range evenly.'),
    morris: z
      .strictObject({
        trajectories: z.number().int().min(2).max(100_000).default(10),
        levels: z.number().int().min(2).max(100).multipleOf(2).default(4),
      })
      .optional()
      .describe('Which parameters matter at all: trajectories × (parameters + 1) points.'),
    sobol: z
      .strictObject({
        samples: z.number().int().min(2).max(100_000),
        resamples: z.number().int().min(100).max(10_000).default(1_000).describe('Of the bootstrap intervals.'),
      })
      .optional()
      .describe('What share of the variance each explains: samples × (parameters + 2) points.'),
  }),
  'grid',
  'list',
  'latinHypercube',
  'morris',
  'sobol',
);

/** A sweep file. */
export const sweepSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,39}$/, 'expected lower-case letters, digits and dashes, beginning with a letter'),
    description: z.string().default(''),
    scenario: z
      .union([z.string().min(1), z.record(z.string(), z.unknown())])
      .describe('What is swept: a scenario, or the file of one, relative to this file.'),
    parameters: z.array(parameter).min(1).max(200),
    design: design.describe('Which points are run.'),
    seed: z
      .number()
      .int()
      .min(0)
      .max(0xffff_ffff)
      .default(1)
      .describe('Chance of the design; that of the runs is the scenario’s.'),
    replicates: z.number().int().min(1).max(100_000).default(1).describe('Runs of each point, each with other chance.'),
    metrics: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Metrics to keep, such as "merges" or "payers/merges"; left out: all of the network.'),
    objectives: z
      .array(z.string())
      .min(2)
      .max(8)
      .optional()
      .describe('Metrics of the Pareto view, less being better in each; kept ones.'),
  })
  .describe('A sweep: a scenario, what is varied in it, and how often each point is run.');

/** A sweep as it is written, with its defaults. */
export type SweepFile = z.output<typeof sweepSchema>;
/** One of its parameters. */
export type Parameter = z.output<typeof parameter>;

/** JSON Schema of sweep files, for editors. */
export function sweepJsonSchema(): unknown {
  return z.toJSONSchema(sweepSchema, { io: 'input', target: 'draft-2020-12' });
}
