import type { ValidatorIdentity } from '../../host/hosted-parties.js';
import { ContractId, type Holding, type Instant, type PartyId, type Round } from '@coinlab/core';
import { featuredRightOf, newestUsableRound } from '@coinlab/core/rules';
import { tappedFor, walletBalanceOf, walletCoinsOf, type CoinPosition } from '@coinlab/core/views';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { installOf } from '../../host/hosted-parties.js';
import { StateCache } from '../../host/state-cache.js';
import { Problem, problems } from '../../problem.js';
import { answer, jsonBody, printedJson, WALLET, TOKEN } from '../../route-parts.js';
import { type LedgerAccess, submit } from '../../gates/submit.js';
import { callerOf, walletOf } from '../../gates/caller.js';
import { problemOf } from '../../gates/status.js';
import { CoinCache } from './coin-cache.js';
import { createdIn, deduplicated, InFlight } from './requests.js';
import { contractOf, contractWithStateSchema, synchronizerOf } from '../../wire/contract.js';
import { cidText, decimal, decimalText, tenPlaces } from '../../wire/values.js';
import { balance, shownBalance } from '../../wire/wallet-balance.js';

const declared = { tags: ['wallet'], security: WALLET };
const userStatus = z
  .object({
    party_id: z.string().describe('Party of the user; empty for a user who is not onboarded.'),
    user_onboarded: z.boolean(),
    user_wallet_installed: z.boolean(),
    has_featured_app_right: z.boolean(),
  })
  .openapi('UserStatusResponse');
const position = z
  .object({
    contract: contractWithStateSchema,
    round: z.int(),
    accrued_holding_fee: decimalText,
    effective_amount: decimalText,
  })
  .openapi('AmuletPosition');
const coinList = z.object({ amulets: z.array(position), locked_amulets: z.array(position) }).openapi('ListResponse');
const tapRequest = z
  .object({
    amount: decimal.describe('Amount in USD.'),
    command_id: z
      .string()
      .optional()
      .describe('Deduplication id. A repeated call within 24 hours returns the first coin.'),
  })
  .openapi('TapRequest');

export const registerBalance: Register<LedgerAccess & ValidatorIdentity> = (api, server) => {
  const inFlight = server.own(() => new InFlight());
  // Cache: clients poll wallets, and a coin's JSON changes only with the round.
  const coins = server.own(() => new CoinCache());
  const printed = new WeakMap<Holding, { readonly round: Round; readonly domain: string; readonly text: string }>();
  const textOf = ({ holding, accruedFee, effective }: CoinPosition, round: Round, domain: string): string => {
    const coin = coins().same(holding, server.created.timeOf(holding.id));
    const known = printed.get(coin);
    if (known?.round === round && known.domain === domain) return known.text;
    const shown: z.infer<typeof position> = {
      contract: { contract: contractOf(coin, server), domain_id: domain },
      round,
      accrued_holding_fee: tenPlaces(accruedFee),
      effective_amount: tenPlaces(effective),
    };
    const text = JSON.stringify(shown);
    printed.set(coin, { round, domain, text });
    return text;
  };
  // Responses depend only on state and round, so they are cached per state: a poll between two updates costs one lookup.
  const balances = new StateCache<string>();
  // As bytes, because each response encodes a text again: an eighth of the time of ten coins that change.
  const coinLists = new StateCache<Uint8Array<ArrayBuffer>>();
  const keyOf = (party: PartyId, now: Instant): string => `${party} ${newestUsableRound(server.state, now)?.round}`;
  const balanceText = (party: PartyId, now: Instant): string => {
    const found = walletBalanceOf(server.state, party, now);
    if (!found) throw new Problem(404, 'no round is open');
    return JSON.stringify(shownBalance(found));
  };
  const coinsText = (party: PartyId, now: Instant): string => {
    const coins = walletCoinsOf(server.state, party, now);
    if (!coins) throw new Problem(404, 'no round is open');
    const domain = synchronizerOf(server);
    const texts = (positions: readonly CoinPosition[]): string =>
      positions.map((one) => textOf(one, coins.round, domain)).join(',');
    return `{"amulets":[${texts(coins.unlocked)}],"locked_amulets":[${texts(coins.locked)}]}`;
  };

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/wallet/user-status',
      operationId: 'userStatus',
      summary: 'Get the status of the caller',
      tags: declared.tags,
      security: TOKEN,
      responses: {
        200: answer("The caller's onboarding status, also for unknown users.", userStatus),
        ...problems(401),
      },
    }),
    (c) => {
      const { party, user } = callerOf(c);
      const installed = party !== null && installOf(server.state, server.validator, user) !== null;
      return c.json(
        {
          party_id: party ?? '',
          user_onboarded: party !== null,
          user_wallet_installed: installed,
          has_featured_app_right: party !== null && featuredRightOf(server.state, party) !== null,
        },
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/wallet/balance',
      operationId: 'getBalance',
      summary: "Get the wallet's balance",
      ...declared,
      responses: { 200: answer('The balance as of the newest usable round.', balance), ...problems(401, 404) },
    }),
    (c) => {
      const { party } = walletOf(c);
      const now = server.now();
      return printedJson(
        c,
        balances.get(server.state, keyOf(party, now), () => balanceText(party, now)),
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/wallet/amulets',
      operationId: 'list',
      summary: "List the wallet's coins",
      ...declared,
      responses: {
        200: answer('Every unlocked and locked coin of the wallet, oldest first.', coinList),
        ...problems(401, 404),
      },
    }),
    (c) => {
      const { party } = walletOf(c);
      const now = server.now();
      return printedJson(
        c,
        coinLists.get(server.state, keyOf(party, now), () => Buffer.from(coinsText(party, now))),
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/wallet/tap',
      operationId: 'tap',
      summary: 'Mint coin into the wallet (DevNet only)',
      ...declared,
      request: jsonBody(tapRequest),
      responses: {
        200: answer('The contract id of the new coin.', z.object({ contract_id: cidText }).openapi('TapResponse')),
        ...problems(400, 401, 404, 409, 429, 503),
      },
    }),
    async (c) => {
      const { party } = walletOf(c);
      const { amount, command_id } = c.req.valid('json');
      const tap = async (trackingId?: string): Promise<ContractId> => {
        const coin = tappedFor(server.state, amount, server.now());
        if (!coin.ok) throw problemOf(coin.error);
        const tapped = { type: 'Tap', receiver: party, amount: coin.value } as const;
        const update = await submit(server, trackingId === undefined ? tapped : { ...tapped, trackingId }, party);
        return createdIn(update, 'Holding');
      };
      if (command_id === undefined) return c.json({ contract_id: ContractId.format(await tap()) }, 200);
      const coin = await inFlight().alone([party, command_id], async () => {
        const { first, trackingId } = deduplicated(server, party, 'tap', command_id);
        return first?.contract ?? tap(trackingId);
      });
      return c.json({ contract_id: ContractId.format(coin) }, 200);
    },
  );
};
