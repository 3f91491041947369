import { z } from '@hono/zod-openapi';

/** Reads plain digits such as `12`; refuses `1e3`, `0x10` and an empty text. */
export function wholeNumber(
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): z.ZodPipe<z.ZodString, z.ZodTransform<number, string>> {
  return z
    .string()
    .transform((text, context): number => {
      const number = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      if (number >= least && number <= most) return number;
      context.addIssue({ code: 'custom', message: `expected a whole number from ${least} to ${most}` });
      return z.NEVER;
    })
    .openapi({ type: 'integer', format: 'int64', minimum: least, maximum: most });
}
