import { createRoute, z } from '@hono/zod-openapi';
import { eachInAcs } from '@coinlab/core/views';
import { ContractId, type Contract, type LedgerState } from '@coinlab/core';
import type { Context, MiddlewareHandler } from 'hono';
import { setImmediate } from 'node:timers/promises';
import type { Configured } from '../../config.js';
import type { LedgerRights } from '../../gates/ledger/rights.js';
import { StateCache } from '../../host/state-cache.js';
import type { Tail } from '../../host/tail.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { Problem } from '../../problem.js';
import type { Register } from '../../request.js';
import { answer, jsonBody, printedJson, USER } from '../../route-parts.js';
import { synchronizerOf } from '../../wire/contract.js';
import {
  eventFormatOf,
  eventFormatSchema,
  templatesIn,
  transactionFilterSchema,
  type EventFormat,
} from '../../wire/ledger/event-format.js';
import { ledgerCreatedOf, ledgerCreatedSchema, seenBy, type SeenContract } from '../../wire/ledger/events.js';
import { isOfNetwork } from '../../wire/templates.js';
import {
  LimitedList,
  listQuery,
  printedList,
  requireReadable,
  requireReadableBy,
  requireReached,
  requireUnreverted,
} from './lists.js';
import { LEDGER, ledgerProblems } from './route.js';

const offset = z.int().nonnegative();
export const activeContractsRequestSchema = z
  .object({
    activeAtOffset: offset,
    eventFormat: eventFormatSchema.nullish(),
    filter: transactionFilterSchema.nullish(),
    verbose: z.boolean().nullish(),
  })
  .openapi('GetActiveContractsRequest');
const pageRequest = z
  .object({
    activeAtOffset: offset.nullish(),
    eventFormat: eventFormatSchema,
    maxPageSize: z.int().positive().nullish(),
    pageToken: z.string().nullish(),
  })
  .openapi('GetActiveContractsPageRequest');
const entry = z
  .object({
    workflowId: z.string(),
    contractEntry: z.object({
      JsActiveContract: z.object({
        createdEvent: ledgerCreatedSchema,
        synchronizerId: z.string(),
        reassignmentCounter: z.int(),
      }),
    }),
  })
  .openapi('JsGetActiveContractsResponse');
const page = z
  .object({ activeContracts: z.array(entry), activeAtOffset: z.int(), nextPageToken: z.string().optional() })
  .openapi('JsGetActiveContractsPageResponse');

export type ActiveContractsNeeds = LedgerView & Configured<'limits'> & { readonly tail: Pick<Tail, 'resets'> };

/** Source: specification of the API §8.3. */
export const registerActiveContracts: Register<ActiveContractsNeeds> = (api, server) => {
  const shortLists = new StateCache<ShortList>();
  // A list depends only on the state and the request, so a poll between two updates costs one lookup, before anything is parsed.
  const answerAgain: MiddlewareHandler = async (c, next) => {
    const known = shortLists.find(server.state, await nameOf(c));
    if (!known) return next();
    requireReadable(c, known.format);
    return printedJson(c, known.body);
  };
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/state/active-contracts',
      operationId: 'postV2StateActive-contracts',
      summary: 'List active contracts of parties',
      description:
        'Returns the active contracts of the parties at `activeAtOffset`. Response time grows with the number of their contracts. For a past ' +
        'offset the server replays up to 512 updates, and more for early offsets of a log of more than about 32,000 updates.',
      ...LEDGER,
      security: USER,
      middleware: answerAgain,
      request: { query: listQuery, ...jsonBody(activeContractsRequestSchema) },
      responses: {
        200: answer('The active contracts, oldest first.', z.array(entry)),
        ...ledgerProblems(400, 401, 403, 409, 413),
      },
    }),
    async (c) => {
      const { limit } = c.req.valid('query');
      const request = c.req.valid('json');
      const format = formatOf(request);
      requireReadable(c, format);
      const { state } = server;
      const name = await nameOf(c);
      const past = stateAt(request.activeAtOffset, server);
      const list = new LimitedList<string>(limit, server);
      for await (const text of printed(contractsIn(past, format), past, server)) {
        if (list.isFull) break;
        list.add(text);
      }
      const texts = list.items();
      const length = texts.reduce((sum, text) => sum + text.length, name.length);
      if (length > MOST_KEPT) return printedList(c, texts);
      const json = `[${texts.join(',')}]`;
      const body = Buffer.from(json);
      shortLists.keep(state, name, { format, body });
      return printedJson(c, body);
    },
  );
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/state/active-contracts-page',
      operationId: 'postV2StateActive-contracts-page',
      summary: 'List active contracts of parties by page',
      description:
        'A page has at most `limits.listElements` contracts. All pages show the contracts at the offset of the first page.',
      ...LEDGER,
      security: USER,
      request: jsonBody(pageRequest),
      responses: {
        200: answer('A page of the active contracts, oldest first. The last page has no token.', page),
        ...ledgerProblems(400, 401, 403, 409),
      },
    }),
    async (c) => {
      const { activeAtOffset, eventFormat, maxPageSize, pageToken } = c.req.valid('json');
      const format = eventFormatOf(eventFormat, 'eventFormat');
      requireReadable(c, format);
      const from: PagePlace = pageToken
        ? placeOfToken(pageToken)
        : { offset: activeAtOffset ?? Number(server.state.offset) };
      if (activeAtOffset && activeAtOffset !== from.offset)
        throw new Problem(400, `activeAtOffset: ${activeAtOffset} is not the offset ${from.offset} of pageToken`);
      const state = stateAt(from.offset, server);
      const size = Math.min(maxPageSize ?? Number.POSITIVE_INFINITY, server.config.limits.listElements);
      const [shown, next] = pageOf(contractsIn(state, format, from.after), size);
      const token = next === null ? '' : `,"nextPageToken":"${tokenOf({ offset: from.offset, after: next })}"`;
      const around = ['{"activeContracts":[', `],"activeAtOffset":${from.offset}${token}}`] as const;
      const texts: string[] = [];
      for await (const text of printed(shown, state, server)) texts.push(text);
      return printedList(c, texts, around);
    },
  );
};

