import { differenceToMachine } from '../../host/clock.js';
import type { Host } from '../../host/host.js';
import type { LedgerView } from '../../history/ledger-view.js';
import type { Configured } from '../../config.js';
import type { ValidatorIdentity } from '../../host/hosted-parties.js';
import { createRoute, z } from '@hono/zod-openapi';
import { Instant } from '@coinlab/core';
import type { Register } from '../../request.js';
import { answer } from '../../route-parts.js';

const MICROS_PER_SECOND = 1_000_000n;

const COMMITTED_AT = '2026-11-21T00:00:00.000000Z';

const status = z
  .object({
    id: z.string(),
    uptime: z.string().describe("ISO 8601 duration on the server's clock."),
    ports: z.record(z.string(), z.number().int()),
    extra: z
      .string()
      .optional()
      .describe('Difference between ledger time and machine time, if it is a second or more.'),
    active: z.boolean(),
  })
  .openapi('Status');
const nodeStatus = z
  .union([
    z.object({ success: status }).openapi('SuccessStatusResponse'),
    z.object({ not_initialized: z.object({ active: z.boolean() }) }).openapi('NotInitializedStatusResponse'),
    z.object({ failed: z.object({ error: z.string() }) }).openapi('FailureStatusResponse'),
  ])
  .openapi('NodeStatus');
const version = z.object({ version: z.string(), commit_ts: z.iso.datetime() }).openapi('Version');

export type StatusNeeds = Pick<LedgerView, 'state' | 'now'> &
  Pick<ValidatorIdentity, 'participantId'> &
  Configured<'port' | 'release'> & { readonly startedAt: Instant; readonly host: Pick<Host, 'failure' | 'now'> };

export const registerStatus: Register<StatusNeeds> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/status',
      operationId: 'getHealthStatus',
      summary: 'Get the health status',
      tags: ['common'],
      responses: { 200: answer('The health status: success, not initialized or failed.', nodeStatus) },
    }),
    (c) => c.json(statusOf(server), 200),
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/version',
      operationId: 'getVersion',
      summary: "Get the version of the network's release",
      tags: ['common'],
      responses: { 200: answer('The release of the network that this server implements.', version) },
    }),
    (c) => c.json({ version: server.config.release, commit_ts: COMMITTED_AT }, 200),
  );
};

function statusOf(server: StatusNeeds): z.output<typeof nodeStatus> {
  const { host, participantId, config, startedAt } = server;
  if (host.failure !== null) return { failed: { error: host.failure } };
  if (server.state.offset === 0) return { not_initialized: { active: false } };
  const difference = differenceToMachine(host.now());
  return {
    success: {
      id: participantId.slice('PAR::'.length),
      uptime: isoDuration(Instant.between(startedAt, server.now())),
      ports: { admin: config.port },
      ...(difference !== null && { extra: difference }),
      active: true,
    },
  };
}

function isoDuration(micros: bigint): string {
  const seconds = micros / MICROS_PER_SECOND;
  const fraction = String(micros % MICROS_PER_SECOND)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const [hours, minutes] = [seconds / 3600n, (seconds / 60n) % 60n];
  return `PT${hours > 0n ? `${hours}H` : ''}${minutes > 0n ? `${minutes}M` : ''}${seconds % 60n}${fraction && `.${fraction}`}S`;
}
