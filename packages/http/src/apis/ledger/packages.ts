import { createHash } from 'node:crypto';
import { createRoute, z } from '@hono/zod-openapi';
import { uploadedDarsKey, uploadedPackageKey } from '@coinlab/core/contracts';
import { contractsByKey, countByKey } from '@coinlab/core/views';
import { LedgerProblem } from '../../gates/ledger/errors.js';
import type { Register } from '../../request.js';
import { ADMIN, answer, emptyBody, USER } from '../../route-parts.js';
import { NETWORK_PACKAGES } from '../../wire/templates.js';
import { requireSynchronizer } from './parties/allocation.js';
import { LEDGER, ledgerProblems } from './route.js';
import { userProblem, type UserNeeds } from './users/changes.js';

const STATUSES = ['PACKAGE_STATUS_UNSPECIFIED', 'PACKAGE_STATUS_REGISTERED'] as const;
const registered = z.object({ packageStatus: z.enum(STATUSES) }).openapi('GetPackageStatusResponse');

/** Archives are recorded and never executed. Source: specification of the API §8.3. Assumption: A-119. */
export const registerPackages: Register<UserNeeds> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/packages',
      operationId: 'getV2Packages',
      summary: 'List the ids of the packages',
      ...LEDGER,
      security: USER,
      responses: {
        200: answer(
          "The ids of the network's packages and of the uploaded ones.",
          z.object({ packageIds: z.array(z.string()) }).openapi('ListPackagesResponse'),
        ),
        ...ledgerProblems(401, 403),
      },
    }),
    (c) => {
      const ids = new Set(NETWORK_PACKAGES);
      for (const { packages } of contractsByKey(server.state, 'UploadedDar', uploadedDarsKey(server.participantId)))
        for (const id of packages) ids.add(id);
      return c.json({ packageIds: [...ids].sort() }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/packages/{package-id}/status',
      operationId: 'getV2PackagesPackage-idStatus',
      summary: 'Get the status of a package',
      ...LEDGER,
      security: USER,
      request: { params: z.object({ 'package-id': z.string() }) },
      responses: {
        200: answer('Whether the participant has the package.', registered),
        ...ledgerProblems(401, 403),
      },
    }),
    (c) => {
      const id = c.req.valid('param')['package-id'];
      const isKnown =
        NETWORK_PACKAGES.includes(id) ||
        countByKey(server.state, 'UploadedDar', uploadedPackageKey(server.participantId, id)) > 0;
      return c.json({ packageStatus: STATUSES[isKnown ? 1 : 0] }, 200);
    },
  );

  for (const [path, operationId] of [
    ['/v2/packages', 'postV2Packages'],
    ['/v2/dars', 'postV2Dars'],
  ] as const)
    api.openapi(
      createRoute({
        method: 'post',
        path,
        operationId,
        summary: 'Submit a package archive',
        ...LEDGER,
        security: ADMIN,
        request: {
          query: z.object({ vetAllPackages: z.string().optional(), synchronizerId: z.string().optional() }),
          body: { required: true, content: { 'application/octet-stream': { schema: z.string() } } },
        },
        responses: {
          200: answer('The archive is recorded. Its code is never executed.', emptyBody),
          ...ledgerProblems(400, 401, 403, 413, 503),
        },
      }),
      async (c) => {
        requireSynchronizer(c.req.valid('query').synchronizerId, 'synchronizerId', server);
        await record(Buffer.from(await c.req.arrayBuffer()), server);
        return c.json({}, 200);
      },
    );
};

async function record(
  bytes: Buffer,
  { host, validator: operator, participantId: participant }: UserNeeds,
): Promise<void> {
  if (bytes.length === 0) throw new LedgerProblem('INVALID_ARGUMENT', 'body: expected the bytes of a package archive');
  const hash = createHash('sha256').update(bytes).digest('hex');
  const found = packagesIn(bytes);
  const packages = found.length === 0 ? [hash] : found;
  const answered = await host.submit({ type: 'RecordDar', operator, participant, hash, packages }, [operator]);
  if (!answered.ok && answered.error.code !== 'ALREADY_EXISTS') throw userProblem(answered.error);
}

/** A zip file does not compress its directory, so the names are readable. */
function packagesIn(bytes: Buffer): readonly string[] {
  const names = bytes.toString('latin1').matchAll(/([0-9a-f]{64})\.dalf/g);
  return [...new Set(Array.from(names, ([, id = '']) => id))];
}
