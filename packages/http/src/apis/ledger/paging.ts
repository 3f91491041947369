import { z } from '@hono/zod-openapi';
import { LedgerProblem } from '../../gates/ledger/errors.js';
import { wholeNumber } from '../../wire/query.js';

export const LARGEST_USER_PAGE = 1_000;

export const LARGEST_PARTY_PAGE = 10_000;

export const pageQuery = {
  pageSize: wholeNumber(0, 2 ** 31 - 1)
    .optional()
    .describe('Most items of a page; 0 and values above the limit of `GET /v2/version` mean this limit.'),
  pageToken: z.string().optional().describe('`nextPageToken` of the previous page.'),
};

interface Asked {
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
}

interface Page {
  readonly ids: readonly string[];
  readonly nextPageToken: string;
}

/** `ids` must be sorted. The token is the last id, so that a page never repeats or skips ids that stay. */
export function pageOf(ids: readonly string[], { pageSize = 0, pageToken = '' }: Asked, most: number): Page {
  const after = pageToken === '' ? '' : Buffer.from(pageToken, 'base64url').toString('utf8');
  if (pageToken !== '' && (after === '' || tokenOf(after) !== pageToken))
    throw new LedgerProblem('INVALID_ARGUMENT', `pageToken: got ${pageToken}, expected a nextPageToken of this server`);
  const from = rankAfter(ids, after);
  const page = ids.slice(from, from + (pageSize === 0 ? most : Math.min(pageSize, most)));
  const isLast = from + page.length >= ids.length;
  return { ids: page, nextPageToken: isLast ? '' : tokenOf(page.at(-1) ?? '') };
}

function tokenOf(id: string): string {
  return Buffer.from(id, 'utf8').toString('base64url');
}

function rankAfter(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? '') <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}
