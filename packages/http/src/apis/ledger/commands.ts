import { createRoute, type z } from '@hono/zod-openapi';
import type { Update } from '@coinlab/core';
import { callerOf } from '../../gates/caller.js';
import { LedgerProblem } from '../../gates/ledger/errors.js';
import { requireActAs, rightsOf } from '../../gates/ledger/rights.js';
import type { LedgerAccess } from '../../gates/submit.js';
import type { Caller, Register } from '../../request.js';
import { answer, jsonBody, TOKEN } from '../../route-parts.js';
import { submittedTransactionOf } from '../../wire/ledger/transaction.js';
import {
  acceptedSchema,
  commandsForTransactionSchema,
  commandsSchema,
  submittedSchema,
  transactionSchema,
} from './command-schemas.js';
import { LEDGER, ledgerProblems } from './route.js';
import {
  actingIn,
  answerFormat,
  commandIn,
  deduplicateAfter,
  hasKey,
  submitOnce,
  submittedOf,
  type TailNeeds,
} from './submission.js';

export const registerCommands: Register<LedgerAccess & TailNeeds> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/commands/submit-and-wait',
      operationId: 'postV2CommandsSubmit-and-wait',
      summary: 'Submit a command and wait for its completion',
      ...LEDGER,
      security: TOKEN,
      request: jsonBody(commandsSchema),
      responses: {
        200: answer('The update of the command.', submittedSchema),
        ...ledgerProblems(400, 401, 403, 404, 409, 503),
      },
    }),
    async (c) => c.json(submittedOf(await submitCommands(server, callerOf(c), c.req.valid('json'))), 200),
  );
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/commands/async/submit',
      operationId: 'postV2CommandsAsyncSubmit',
      summary: 'Submit a command',
      description: 'Returns when the command has taken effect. Its update is in the completions.',
      ...LEDGER,
      security: TOKEN,
      request: jsonBody(commandsSchema),
      responses: {
        200: answer('The command was accepted.', acceptedSchema),
        ...ledgerProblems(400, 401, 403, 404, 409, 503),
      },
    }),
    async (c) => {
      await submitCommands(server, callerOf(c), c.req.valid('json'));
      return c.json({}, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/commands/submit-and-wait-for-transaction',
      operationId: 'postV2CommandsSubmit-and-wait-for-transaction',
      summary: 'Submit a command and return its transaction',
      ...LEDGER,
      security: TOKEN,
      request: jsonBody(commandsForTransactionSchema),
      responses: {
        200: answer('The transaction of the command.', transactionSchema),
        ...ledgerProblems(400, 401, 403, 404, 409, 503),
      },
    }),
    async (c) => {
      const { commands, transactionFormat } = c.req.valid('json');
      const format = answerFormat(c, transactionFormat, commands.actAs);
      const update = await submitCommands(server, callerOf(c), commands);
      return c.json({ transaction: submittedTransactionOf(update, format, server) }, 200);
    },
  );
};

async function submitCommands(
  server: LedgerAccess & TailNeeds,
  caller: Caller,
  body: z.output<typeof commandsSchema>,
): Promise<Update> {
  const acting = actingIn(body, caller, server);
  const { actAs } = acting;
  requireActAs(rightsOf(caller), actAs);
  const external = actAs.find((party) => hasKey(server.state, party));
  if (external !== undefined)
    throw new LedgerProblem(
      'NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT',
      `actAs: ${external} is an external party; prepare its command and execute it with its signature`,
    );
  const ids = {
    userId: caller.user,
    actAs,
    commandId: body.commandId,
    submissionId: body.submissionId ?? '',
    workflowId: body.workflowId ?? '',
    deduplicateAfter: deduplicateAfter(body.deduplicationPeriod, server),
  };
  return submitOnce(server, ids, actAs, (state, now) => commandIn(body, acting, server, state, now).command);
}
