import { allOf, voteRequestOf } from '@coinlab/core/views';
import { find, type ContractId, type LedgerState } from '@coinlab/core';
import type { VoteRequest } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { problems } from '../../problem.js';
import { answer, jsonBody } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { contractOf, contractSchema } from '../../wire/contract.js';
import type { NetworkContract } from '../../wire/templates.js';
import { wholeNumber } from '../../wire/query.js';
import { contractIdOrNull, foundOr404 } from '../../wire/values.js';

const contracts = z.array(contractSchema);
const PAGE_LIMIT = 1000;

export const registerScanGovernance: Register<LedgerView> = (api, ledger) => {
  const listed = (found: Iterable<NetworkContract>): z.output<typeof contracts> =>
    Array.from(found, (contract) => contractOf(contract, ledger));
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/voterequests/{vote_request_contract_id}',
      operationId: 'lookupDsoRulesVoteRequest',
      summary: 'Get an open vote request',
      tags: ['scan'],
      request: { params: z.object({ vote_request_contract_id: z.string() }) },
      responses: {
        200: answer(
          'The open vote request with this contract id or tracking id.',
          z.object({ dso_rules_vote_request: contractSchema }).openapi('LookupDsoRulesVoteRequestResponse'),
        ),
        ...problems(404),
      },
    }),
    (c) => {
      const text = c.req.valid('param').vote_request_contract_id;
      const request = foundOr404(requestNamed(ledger.state, text), 'open vote request', text);
      return c.json({ dso_rules_vote_request: contractOf(request, ledger) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/voterequest',
      operationId: 'listVoteRequestsByTrackingCid',
      summary: 'List open vote requests by tracking id',
      tags: ['scan'],
      request: jsonBody(
        z.object({ vote_request_contract_ids: z.array(z.string()) }).openapi('BatchListVotesByVoteRequestsRequest'),
      ),
      responses: {
        200: answer(
          'The requested vote requests that are still open.',
          z.object({ vote_requests: contracts }).openapi('ListVoteRequestByTrackingCidResponse'),
        ),
        ...problems(400),
      },
    }),
    (c) => {
      const ids = new Set(c.req.valid('json').vote_request_contract_ids);
      const found = [...ids].map((text) => requestNamed(ledger.state, text)).filter((request) => request !== null);
      return c.json({ vote_requests: listed(new Set(found)) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/admin/sv/voterequests',
      operationId: 'listDsoRulesVoteRequests',
      summary: 'List all open vote requests',
      tags: ['scan'],
      responses: {
        200: answer(
          'All open vote requests, oldest first.',
          z.object({ dso_rules_vote_requests: contracts }).openapi('ListDsoRulesVoteRequestsResponse'),
        ),
      },
    }),
    (c) => c.json({ dso_rules_vote_requests: listed(allOf(ledger.state, 'VoteRequest')) }, 200),
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/amulet-price/votes',
      operationId: 'listAmuletPriceVotes',
      summary: 'List the coin price votes',
      tags: ['scan'],
      responses: {
        200: answer(
          'The coin price for which each super validator votes.',
          z.object({ amulet_price_votes: contracts }).openapi('ListAmuletPriceVotesResponse'),
        ),
      },
    }),
    (c) => c.json({ amulet_price_votes: listed(allOf(ledger.state, 'AmuletPriceVote')) }, 200),
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/admin/validator/licenses',
      operationId: 'listValidatorLicenses',
      summary: 'List validator licenses',
      tags: ['scan'],
      request: {
        query: z.object({
          after: wholeNumber(0).optional(),
          limit: wholeNumber(1, PAGE_LIMIT).default(PAGE_LIMIT),
        }),
      },
      responses: {
        200: answer(
          'Validator licenses, newest first. The last page has no token.',
          z
            .object({ validator_licenses: contracts, next_page_token: z.number().int().optional() })
            .openapi('ListValidatorLicensesResponse'),
        ),
        ...problems(400),
      },
    }),
    (c) => {
      const { after = Number.POSITIVE_INFINITY, limit } = c.req.valid('query');
      const older = [...allOf(ledger.state, 'ValidatorLicense')].filter(({ id }) => id < after).toReversed();
      const page = older.slice(0, limit);
      const next = older.length > limit ? page.at(-1)?.id : undefined;
      return c.json({ validator_licenses: listed(page), ...(next ? { next_page_token: next } : {}) }, 200);
    },
  );
};

/** The tracking id is the contract id of the first version: each vote recreates the contract. */
function requestNamed(state: LedgerState, text: string): VoteRequest | null {
  const id: ContractId | null = contractIdOrNull(text);
  return id === null ? null : (find(state, 'VoteRequest', id) ?? voteRequestOf(state, id));
}
