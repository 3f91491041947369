import { createRoute, z } from '@hono/zod-openapi';
import type { LedgerView } from '../../history/ledger-view.js';
import { LedgerProblem } from '../../gates/ledger/errors.js';
import type { Register } from '../../request.js';
import { answer, jsonBody, USER } from '../../route-parts.js';
import { synchronizerOf } from '../../wire/contract.js';
import { packageNamed, type NetworkPackage } from '../../wire/packages.js';
import { LEDGER, ledgerProblems } from './route.js';

const reference = z
  .object({ packageId: z.string(), packageName: z.string(), packageVersion: z.string() })
  .openapi('PackageReference');

const one = z
  .object({
    packagePreference: z
      .object({ packageReference: reference, synchronizerId: z.string() })
      .openapi('PackagePreference')
      .optional(),
  })
  .openapi('GetPreferredPackageVersionResponse');

const several = z
  .object({ packageReferences: z.array(reference), synchronizerId: z.string() })
  .openapi('GetPreferredPackagesResponse');

const requirements = z
  .object({
    packageVettingRequirements: z.array(
      z.object({ parties: z.array(z.string()), packageName: z.string() }).openapi('PackageVettingRequirement'),
    ),
    synchronizerId: z.string().nullish(),
    vettingValidAt: z.string().nullish(),
  })
  .openapi('GetPreferredPackagesRequest');

/**
 * All participants of the ledger use the same packages, so parties and times make no difference.
 * Source: specification of the API, annex E.9. Assumption: A-145.
 */
export const registerPreferredPackages: Register<LedgerView> = (api, server) => {
  const requireOwn = (synchronizer: string | null | undefined, field: string): void => {
    if (synchronizer && synchronizer !== synchronizerOf(server))
      throw new LedgerProblem(
        'INVALID_ARGUMENT',
        `${field}: got ${synchronizer}, expected ${synchronizerOf(server)} or none`,
      );
  };

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/interactive-submission/preferred-package-version',
      operationId: 'getV2Interactive-submissionPreferred-package-version',
      summary: 'Get the preferred version of a package',
      ...LEDGER,
      security: USER,
      request: {
        query: z.object({
          parties: z.union([z.string(), z.array(z.string())]).optional(),
          'package-name': z.string(),
          vetting_valid_at: z.string().optional(),
          'synchronizer-id': z.string().optional(),
        }),
      },
      responses: {
        200: answer('The version, absent for a name that is no package of the network.', one),
        ...ledgerProblems(400, 401, 403),
      },
    }),
    (c) => {
      const query = c.req.valid('query');
      requireOwn(query['synchronizer-id'], 'synchronizer-id');
      const found = packageNamed(query['package-name']);
      if (!found) return c.json({}, 200);
      const packagePreference = { packageReference: found, synchronizerId: synchronizerOf(server) };
      return c.json({ packagePreference }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/interactive-submission/preferred-packages',
      operationId: 'postV2Interactive-submissionPreferred-packages',
      summary: 'Get the preferred versions of packages',
      ...LEDGER,
      security: USER,
      request: jsonBody(requirements),
      responses: {
        200: answer('One version for each name.', several),
        ...ledgerProblems(400, 401, 403, 404),
      },
    }),
    (c) => {
      const { packageVettingRequirements: wanted, synchronizerId } = c.req.valid('json');
      requireOwn(synchronizerId, 'synchronizerId');
      const packageReferences = wanted.map(({ packageName }, i): NetworkPackage => {
        const found = packageNamed(packageName);
        if (found) return found;
        throw new LedgerProblem(
          'PACKAGE_NAMES_NOT_FOUND',
          `packageVettingRequirements[${i}].packageName: got ${packageName}, expected a package of the network`,
        );
      });
      return c.json({ packageReferences, synchronizerId: synchronizerOf(server) }, 200);
    },
  );
};
