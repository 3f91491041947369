import { AsyncResource } from 'node:async_hooks';
import type { Context } from 'hono';
import { z } from '@hono/zod-openapi';
import type { Configured } from '../../config.js';
import { callerOf } from '../../gates/caller.js';
import { LedgerProblem } from '../../gates/ledger/errors.js';
import { requireReadAs, requireReadAsAny, rightsOf, type LedgerRights } from '../../gates/ledger/rights.js';
import type { Tail } from '../../host/tail.js';
import { printedJson } from '../../route-parts.js';
import type { EventFormat } from '../../wire/ledger/event-format.js';

/** Lists end at once, so the idle timeout has no effect. Source: specification of the API §8.3. */
export const listQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('Maximum number of elements; further ones are omitted.'),
  stream_idle_timeout_ms: z.coerce.number().int().nonnegative().optional().describe('Has no effect.'),
});

export function requireReadable(c: Context, format: EventFormat): void {
  requireReadableBy(rightsOf(callerOf(c)), format);
}

export function requireReadableBy(rights: LedgerRights, { ofParty, ofAny }: EventFormat): void {
  requireReadAs(rights, [...ofParty.keys()]);
  if (ofAny) requireReadAsAny(rights);
}

export function requireReached(offset: number, end: number, field: string): void {
  if (offset > end)
    throw new LedgerProblem('OFFSET_AFTER_LEDGER_END', `${field}: ${offset} is after the ledger end ${end}`);
}

export function requireUnreverted(resets: number, tail: Pick<Tail, 'resets'>): void {
  if (resets !== tail.resets) throw new LedgerProblem('ABORTED', 'the ledger was reverted: start again');
}

/**
 * A list longer than the node's limit is refused with 413, unless the request sets a limit that is no higher. Source:
 * specification of the API §8.2.
 */
export class LimitedList<Item> {
  readonly #items: Item[] = [];
  readonly #limit: number;
  readonly #most: number;

  constructor(limit: number | undefined, { config }: Configured<'limits'>) {
    this.#limit = config.limits.listElements;
    this.#most = Math.min(limit ?? Number.POSITIVE_INFINITY, this.#limit + 1);
  }

  get isFull(): boolean {
    return this.#items.length >= this.#most;
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  items(): readonly Item[] {
    const count = this.#items.length;
    if (count <= this.#limit) return this.#items;
    throw new LedgerProblem(
      'JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED',
      `The number of matching elements (${count}) is greater than the node limit (${this.#limit}): ` +
        `send the query limit=${this.#limit}, read pages, or raise the setting limits.listElements`,
    );
  }
}

/** Items per chunk. Joining and encoding a chunk takes about a millisecond. */
const AT_ONCE = 200;

export function printedList(
  c: Context,
  texts: readonly string[],
  [before, after]: readonly [string, string] = ['[', ']'],
): never {
  if (texts.length <= AT_ONCE) return printedJson(c, before + texts.join(',') + after);
  const encoder = new TextEncoder();
  let next = 0;
  const stream = new ReadableStream<Uint8Array>({
    // The reader of the stream may run outside of the request, without its world.
    pull: AsyncResource.bind((controller: ReadableStreamDefaultController<Uint8Array>) => {
      const text = (next === 0 ? before : ',') + texts.slice(next, next + AT_ONCE).join(',');
      next += AT_ONCE;
      const isLast = next >= texts.length;
      controller.enqueue(encoder.encode(isLast ? text + after : text));
      if (isLast) controller.close();
    }),
  });
  // Cast: Hono expects a response typed with the declared body.
  return c.body(stream, 200, { 'Content-Type': 'application/json' }) as never;
}
