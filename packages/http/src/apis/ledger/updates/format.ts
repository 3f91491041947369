import { z } from '@hono/zod-openapi';
import { PartyId } from '@coinlab/core';
import { Problem } from '../../../problem.js';
import { eventFormatOf, transactionFilterSchema } from '../../../wire/ledger/event-format.js';
import type { TransactionFormat } from '../../../wire/ledger/transaction.js';
import { formatOfTransactions, transactionFormatSchema } from '../transaction-format.js';

const offset = z.int().nonnegative();

/** This ledger has transactions only. */
export const updateFormatSchema = z
  .object({
    includeTransactions: transactionFormatSchema.nullish(),
    includeReassignments: z.unknown().optional(),
    includeTopologyEvents: z.unknown().optional(),
  })
  .openapi('UpdateFormat');

export const updatesRequestSchema = z
  .object({
    beginExclusive: offset,
    endInclusive: offset.nullish(),
    updateFormat: updateFormatSchema.nullish(),
    filter: transactionFilterSchema.nullish(),
    verbose: z.boolean().nullish(),
    descendingOrder: z.boolean().nullish(),
  })
  .openapi('GetUpdatesRequest');

export type UpdatesRequest = z.output<typeof updatesRequestSchema>;

export function formatOfUpdates({
  includeTransactions: wanted,
}: z.output<typeof updateFormatSchema>): TransactionFormat | null {
  return wanted ? formatOfTransactions(wanted, 'updateFormat.includeTransactions') : null;
}

/** Clients of Canton 3.4 send `filter` with an empty `updateFormat`. */
export function formatOfList({ updateFormat, filter }: UpdatesRequest): TransactionFormat | null {
  const format = updateFormat ? formatOfUpdates(updateFormat) : null;
  if (filter && !format) return { ...eventFormatOf(filter, 'filter'), shape: 'ACS_DELTA' };
  if (!updateFormat || filter) throw new Problem(400, 'expected either updateFormat or filter, and not both');
  return format;
}

export function formatOfTrees({ updateFormat, filter }: UpdatesRequest): TransactionFormat {
  if (!filter || updateFormat) throw new Problem(400, 'expected filter without updateFormat');
  return { ...eventFormatOf(filter, 'filter'), shape: 'LEDGER_EFFECTS' };
}

export function formatOfParties(
  parties: readonly string[],
  field: string,
  shape: TransactionFormat['shape'],
): TransactionFormat {
  parties.forEach((text, i) => {
    const party = PartyId.parse(text, `${field}[${i}]`);
    if (!party.ok) throw new Problem(400, `${field}[${i}]: got ${text}, expected ${party.error.expected}`);
  });
  const filtersByParty = Object.fromEntries(parties.map((party) => [party, {}]));
  return { ...eventFormatOf({ filtersByParty }, field), shape };
}
