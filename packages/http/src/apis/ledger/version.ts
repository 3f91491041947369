import { createRoute, z } from '@hono/zod-openapi';
import type { Configured } from '../../config.js';
import type { Register } from '../../request.js';
import { answer } from '../../route-parts.js';
import { LARGEST_PARTY_PAGE, LARGEST_USER_PAGE } from './paging.js';
import { LEDGER } from './route.js';

/** The version of the network's ledger API that the server follows. Clients accept 3.3 and 3.4. */
const VERSION = '3.4.12';
const MOST_RIGHTS = 1_000;

const supported = z.object({ supported: z.boolean() });
const features = z
  .object({
    experimental: z.object({ staticTime: supported, commandInspectionService: supported }),
    userManagement: z.object({ supported: z.boolean(), maxRightsPerUser: z.int(), maxUsersPageSize: z.int() }),
    partyManagement: z.object({ maxPartiesPageSize: z.int() }),
    offsetCheckpoint: z.object({
      maxOffsetCheckpointEmissionDelay: z.object({ seconds: z.int(), nanos: z.int(), unknownFields: z.object({}) }),
    }),
    packageFeature: z.object({ maxVettedPackagesPageSize: z.int() }),
  })
  .openapi('FeaturesDescriptor');
const version = z.object({ version: z.string(), features }).openapi('GetLedgerApiVersionResponse');

/** Source: specification of the API §8.3. */
export const registerVersion: Register<Configured<'clock'>> = (api, { config }) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/version',
      operationId: 'getV2Version',
      summary: 'Get the version of the ledger API',
      ...LEDGER,
      responses: { 200: answer('The version, and the limits of its features.', version) },
    }),
    (c) =>
      c.json(
        {
          version: VERSION,
          features: {
            experimental: {
              staticTime: { supported: config.clock === 'manual' },
              commandInspectionService: { supported: false },
            },
            userManagement: { supported: true, maxRightsPerUser: MOST_RIGHTS, maxUsersPageSize: LARGEST_USER_PAGE },
            partyManagement: { maxPartiesPageSize: LARGEST_PARTY_PAGE },
            offsetCheckpoint: { maxOffsetCheckpointEmissionDelay: { seconds: 75, nanos: 0, unknownFields: {} } },
            packageFeature: { maxVettedPackagesPageSize: 100 },
          },
        },
        200,
      ),
  );
};
