import { setImmediate } from 'node:timers/promises';
import { createRoute, z } from '@hono/zod-openapi';
import { PartyId, type Update } from '@coinlab/core';
import { callerOf } from '../../gates/caller.js';
import { requireReadAs, rightsOf } from '../../gates/ledger/rights.js';
import type { LedgerView } from '../../history/ledger-view.js';
import type { OffsetRange } from '../../history/party-updates.js';
import type { UserSubmissions } from '../../history/user-submissions.js';
import { Problem } from '../../problem.js';
import type { Caller, Register } from '../../request.js';
import { answer, jsonBody, USER } from '../../route-parts.js';
import { synchronizerOf } from '../../wire/contract.js';
import { submittedIn } from '../../wire/submitted-in.js';
import { updateIdText } from '../../wire/update-id.js';
import { rfc3339, timeText } from '../../wire/values.js';
import type { Configured } from '../../config.js';
import type { Tail } from '../../host/tail.js';
import { LimitedList, listQuery, requireReached, requireUnreverted } from './lists.js';
import { LEDGER, ledgerProblems } from './route.js';
import { requireOwnUser } from './submission.js';

export const completionsRequestSchema = z
  .object({
    userId: z.string().nullish().describe('Must be the user of the token.'),
    parties: z.array(z.string()).min(1),
    beginExclusive: z.int().nonnegative().nullish(),
  })
  .openapi('CompletionStreamRequest');

const completion = z
  .object({
    commandId: z.string(),
    status: z.object({ code: z.int(), message: z.string(), details: z.array(z.unknown()) }),
    updateId: z.string(),
    userId: z.string(),
    actAs: z.array(z.string()),
    submissionId: z.string(),
    deduplicationPeriod: z.object({ Empty: z.object({}) }),
    offset: z.int(),
    synchronizerTime: z.object({ synchronizerId: z.string(), recordTime: timeText }),
  })
  .openapi('Completion');

const element = z
  .object({ completionResponse: z.object({ Completion: z.object({ value: completion }) }) })
  .openapi('CompletionStreamResponse');

export type CompletionsNeeds = LedgerView & {
  readonly submissions: UserSubmissions;
  readonly tail: Pick<Tail, 'resets'>;
};

export interface WantedCompletions {
  readonly user: string;
  readonly parties: ReadonlySet<PartyId>;
  readonly begin: number;
}

/** Source: specification of the API §8.3. Assumption: A-131. */
export const registerCompletions: Register<CompletionsNeeds & Configured<'limits'>> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/commands/completions',
      operationId: 'postV2CommandsCompletions',
      summary: 'List completions of commands',
      description:
        'Lists the commands of the user that took effect. A refused command has no completion: its refusal answers the submission, also an ' +
        'asynchronous one. Response time grows with the number of submissions of the user.',
      ...LEDGER,
      security: USER,
      request: { query: listQuery, ...jsonBody(completionsRequestSchema) },
      responses: {
        200: answer('The completions after `beginExclusive`, oldest first.', z.array(element)),
        ...ledgerProblems(400, 401, 403, 409, 413),
      },
    }),
    async (c) => {
      const wanted = wantedCompletions(c.req.valid('json'), callerOf(c), server);
      const list = new LimitedList<z.output<typeof element>>(c.req.valid('query').limit, server);
      const range = { begin: wanted.begin, end: Number(server.state.offset) };
      for await (const one of completionsIn(range, wanted, server)) {
        if (list.isFull) break;
        list.add(one);
      }
      return c.json([...list.items()], 200);
    },
  );
};

export function wantedCompletions(
  { userId, parties, beginExclusive }: z.output<typeof completionsRequestSchema>,
  caller: Caller,
  { state }: LedgerView,
): WantedCompletions {
  requireOwnUser(caller, userId);
  const named = parties.map((text) => {
    const party = PartyId.parse(text, 'parties');
    if (party.ok) return party.value;
    throw new Problem(400, `parties: invalid party id ${text}: expected ${party.error.expected}`);
  });
  requireReadAs(rightsOf(caller), named);
  const begin = beginExclusive ?? 0;
  requireReached(begin, state.offset, 'beginExclusive');
  return { user: caller.user, parties: new Set(named), begin };
}

/** Completions read before other requests are handled: they take a few milliseconds. */
const AT_ONCE = 100;

export async function* completionsIn(
  range: OffsetRange,
  { user, parties }: WantedCompletions,
  server: CompletionsNeeds,
): AsyncGenerator<z.output<typeof element>, void, undefined> {
  const { resets } = server.tail;
  let count = 0;
  for (const offset of server.submissions.offsetsOf(user, range)) {
    requireUnreverted(resets, server.tail);
    const value = completionOf(server.history.updateAt(offset), parties, server);
    if (value) yield { completionResponse: { Completion: { value } } };
    if (++count % AT_ONCE === 0) await setImmediate();
  }
}

function completionOf(
  { created, offset, updateId }: Update,
  parties: ReadonlySet<PartyId>,
  ledger: LedgerView,
): z.output<typeof completion> | null {
  const submitted = submittedIn(created);
  const actAs = submitted?.actAs.filter((party) => parties.has(party)) ?? [];
  if (!submitted || actAs.length === 0) return null;
  const { commandId, userId, submissionId } = submitted;
  const recordTime = rfc3339(ledger.history.recordTimeAt(offset));
  return {
    commandId,
    status: { code: 0, message: '', details: [] },
    updateId: updateIdText(updateId),
    userId,
    actAs,
    submissionId,
    deduplicationPeriod: { Empty: {} },
    offset,
    synchronizerTime: { synchronizerId: synchronizerOf(ledger), recordTime },
  };
}
