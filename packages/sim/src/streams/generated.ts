import { err, ok, type Result } from '@coinlab/core';
import { z } from 'zod';
import { amounts } from '../chance/distributions.js';
import { Streams } from '../chance/streams.js';
import { fieldFaults, parseData } from '../input/document.js';
import type { FileFault } from '../input/fault.js';
import { distribution, share } from '../scenario/values.js';

const MOST_ROWS = 1_000_000_000;

const schema = z
  .strictObject({
    rows: z.number().int().min(1).max(MOST_ROWS),
    receipts: share.default(0.5),
    amount: distribution.default({ logNormal: { median: '10', sigma: 1 }, step: '0.01' }),
    paid: distribution.optional(),
  })
  .check((ctx) => {
    for (const field of ['amount', 'paid'] as const)
      if (ctx.value[field]?.empirical?.file !== undefined)
        ctx.issues.push({
          code: 'custom',
          input: ctx.value,
          path: [field, 'empirical', 'file'],
          message: 'expected values: a generated stream reads no file',
        });
  });

/** Settings of a generated payment stream: rows, share of receipts, and distributions of amounts. */
export type GeneratedStream = z.output<typeof schema>;

/** Parses settings in YAML or JSON; `name` names the text in faults. */
export function parseGenerated(text: string, name: string): Result<GeneratedStream, readonly FileFault[]> {
  const document = parseData(text, name);
  if (!document.ok) return document;
  const { value, faultAt } = document.value;
  const parsed = schema.safeParse(value);
  return parsed.success
    ? ok(parsed.data)
    : err(fieldFaults(parsed.error.issues, value, schema).map((found) => faultAt(found)));
}

/**
 * Returns the rows of a generated stream, in units of 10⁻¹⁰ coin: positive for a receipt, negative for a payment. The first row is a
 * receipt. The same settings and seed give the same rows; each iteration draws them again, in constant memory.
 */
export function generatedRows({ rows, receipts, amount, paid }: GeneratedStream, seed: number): Iterable<bigint> {
  return {
    *[Symbol.iterator]() {
      const streams = new Streams(seed);
      const kinds = streams.named('generated/kinds');
      const received = amounts(amount, streams.named('generated/receipts'));
      const payment = amounts(paid ?? amount, streams.named('generated/payments'));
      for (let row = 0; row < rows; row++) yield kinds.chance(receipts) || row === 0 ? received() : -payment();
    },
  };
}
