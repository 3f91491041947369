import { z } from 'zod';

/** Numbers are refused, because floats round. */
export const decimal = z
  .string('expected a decimal in quotes, such as "0.5"')
  .regex(/^\d{1,28}(\.\d{1,10})?$/, 'expected a decimal with at most ten places, such as "0.5"');

export const slug = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'expected lower-case letters, digits and dashes, beginning with a letter');

export const span = z.string().regex(/^\d{1,9}[smhd]$/, 'expected a span such as "90s", "10m", "6h" or "3d"');

export const share = z.number().min(0).max(1);

export const rate = z.number().min(0).max(1_000_000);

/** Requires exactly one of the fields; faults still carry the field's path. */
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

/** A random amount of coin, rounded half up to a multiple of `step` (default 0.01 coin), at least one step; exact from there on. */
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
      .describe('Log-normal, rounded to this many leading digits, since people choose round numbers.'),
    empirical: oneOf(
      z.strictObject({
        values: z.array(decimal).min(1).optional(),
        file: z
          .string()
          .min(1)
          .optional()
          .describe('A file with one amount per line, as an integer; path relative to the scenario.'),
        unit: decimal.default('1').describe('Coin per unit of the file.'),
      }),
      'values',
      'file',
    ).optional(),
    step: decimal.default('0.01').describe('Draws are rounded to a multiple of this amount.'),
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

export type AmountDistribution = z.output<typeof distribution>;

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

export type DelayDistribution = z.output<typeof delay>;