/** Characters of the longest list that is kept, with its request: some ten coins. */
const MOST_KEPT = 16_384;

interface ShortList {
  /** For the rights of the next caller. */
  readonly format: EventFormat;
  readonly body: Uint8Array<ArrayBuffer>;
}

async function nameOf({ req }: Context): Promise<string> {
  return `${req.url} ${await req.text()}`;
}

type ActiveContractsRequest = z.output<typeof activeContractsRequestSchema>;

export async function* activeContractsOf(
  { activeAtOffset, ...body }: ActiveContractsRequest,
  rights: LedgerRights,
  server: ActiveContractsNeeds,
): AsyncGenerator<string, void, undefined> {
  const format = formatOf(body);
  requireReadableBy(rights, format);
  const state = stateAt(activeAtOffset, server);
  yield* printed(contractsIn(state, format), state, server);
}

/** Contracts printed before other requests are handled: about a millisecond. */
const AT_ONCE = 50;

/** Exactly one of the two forms is required, as in the network's API. */
function formatOf({ eventFormat, filter }: Pick<ActiveContractsRequest, 'eventFormat' | 'filter'>): EventFormat {
  if (eventFormat && !filter) return eventFormatOf(eventFormat, 'eventFormat');
  if (filter && !eventFormat) return eventFormatOf(filter, 'filter');
  throw new Problem(400, 'expected either eventFormat or filter, and not both');
}

function stateAt(at: number, { state, history }: LedgerView): LedgerState {
  requireReached(at, state.offset, 'activeAtOffset');
  return at === state.offset ? state : history.stateAt(at);
}

function* contractsIn(
  state: LedgerState,
  format: EventFormat,
  after?: ContractId,
): Generator<SeenContract, void, undefined> {
  // Before the first update there is neither a contract nor a DSO.
  if (state.offset === 0) return;
  const templates = templatesIn(format);
  const filter = { templates, ...(after === undefined ? {} : { after }) };
  const parties = format.ofAny ? [null] : [...format.ofParty.keys()];
  const contracts = merged(parties.map((party) => eachInAcs(state, party, filter)));
  for (const contract of contracts) {
    const seen = isOfNetwork(contract) ? seenBy(format, contract, state) : null;
    if (seen) yield seen;
  }
}

/** The lists must be in order of creation. */
function* merged(lists: readonly Iterator<Contract, void>[]): Generator<Contract, void, undefined> {
  const heads = lists.map((list) => list.next().value ?? null);
  for (;;) {
    const first = heads.reduce((least, head) => (least && (!head || least.id <= head.id) ? least : head), null);
    if (!first) return;
    yield first;
    for (const [i, list] of lists.entries()) if (heads[i]?.id === first.id) heads[i] = list.next().value ?? null;
  }
}

/** Throws 409 when the ledger is reverted meanwhile, because the times of creation are read from the history. */
async function* printed(
  contracts: Iterable<SeenContract>,
  state: LedgerState,
  server: ActiveContractsNeeds,
): AsyncGenerator<string, void, undefined> {
  const { resets } = server.tail;
  const synchronizerId = synchronizerOf(server);
  let count = 0;
  for (const seen of contracts) {
    requireUnreverted(resets, server.tail);
    const createdEvent = ledgerCreatedOf(seen, state, server);
    const JsActiveContract = { createdEvent, synchronizerId, reassignmentCounter: 0 };
    yield JSON.stringify({ workflowId: '', contractEntry: { JsActiveContract } } satisfies z.output<typeof entry>);
    if (++count % AT_ONCE === 0) await setImmediate();
  }
}

function pageOf(
  contracts: Iterable<SeenContract>,
  size: number,
): readonly [shown: readonly SeenContract[], next: ContractId | null] {
  const shown: SeenContract[] = [];
  for (const seen of contracts) {
    const last = shown.at(-1);
    if (shown.length === size && last) return [shown, last.contract.id];
    shown.push(seen);
  }
  return [shown, null];
}

interface PagePlace {
  readonly offset: number;
  readonly after?: ContractId;
}

const TOKEN_TEXT = /^(\d{1,15})\.(\d{1,15})$/;

function tokenOf({ offset: at, after }: Required<PagePlace>): string {
  return Buffer.from(`${at}.${after}`).toString('base64url');
}

function placeOfToken(token: string): PagePlace {
  const [, at, after] = TOKEN_TEXT.exec(Buffer.from(token, 'base64url').toString('latin1')) ?? [];
  if (at === undefined || Number(after) < 1) throw new Problem(400, `pageToken: ${token} is no token of a page`);
  return { offset: Number(at), after: ContractId.of(Number(after)) };
}
