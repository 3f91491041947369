import { dsoRulesOf } from '@coinlab/core/rules';
import { Instant } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { Problem, problems } from '../../problem.js';
import { answer } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { synchronizerOf } from '../../wire/contract.js';
import { MIGRATION, rfc3339, timeText } from '../../wire/values.js';

const scan = z.object({ publicUrl: z.string(), svName: z.string() }).openapi('ScanInfo');
const sequencer = z
  .object({
    migrationId: z.number().int(),
    id: z.string(),
    url: z.string(),
    svName: z.string(),
    availableAfter: timeText,
  })
  .openapi('DsoSequencer');

/** This server is the only node. Source: specification of the API §4.4. Assumption: A-103. */
export const registerScanOperations: Register<LedgerView> = (api, ledger) => {
  const firstSv = (): string | null => dsoRulesOf(ledger.state)?.svs[0]?.name ?? null;
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/scans',
      operationId: 'listDsoScans',
      summary: 'List the scan servers of the DSO',
      tags: ['scan'],
      responses: {
        200: answer(
          'A list with one scan server: this server, at the address of the request.',
          z
            .object({
              scans: z.array(z.object({ domainId: z.string(), scans: z.array(scan) }).openapi('DomainScans')),
            })
            .openapi('ListDsoScansResponse'),
        ),
      },
    }),
    (c) => {
      const svName = firstSv();
      const scans = svName === null ? [] : [{ publicUrl: `${new URL(c.req.url).origin}/api/scan`, svName }];
      return c.json({ scans: [{ domainId: synchronizerOf(ledger), scans }] }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/dso-sequencers',
      operationId: 'listDsoSequencers',
      summary: 'List the sequencers of the DSO',
      tags: ['scan'],
      responses: {
        200: answer(
          'A list with one sequencer: this server, at the address of the request.',
          z
            .object({
              domainSequencers: z.array(
                z.object({ domainId: z.string(), sequencers: z.array(sequencer) }).openapi('DomainSequencers'),
              ),
            })
            .openapi('ListDsoSequencersResponse'),
        ),
      },
    }),
    (c) => {
      const svName = firstSv();
      const domainId = synchronizerOf(ledger);
      const one = (name: string): z.output<typeof sequencer> => ({
        migrationId: MIGRATION,
        id: `SEQ::sequencer::${domainId.replace(/^.*::/, '')}`,
        url: new URL(c.req.url).origin,
        svName: name,
        availableAfter: rfc3339(ledger.history.head === 0 ? Instant.earliest : ledger.history.timeAt(1)),
      });
      return c.json({ domainSequencers: [{ domainId, sequencers: svName === null ? [] : [one(svName)] }] }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/migrations/schedule',
      operationId: 'getMigrationSchedule',
      summary: 'Get the scheduled synchronizer migration',
      tags: ['scan'],
      responses: {
        200: answer(
          'The time and the target of the scheduled migration.',
          z.object({ time: timeText, migration_id: z.number().int() }).openapi('MigrationSchedule'),
        ),
        ...problems(404),
      },
    }),
    () => {
      throw new Problem(404, 'no migration is scheduled; this server does not simulate migrations');
    },
  );
};
