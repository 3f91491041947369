import { z } from '@hono/zod-openapi';
import { ledgerCreatedSchema, ledgerExercisedSchema } from './events.js';
import { ledgerTransactionSchema, type LedgerTransaction } from './transaction.js';

const treeEvent = z
  .union([
    z.object({ CreatedTreeEvent: z.object({ value: ledgerCreatedSchema }) }),
    z.object({ ExercisedTreeEvent: z.object({ value: ledgerExercisedSchema }) }),
  ])
  .openapi('LedgerTreeEvent');

/** Source: the OpenAPI document of Canton 3.4. */
export const ledgerTreeSchema = ledgerTransactionSchema
  .omit({ events: true })
  .extend({ eventsById: z.record(z.string(), treeEvent) })
  .openapi('JsTransactionTree');

export function ledgerTreeOf({ events, ...transaction }: LedgerTransaction): z.output<typeof ledgerTreeSchema> {
  const eventsById: z.output<typeof ledgerTreeSchema>['eventsById'] = {};
  for (const event of events) {
    if ('CreatedEvent' in event) {
      const value = event.CreatedEvent;
      eventsById[value.nodeId] = { CreatedTreeEvent: { value } };
    } else if ('ExercisedEvent' in event) {
      const value = event.ExercisedEvent;
      eventsById[value.nodeId] = { ExercisedTreeEvent: { value } };
    }
  }
  return { ...transaction, eventsById };
}
