import { ContractId, contractsOf, find, type PartyId } from '@coinlab/core';
import { FundHistory, type EndedFundCoupon } from '@coinlab/core/views';
import type { DevelopmentFundCoupon } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { LogFold } from '../../history/log-fold.js';
import { problems } from '../../problem.js';
import { answer, jsonBody, WALLET } from '../../route-parts.js';
import { type LedgerAccess, submit } from '../../gates/submit.js';
import { walletOf } from '../../gates/caller.js';
import { createdIn } from './requests.js';
import { contractOf, contractSchema } from '../../wire/contract.js';
import { wholeNumber } from '../../wire/query.js';
import {
  cidText,
  contractIdOrNull,
  decimal,
  decimalText,
  foundOr404,
  microseconds,
  partyId,
  partyText,
  rfc3339,
  tenPlaces,
  timeText,
} from '../../wire/values.js';

const COUPONS = '/v0/wallet/development-fund-coupons';
const PAGE_LIMIT = 1000;

const declared = { tags: ['wallet'], security: WALLET };
const ended = z
  .object({
    createdAt: timeText,
    archivedAt: timeText,
    beneficiary: partyText,
    fund_manager: partyText,
    amount: decimalText,
    expiresAt: timeText,
    reason: z.string(),
    status: z.enum(['withdrawn', 'rejected', 'claimed', 'expired']),
    rejection_or_withdrawal_reason: z.string().optional(),
  })
  .openapi('ArchivedDevelopmentFundCoupon');

export const registerDevelopmentFundCoupons: Register<LedgerAccess> = (api, server) => {
  const history = server.own(() => new LogFold(server, () => new FundHistory()));
  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: `${COUPONS}/allocate`,
      operationId: 'allocateDevelopmentFundCoupon',
      summary: 'Allocate a coupon of the development fund',
      request: jsonBody(
        z
          .object({ beneficiary: partyId, amount: decimal, expiresAt: microseconds, reason: z.string() })
          .openapi('AllocateDevelopmentFundCouponRequest'),
      ),
      responses: {
        200: answer(
          'The new coupon, and the remainder of the fund if there is one.',
          z
            .object({
              development_fund_coupon_contract_id: cidText,
              unclaimed_development_fund_coupon_contract_id: cidText.optional(),
            })
            .openapi('AllocateDevelopmentFundCouponResponse'),
        ),
        ...problems(400, 401, 404, 409, 429, 503),
      },
    }),
    async (c) => {
      const { party } = walletOf(c);
      const update = await submit(
        server,
        { type: 'GrantDevelopmentFundCoupon', fundManager: party, ...c.req.valid('json') },
        party,
      );
      const rest = update.created.find(({ template }) => template === 'UnclaimedDevelopmentFundCoupon');
      return c.json(
        {
          development_fund_coupon_contract_id: ContractId.format(createdIn(update, 'DevelopmentFundCoupon')),
          ...(rest ? { unclaimed_development_fund_coupon_contract_id: ContractId.format(rest.id) } : {}),
        },
        200,
      );
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      method: 'get',
      path: COUPONS,
      operationId: 'listActiveDevelopmentFundCoupons',
      summary: 'List active coupons of the development fund',
      responses: {
        200: answer(
          'Coupons that the wallet allocated or can mint, earliest expiry first.',
          z
            .object({ active_development_fund_coupons: z.array(contractSchema) })
            .openapi('ListActiveDevelopmentFundCouponsResponse'),
        ),
        ...problems(401, 404),
      },
    }),
    (c) => {
      const { party } = walletOf(c);
      const coupons = [...contractsOf(server.state, 'DevelopmentFundCoupon', party)]
        .filter((coupon) => concerns(coupon, party))
        .sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : a.expiresAt > b.expiresAt ? 1 : a.id - b.id));
      return c.json({ active_development_fund_coupons: coupons.map((one) => contractOf(one, server)) }, 200);
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      method: 'get',
      path: `${COUPONS}/history`,
      operationId: 'listDevelopmentFundCouponHistory',
      summary: 'List ended coupons of the development fund',
      request: { query: z.object({ after: wholeNumber(0).optional(), limit: wholeNumber(1, PAGE_LIMIT) }) },
      responses: {
        200: answer(
          'Minted, withdrawn, rejected and expired coupons, newest first. The last page has no token.',
          z
            .object({ development_fund_coupon_history: z.array(ended), next_page_token: z.number().int().optional() })
            .openapi('ListDevelopmentFundCouponHistoryResponse'),
        ),
        ...problems(400, 401, 404),
      },
    }),
    async (c) => {
      const { party } = walletOf(c);
      const { after = Number.POSITIVE_INFINITY, limit } = c.req.valid('query');
      const older = (await history().current()).ended
        .map((one, place) => ({ one, place }))
        .filter(({ one, place }) => place < after && concerns(one.coupon, party))
        .toReversed();
      const page = older.slice(0, limit);
      const next = older.length > limit ? page.at(-1)?.place : undefined;
      return c.json(
        {
          development_fund_coupon_history: page.map(({ one }) => endedOf(one)),
          ...(next === undefined ? {} : { next_page_token: next }),
        },
        200,
      );
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: `${COUPONS}/{contract_id}/withdraw`,
      operationId: 'withdrawDevelopmentFundCoupon',
      summary: 'Withdraw a coupon of the development fund',
      request: {
        params: z.object({ contract_id: z.string() }),
        ...jsonBody(z.object({ reason: z.string() }).openapi('WithdrawDevelopmentFundCouponRequest')),
      },
      responses: {
        200: answer(
          'The coupon is archived. Its amount returns to the fund.',
          z
            .object({ unclaimed_development_fund_coupon_contract_id: cidText })
            .openapi('WithdrawDevelopmentFundCouponResponse'),
        ),
        ...problems(400, 401, 404, 409, 429, 503),
      },
    }),
    async (c) => {
      const { party } = walletOf(c);
      const text = c.req.valid('param').contract_id;
      const id = contractIdOrNull(text);
      const coupon = id === null ? null : find(server.state, 'DevelopmentFundCoupon', id);
      const mine = foundOr404(coupon && concerns(coupon, party) ? coupon : null, 'coupon of this wallet', text);
      const { reason } = c.req.valid('json');
      const update = await submit(server, { type: 'WithdrawDevelopmentFundCoupon', coupon: mine.id, reason }, party);
      const back = ContractId.format(createdIn(update, 'UnclaimedDevelopmentFundCoupon'));
      return c.json({ unclaimed_development_fund_coupon_contract_id: back }, 200);
    },
  );
};

function concerns({ fundManager, beneficiary }: DevelopmentFundCoupon, party: PartyId): boolean {
  return party === fundManager || party === beneficiary;
}

function endedOf({ coupon, createdAt, endedAt, end, reason }: EndedFundCoupon): z.output<typeof ended> {
  return {
    createdAt: rfc3339(createdAt),
    archivedAt: rfc3339(endedAt),
    beneficiary: coupon.beneficiary,
    fund_manager: coupon.fundManager,
    amount: tenPlaces(coupon.amount),
    expiresAt: rfc3339(coupon.expiresAt),
    reason: coupon.reason,
    status: end,
    ...(reason === null ? {} : { rejection_or_withdrawal_reason: reason }),
  };
}
