import { createRoute, z, type RouteConfig } from '@hono/zod-openapi';
import { Amount, settingsOf, supplyOf } from '@coinlab/core';
import { Problem, problems } from '../../problem.js';
import { accessTo, refusalsAt, type RegistryPlace } from './place.js';
import { answer } from '../../route-parts.js';
import type { Api } from '../../request.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { rfc3339 } from '../../wire/values.js';

const supportedApis = z.record(z.string(), z.int()).describe('Minor versions by the name of the API package.');
const info = z.object({ adminId: z.string(), supportedApis }).openapi('GetRegistryInfoResponse');
const instrument = z
  .object({
    id: z.string(),
    name: z.string(),
    symbol: z.string(),
    totalSupply: z.string().optional(),
    totalSupplyAsOf: z.string().optional(),
    decimals: z.int(),
    supportedApis,
  })
  .openapi('Instrument');
const instruments = z
  .object({ instruments: z.array(instrument), nextPageToken: z.string().optional() })
  .openapi('ListInstrumentsResponse');
/** There is one instrument, so paging is declared and ignored. */
const paging: NonNullable<RouteConfig['parameters']> = [
  { name: 'pageSize', in: 'query', schema: { type: 'integer', format: 'int32', default: 25 } },
  { name: 'pageToken', in: 'query', schema: { type: 'string' } },
];

export function registerMetadata(api: Api, ledger: LedgerView, place: RegistryPlace): void {
  const { prefix, suffix } = place;
  const responses = { ...problems(404, 500), ...refusalsAt(place) };
  api.openapi(
    createRoute({
      method: 'get',
      ...accessTo(place),
      path: `${prefix}/registry/metadata/v1/info`,
      operationId: `getRegistryInfo${suffix}`,
      summary: 'Get the registry and its supported APIs',
      responses: { 200: answer("The registry's administrator and the supported APIs.", info), ...responses },
    }),
    (c) => c.json({ adminId: settingsOf(ledger.state).dso, supportedApis: { 'splice-api-token-metadata-v1': 1 } }, 200),
  );
  api.openapi(
    createRoute({
      method: 'get',
      ...accessTo(place),
      path: `${prefix}/registry/metadata/v1/instruments`,
      operationId: `listInstruments${suffix}`,
      summary: 'List the instruments of the registry',
      parameters: paging,
      responses: { 200: answer('The only instrument, the coin.', instruments), ...responses },
    }),
    (c) => c.json({ instruments: [coinOf(ledger)] }, 200),
  );
  api.openapi(
    createRoute({
      method: 'get',
      ...accessTo(place),
      path: `${prefix}/registry/metadata/v1/instruments/{instrumentId}`,
      operationId: `getInstrument${suffix}`,
      summary: 'Get an instrument',
      request: { params: z.object({ instrumentId: z.string() }) },
      responses: { 200: answer('The instrument.', instrument), ...responses },
    }),
    (c) => {
      const { instrumentId } = c.req.valid('param');
      const coin = coinOf(ledger);
      if (instrumentId !== coin.id) throw new Problem(404, `no instrument ${instrumentId}`);
      return c.json(coin, 200);
    },
  );
}

function coinOf(ledger: LedgerView): z.infer<typeof instrument> {
  const state = ledger.state;
  return {
    id: 'Amulet',
    name: 'Amulet',
    symbol: 'AMT',
    totalSupply: Amount.format(supplyOf(state).supply),
    totalSupplyAsOf: rfc3339(state.time),
    decimals: 10,
    supportedApis: {
      'splice-api-token-metadata-v1': 1,
      'splice-api-token-holding-v1': 1,
      'splice-api-token-transfer-instruction-v1': 1,
      'splice-api-token-allocation-v1': 1,
      'splice-api-token-allocation-instruction-v1': 1,
    },
  };
}
