import { z } from 'zod';

/** A decimal text of coin, USD or a rate: up to 28 digits and ten places. Never a number, since numbers round. */
export const decimal = z
  .string('expected a decimal in quotes, such as "0.5"')
  .regex(/^\d{1,28}(\.\d{1,10})?$/, 'expected a decimal with at most ten places, such as "0.5"');

/** A name of a group: it becomes part of party ids, file names and columns. */
export const slug = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'expected lower-case letters, digits and dashes, beginning with a letter');

/** A span of ledger time such as `90s`, `10m`, `6h`, `3d`. */
export const span = z.string().regex(/^\d{1,9}[smhd]$/, 'expected a span such as "90s", "10m", "6h" or "3d"');

/** A probability or share. */
export const share = z.number().min(0).max(1);

/** A mean count, such as payments a day. */
export const rate = z.number().min(0).max(1_000_000);

/** Demands that exactly one of some fields is there: a choice whose faults are still reported by field. */
export function oneOf<Shape extends z.ZodObject>(
  shape: Shape,
  ...choices: readonly (keyof z.output<Shape> & string)[]
): Shape {
  return shape.check((ctx) => {
    const given = choices.filter((choice) => ctx.value[choice] !== undefined);
    if (given.length === 1) return;
    ctx.issues.push({
      code: 'custom',
      input: ctx.value,
      path: given.slice(1, 2),
      message: `got ${given.length === 0 ? 'none' : given.join(' and ')}, expected exactly one of ${choices.join(', ')}`,
    });
  });
}

const sigma = z.number().positive().max(10);

/**
 * A random amount of coin. What is drawn is rounded to `step` (0.01 coin unless told) at once, half up, and is at least one step;
 * from there on it is exact.
 */
export const distribution = oneOf(
  z.strictObject({
    constant: decimal.optional(),
    uniform: z.strictObject({ least: decimal, most: decimal }).optional(),
    normal: z.strictObject({ mean: decimal, deviation: decimal }).optional(),
    exponential: z.strictObject({ mean: decimal }).optional(),
    logNormal: z.strictObject({ median: decimal, sigma }).optional(),
    pareto: z.strictObject({ least: decimal, shape: z.number().positive().max(100) }).optional(),
    round: z
      .strictObject({ median: decimal, sigma, digits: z.number().int().min(1).max(3).default(1) })
      .optional()
      .describe('Log-normal, rounded to so many leading digits: people choose round numbers.'),
    empirical: oneOf(
      z.strictObject({
        values: z.array(decimal).min(1).optional(),
        file: z.string().min(1).optional().describe('One amount a line, a whole number; relative to the scenario.'),
        unit: decimal.default('1').describe('Coin per unit of the file.'),
      }),
      'values',
      'file',
    ).optional(),
    step: decimal.default('0.01').describe('What draws are rounded to.'),
  }),
  'constant',
  'uniform',
  'normal',
  'exponential',
  'logNormal',
  'pareto',
  'round',
  'empirical',
).describe('A random amount of coin.');

/** How an amount is drawn. */
export type AmountDistribution = z.output<typeof distribution>;

/** A random span of ledger time. */
export const delay = oneOf(
  z.strictObject({
    constant: span.optional(),
    uniform: z.strictObject({ least: span, most: span }).optional(),
    exponential: z.strictObject({ mean: span }).optional(),
  }),
  'constant',
  'uniform',
  'exponential',
).describe('A random span of ledger time.');

/** How a span of time is drawn. */
export type DelayDistribution = z.output<typeof delay>;
