import type { z } from '@hono/zod-openapi';
import { isDamage } from '../../host/host.js';
import type { Tail, TailReader } from '../../host/tail.js';
import { LedgerProblem, cantonErrorOf } from '../../gates/ledger/errors.js';
import { rightsOf } from '../../gates/ledger/rights.js';
import type { OffsetRange } from '../../history/party-updates.js';
import { Problem } from '../../problem.js';
import type { Caller } from '../../request.js';
import type { TransactionFormat } from '../../wire/ledger/transaction.js';
import { activeContractsOf, activeContractsRequestSchema, type ActiveContractsNeeds } from './active-contracts.js';
import { completionsIn, completionsRequestSchema, wantedCompletions, type CompletionsNeeds } from './completions.js';
import { requireReached, requireReadableBy, requireUnreverted } from './lists.js';
import { formatOfList, formatOfTrees, updatesRequestSchema, type UpdatesRequest } from './updates/format.js';
import { treeElementOf, updateElement } from './updates/updates.js';
import { transactionsIn, type UpdatesNeeds } from './updates/range.js';

export type StreamNeeds = UpdatesNeeds &
  CompletionsNeeds &
  ActiveContractsNeeds & {
    readonly tail: Tail;
    readonly ending: AbortSignal;
    readonly onFault: (what: string, error: unknown) => void;
  };

export interface MessageStream {
  readonly messages: AsyncIterable<string>;
  readonly reader: TailReader | null;
}

type Channel = (request: unknown, caller: Caller, server: StreamNeeds) => MessageStream;

const CHANNELS: ReadonlyMap<string, Channel> = new Map<string, Channel>([
  ['/v2/updates', updatesWith(formatOfList, updateElement)],
  ['/v2/updates/flats', updatesWith(formatOfList, updateElement)],
  ['/v2/updates/trees', updatesWith(formatOfTrees, treeElementOf)],
  ['/v2/commands/completions', completions],
  ['/v2/state/active-contracts', activeContracts],
]);

export function channelOf(path: string): Channel | null {
  return CHANNELS.get(socketPath(path)) ?? null;
}

/** Some clients begin a path with two slashes or with the prefix of the API. */
export function socketPath(path: string): string {
  return path.replace(/^\/+/, '/').replace(/^\/api\/ledger(?=\/)/, '');
}

export function errorMessage(error: unknown, { onFault }: Pick<StreamNeeds, 'onFault'>): string {
  if (error instanceof Problem) return JSON.stringify(cantonErrorOf(error));
  if (!isDamage(error)) onFault('websocket', error);
  return JSON.stringify(cantonErrorOf(new Problem(500, 'internal error; the server has logged it')));
}

function updatesWith(
  formatOf: (request: UpdatesRequest) => TransactionFormat | null,
  elementOf: typeof updateElement | typeof treeElementOf,
): Channel {
  return (json, caller, server) => {
    const request = parsed(updatesRequestSchema, json);
    const { beginExclusive: begin, endInclusive, descendingOrder } = request;
    const format = formatOf(request);
    if (format) requireReadableBy(rightsOf(caller), format);
    requireReached(begin, server.state.offset, 'beginExclusive');
    const end = endInclusive ?? Number.POSITIVE_INFINITY;
    if (begin > end)
      throw new LedgerProblem('OFFSET_OUT_OF_RANGE', `endInclusive: ${end} is before beginExclusive ${begin}`);
    if (descendingOrder && !Number.isFinite(end))
      throw new Problem(400, 'endInclusive: expected an offset, because descendingOrder is true');
    // The newest of a descending list must be known when it begins.
    if (descendingOrder) requireReached(end, server.state.offset, 'endInclusive');
    const reader = server.tail.open(begin);
    async function* batch(range: OffsetRange): AsyncGenerator<string, void, undefined> {
      if (!format) return;
      const isDescending = descendingOrder ?? false;
      for await (const transaction of transactionsIn({ ...range, isDescending }, format, server)) {
        yield JSON.stringify(elementOf(transaction));
        reader.lastSent = transaction.offset;
      }
    }
    return { reader, messages: following(reader, end, batch, server) };
  };
}

function completions(json: unknown, caller: Caller, server: StreamNeeds): MessageStream {
  const wanted = wantedCompletions(parsed(completionsRequestSchema, json), caller, server);
  const reader = server.tail.open(wanted.begin);
  async function* batch(range: OffsetRange): AsyncGenerator<string, void, undefined> {
    for await (const element of completionsIn(range, wanted, server)) {
      yield JSON.stringify(element);
      reader.lastSent = element.completionResponse.Completion.value.offset;
    }
  }
  return { reader, messages: following(reader, Number.POSITIVE_INFINITY, batch, server) };
}

async function* following(
  reader: TailReader,
  end: number,
  batch: (range: OffsetRange) => AsyncIterable<string>,
  server: StreamNeeds,
): AsyncGenerator<string, void, undefined> {
  try {
    while (!server.ending.aborted) {
      requireUnreverted(reader.resets, server.tail);
      const until = Math.min(server.state.offset, end);
      if (until > reader.position) {
        yield* batch({ begin: reader.position, end: until });
        reader.position = until;
      } else {
        reader.isAtEnd = true;
        if (until >= end) return;
        await reader.more();
        if (reader.isClosed) return;
      }
    }
  } finally {
    reader.close();
  }
}

function activeContracts(json: unknown, caller: Caller, server: StreamNeeds): MessageStream {
  const request = parsed(activeContractsRequestSchema, json);
  return { reader: null, messages: activeContractsOf(request, rightsOf(caller), server) };
}

function parsed<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.') || 'message'}: ${message}`);
  throw new Problem(400, faults.join('; '));
}
