import { err, ok, type Result } from '@coinlab/core';
import { z } from 'zod';

const coin = z.object({ owner: z.string(), amount: z.object({ initialAmount: z.string() }) });

const created = z.object({
  event_type: z.literal('created_event'),
  contract_id: z.string(),
  template_id: z.string(),
  create_arguments: z.unknown(),
});

const exercised = z.object({
  event_type: z.literal('exercised_event'),
  contract_id: z.string(),
  template_id: z.string(),
  choice: z.string(),
  consuming: z.boolean(),
  acting_parties: z.array(z.string()),
  child_event_ids: z.array(z.string()),
});

const transaction = z.object({
  update_id: z.string(),
  migration_id: z.number().int(),
  record_time: z.iso.datetime({ offset: true }),
  root_event_ids: z.array(z.string()),
  events_by_id: z.record(z.string(), z.discriminatedUnion('event_type', [created, exercised])),
});

/** A reassignment moves no coin between parties. */
const reassignment = z.object({ update_id: z.string(), event: z.unknown() });

const page = z.object({ transactions: z.array(z.union([transaction, reassignment])) });

export type ScanTransaction = z.output<typeof transaction>;

export type ScanItem = z.output<typeof page>['transactions'][number];

export type ScanEvent = ScanTransaction['events_by_id'][string];

export function parseUpdatePage(value: unknown): Result<readonly ScanItem[], string> {
  const parsed = page.safeParse(value);
  if (parsed.success) return ok(parsed.data.transactions);
  const [issue] = parsed.error.issues;
  return err(`${issue?.path.join('.') || 'the page'}: ${issue?.message ?? 'is no page of /v2/updates'}`);
}

export function coinOf({ template_id, create_arguments }: z.output<typeof created>): z.output<typeof coin> | null {
  if (template_id.endsWith(':Splice.Amulet:Amulet')) return coin.safeParse(create_arguments).data ?? null;
  if (!template_id.endsWith(':Splice.Amulet:LockedAmulet')) return null;
  return z.object({ amulet: coin }).safeParse(create_arguments).data?.amulet ?? null;
}

export function consumesCoin({ template_id, consuming }: z.output<typeof exercised>): boolean {
  return consuming && /:Splice\.Amulet:(Locked)?Amulet$/.test(template_id);
}
