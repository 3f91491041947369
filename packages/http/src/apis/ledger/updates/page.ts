import { createRoute, z } from '@hono/zod-openapi';
import type { Configured } from '../../../config.js';
import { Problem } from '../../../problem.js';
import type { Register } from '../../../request.js';
import { answer, jsonBody, USER } from '../../../route-parts.js';
import { ledgerTransactionSchema } from '../../../wire/ledger/transaction.js';
import { printedList, requireReadable } from '../lists.js';
import { LEDGER, ledgerProblems } from '../route.js';
import { formatOfUpdates, updateFormatSchema } from './format.js';
import { updateElement } from './updates.js';
import { rangeOf, transactionsIn, type UpdateRange, type UpdatesNeeds } from './range.js';

const offset = z.int().nonnegative();
const request = z
  .object({
    beginOffsetExclusive: offset.nullish(),
    endOffsetInclusive: offset.nullish(),
    maxPageSize: z.int().positive().nullish(),
    updateFormat: updateFormatSchema,
    descendingOrder: z.boolean().nullish(),
    pageToken: z.string().nullish(),
  })
  .openapi('GetUpdatesPageRequest');
const page = z
  .object({
    updates: z.array(
      z
        .object({ update: z.object({ Transaction: z.object({ value: ledgerTransactionSchema }) }) })
        .openapi('JsGetUpdateResponse'),
    ),
    lowestPageOffsetExclusive: z.int(),
    highestPageOffsetInclusive: z.int(),
    nextPageToken: z.string().optional(),
  })
  .openapi('JsGetUpdatesPageResponse');

type Request = z.output<typeof request>;

/** Source: the OpenAPI document of Canton 3.5. */
export const registerUpdatesPage: Register<UpdatesNeeds & Configured<'limits'>> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/updates/get-updates-page',
      operationId: 'postV2UpdatesGet-updates-page',
      summary: 'List updates of parties by page',
      description:
        'A page has at most `limits.listElements` updates. Response time grows with the number of updates of the parties on the page. Without ' +
        '`endOffsetInclusive`, the last page of ascending updates also has a token, which reads the updates that are appended later.',
      ...LEDGER,
      security: USER,
      request: jsonBody(request),
      responses: { 200: answer('A page of the updates.', page), ...ledgerProblems(400, 401, 403, 409) },
    }),
    async (c) => {
      const asked = c.req.valid('json');
      const format = formatOfUpdates(asked.updateFormat);
      if (format) requireReadable(c, format);
      const range = rangeOfPage(asked, server.state.offset);
      const most = Math.min(asked.maxPageSize ?? Number.POSITIVE_INFINITY, server.config.limits.listElements);
      const updates: string[] = [];
      let last = range.isDescending ? range.end + 1 : range.begin;
      let isLast = true;
      if (format)
        for await (const transaction of transactionsIn(range, format, server)) {
          isLast = updates.length < most;
          if (!isLast) break;
          updates.push(JSON.stringify(updateElement(transaction)));
          last = transaction.offset;
        }
      const covered = isLast ? range : coveredBy(last, range);
      const follows = asked.endOffsetInclusive === null || asked.endOffsetInclusive === undefined;
      const next = isLast && (range.isDescending || !follows) ? '' : `,"nextPageToken":"${tokenAfter(covered)}"`;
      const bounds = `"lowestPageOffsetExclusive":${covered.begin},"highestPageOffsetInclusive":${covered.end}`;
      return printedList(c, updates, ['{"updates":[', `],${bounds}${next}}`]);
    },
  );
};

function rangeOfPage(asked: Request, ledgerEnd: number): UpdateRange {
  const { beginOffsetExclusive: begin, endOffsetInclusive: end, descendingOrder: isDescending, pageToken } = asked;
  const fields = ['beginOffsetExclusive', 'endOffsetInclusive'] as const;
  const range = rangeOf({ begin, end, isDescending }, ledgerEnd, fields);
  if (!pageToken) return range;
  const place = /^(\d{1,15})$/.exec(Buffer.from(pageToken, 'base64url').toString('latin1'))?.[1];
  const at = Number(place);
  if (place === undefined || at < range.begin || at > range.end)
    throw new Problem(400, `pageToken: ${pageToken} is no token of these bounds`);
  return range.isDescending ? { ...range, end: at } : { ...range, begin: at };
}

function coveredBy(last: number, range: UpdateRange): UpdateRange {
  return range.isDescending ? { ...range, begin: last - 1 } : { ...range, end: last };
}

function tokenAfter({ begin, end, isDescending }: UpdateRange): string {
  return Buffer.from(String(isDescending ? begin : end)).toString('base64url');
}
