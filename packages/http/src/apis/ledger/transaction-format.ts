import { z } from '@hono/zod-openapi';
import { LedgerProblem } from '../../gates/ledger-errors.js';
import { eventFormatOf, eventFormatSchema, type EventFormat } from '../../wire/event-format.js';

const SHAPES = ['TRANSACTION_SHAPE_ACS_DELTA', 'TRANSACTION_SHAPE_LEDGER_EFFECTS'] as const;

/** The events of transactions that a request asks for. Source: specification of the API §8.3. */
export const transactionFormatSchema = z
  .object({ eventFormat: eventFormatSchema, transactionShape: z.enum(SHAPES) })
  .openapi('TransactionFormat');

/** Reads a format. Throws 501 for the shape with exercised events. */
export function formatOfTransactions(
  { eventFormat, transactionShape }: z.output<typeof transactionFormatSchema>,
  field: string,
): EventFormat {
  if (transactionShape !== 'TRANSACTION_SHAPE_ACS_DELTA')
    throw new LedgerProblem(
      'UNIMPLEMENTED',
      `${field}.transactionShape: ${transactionShape} is not served; use TRANSACTION_SHAPE_ACS_DELTA`,
    );
  return eventFormatOf(eventFormat, `${field}.eventFormat`);
}
