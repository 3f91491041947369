import {
  ContractId,
  featuredRightOf,
  tappedFor,
  walletBalanceOf,
  walletCoinsOf,
  type CoinPosition,
  type Holding,
} from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../app.js';
import { installOf } from '../hosted-parties.js';
import { Problem, problems } from '../problem.js';
import { answer, jsonBody, TOKEN } from '../route-parts.js';
import { callerOf, stateOf, submit, walletOf } from '../server-context.js';
import { problemOf } from '../status.js';
import { createdIn, deduplicated, InFlight, tokenFirst, walletFirst } from '../wallet-requests.js';
import { contractOf, contractWithStateSchema, synchronizerOf, type WireContract } from '../wire/contract.js';
import { cidText, decimal, decimalText, tenPlaces } from '../wire/values.js';

const tags = ['wallet'];
const userStatus = z
  .object({
    party_id: z.string().describe('Empty for a user who is not onboarded.'),
    user_onboarded: z.boolean(),
    user_wallet_installed: z.boolean(),
    has_featured_app_right: z.boolean(),
  })
  .openapi('UserStatusResponse');
const balance = z
  .object({
    round: z.int(),
    effective_unlocked_qty: decimalText,
    effective_locked_qty: decimalText,
    total_holding_fees: decimalText.describe('Accrued on the unlocked coins.'),
  })
  .openapi('GetBalanceResponse');
const position = z
  .object({
    contract: contractWithStateSchema,
    round: z.int(),
    accrued_holding_fee: decimalText,
    effective_amount: decimalText,
  })
  .openapi('AmuletPosition');
const tapRequest = z
  .object({
    amount: decimal.describe('In USD.'),
    command_id: z.string().optional().describe('A repeat within a day is answered with the first coin.'),
  })
  .openapi('TapRequest');

/** Coin and status of a wallet. Source: specification of the API §6.1, §6.3. */
export const registerWallet: Register = (api, server) => {
  tokenFirst(api, server, '/v0/wallet/user-status');
  walletFirst(api, server, '/v0/wallet/balance', '/v0/wallet/amulets', '/v0/wallet/tap');
  const inFlight = new InFlight();
  // Wallets are looked at again and again, and a coin never changes.
  const wireCoins = new WeakMap<Holding, WireContract>();
  const printed = (holding: Holding): WireContract => {
    const wire = contractOf(holding, server);
    wireCoins.set(holding, wire);
    return wire;
  };

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/wallet/user-status',
      operationId: 'userStatus',
      tags,
      security: TOKEN,
      responses: { 200: answer('Any user, known or not.', userStatus), ...problems(401) },
    }),
    async (c) => {
      const { party, user } = await callerOf(c, server);
      const installed = party !== null && installOf(stateOf(server), server.validator, user) !== null;
      return c.json(
        {
          party_id: party ?? '',
          user_onboarded: party !== null,
          user_wallet_installed: installed,
          has_featured_app_right: party !== null && featuredRightOf(stateOf(server), party) !== null,
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
      tags,
      security: TOKEN,
      responses: { 200: answer('As of the newest usable round.', balance), ...problems(401, 404) },
    }),
    async (c) => {
      const { party } = await walletOf(c, server);
      const found = walletBalanceOf(stateOf(server), party, server.host.clock.now());
      if (!found) throw new Problem(404, 'no round is open');
      return c.json(
        {
          round: found.round,
          effective_unlocked_qty: tenPlaces(found.unlocked),
          effective_locked_qty: tenPlaces(found.locked),
          total_holding_fees: tenPlaces(found.holdingFees),
        },
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/wallet/amulets',
      operationId: 'list',
      tags,
      security: TOKEN,
      responses: {
        200: answer(
          'The coins one by one, oldest first.',
          z.object({ amulets: z.array(position), locked_amulets: z.array(position) }).openapi('ListResponse'),
        ),
        ...problems(401, 404),
      },
    }),
    async (c) => {
      const { party } = await walletOf(c, server);
      const coins = walletCoinsOf(stateOf(server), party, server.host.clock.now());
      if (!coins) throw new Problem(404, 'no round is open');
      const synchronizer = synchronizerOf(server);
      const shown = ({ holding, accruedFee, effective }: CoinPosition): z.infer<typeof position> => ({
        contract: { contract: wireCoins.get(holding) ?? printed(holding), domain_id: synchronizer },
        round: coins.round,
        accrued_holding_fee: tenPlaces(accruedFee),
        effective_amount: tenPlaces(effective),
      });
      return c.json({ amulets: coins.unlocked.map(shown), locked_amulets: coins.locked.map(shown) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/wallet/tap',
      operationId: 'tap',
      tags,
      security: TOKEN,
      request: jsonBody(tapRequest),
      responses: {
        200: answer('The new coin.', z.object({ contract_id: cidText }).openapi('TapResponse')),
        ...problems(400, 401, 404, 429, 503),
      },
    }),
    async (c) => {
      const { party } = await walletOf(c, server);
      const { amount, command_id } = c.req.valid('json');
      const tap = async (trackingId?: string): Promise<ContractId> => {
        const coin = tappedFor(stateOf(server), amount, server.host.clock.now());
        if (!coin.ok) throw problemOf({ by: 'ledger', rejection: coin.error });
        const tapped = { type: 'Tap', receiver: party, amount: coin.value } as const;
        const update = await submit(server, trackingId === undefined ? tapped : { ...tapped, trackingId }, party);
        return createdIn(update, 'Holding');
      };
      if (command_id === undefined) return c.json({ contract_id: ContractId.format(await tap()) }, 200);
      const coin = await inFlight.only([party, command_id], async () => {
        const { first, trackingId } = deduplicated(server, party, 'tap', command_id);
        return first?.contract ?? tap(trackingId);
      });
      return c.json({ contract_id: ContractId.format(coin) }, 200);
    },
  );
};
