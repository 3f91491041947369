import { z } from '@hono/zod-openapi';
import { eventFormatOf, eventFormatSchema } from '../../wire/ledger/event-format.js';
import type { TransactionFormat } from '../../wire/ledger/transaction.js';

const SHAPES = ['TRANSACTION_SHAPE_ACS_DELTA', 'TRANSACTION_SHAPE_LEDGER_EFFECTS'] as const;

/** Source: specification of the API §8.3. */
export const transactionFormatSchema = z
  .object({ eventFormat: eventFormatSchema, transactionShape: z.enum(SHAPES) })
  .openapi('TransactionFormat');

export function formatOfTransactions(
  { eventFormat, transactionShape }: z.output<typeof transactionFormatSchema>,
  field: string,
): TransactionFormat {
  const shape = transactionShape === 'TRANSACTION_SHAPE_ACS_DELTA' ? 'ACS_DELTA' : 'LEDGER_EFFECTS';
  return { ...eventFormatOf(eventFormat, `${field}.eventFormat`), shape };
}
