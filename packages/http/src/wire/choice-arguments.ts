import { z } from '@hono/zod-openapi';
import { Amount, Instant, PartyId } from '@coinlab/core';

/*
 * Choice arguments of the token standard, versions 1 and 2. The registry checks only their form; the ledger checks a choice when it is
 * exercised.
 * Source: specification of the API §9.3.
 */

const reads =
  (read: (text: unknown) => { readonly ok: boolean }) =>
  (text: unknown): boolean =>
    read(text).ok;

const receiverText = z
  .string()
  .refine(
    reads((text) => PartyId.parse(text)),
    'expected a party id hint::fingerprint',
  )
  // Cast: checked above.
  .transform((text) => text as PartyId);

/** A party with an account. The coin supports only accounts that are a bare party. */
const senderAccount = z.object({
  owner: z.string().nullable(),
  provider: z.string().nullish(),
  id: z.string().default(''),
});
const receiverAccount = z.object({
  owner: receiverText,
  provider: z.string().nullish(),
  id: z.string().default(''),
});

const values = <Value extends z.ZodType>(value: Value) => z.object({ values: z.record(z.string(), value).default({}) });

const time = z.string().refine(
  reads((text) => Instant.parse(text)),
  'expected a UTC time like 2026-04-28T14:12:22.491706Z',
);
const amount = z.union([
  z.string().refine(
    reads((text) => Amount.parse(text)),
    'expected a decimal with at most 28 digits before and 10 after the point',
  ),
  z.number(),
]);

export const transferArguments = z
  .object({
    expectedAdmin: z.string().optional(),
    actors: z.array(z.string()).optional(),
    transfer: z.object({
      sender: z.union([z.string(), senderAccount]),
      receiver: z.union([receiverText, receiverAccount]),
      amount,
      instrumentId: z.object({ admin: z.string(), id: z.string() }),
      requestedAt: time,
      executeBefore: time,
      inputHoldingCids: z.array(z.string()),
      meta: values(z.string()),
    }),
    extraArgs: z.object({ context: values(z.unknown()), meta: values(z.string()) }),
  })
  .openapi('TransferFactoryTransferArguments');

/** Arguments of version 1. The choice context does not depend on them. */
export const allocationArguments = z
  .object({
    expectedAdmin: z.string(),
    allocation: z.object({
      settlement: z.object({
        executor: z.string(),
        settlementRef: z.object({ id: z.string(), cid: z.string().nullish() }),
        requestedAt: time,
        allocateBefore: time,
        settleBefore: time,
        meta: values(z.string()),
      }),
      transferLegId: z.string(),
      transferLeg: z.object({
        sender: z.string(),
        receiver: z.string(),
        amount,
        instrumentId: z.object({ admin: z.string(), id: z.string() }),
        meta: values(z.string()),
      }),
    }),
    requestedAt: time,
    inputHoldingCids: z.array(z.string()),
    extraArgs: z.object({ context: values(z.unknown()), meta: values(z.string()) }),
  })
  .openapi('AllocationFactoryAllocateArguments');

export function partiesOf({ transfer: { sender, receiver } }: z.output<typeof transferArguments>): {
  readonly sender: string | null;
  readonly receiver: PartyId;
} {
  return {
    sender: typeof sender === 'string' ? sender : sender.owner,
    receiver: typeof receiver === 'string' ? receiver : receiver.owner,
  };
}
