import { createRoute, z } from '@hono/zod-openapi';
import { find } from '@coinlab/core';
import { Problem, problems } from '../../problem.js';
import { accessTo, refusalsAt, type RegistryPlace } from './place.js';
import { answer, capitalised, jsonBody } from '../../route-parts.js';
import type { Api } from '../../request.js';
import type { LedgerView } from '../../history/ledger-view.js';
import {
  choiceContext,
  choiceContextSchema,
  configState,
  rulesAndRound,
  type ChoiceContext,
} from '../../wire/choice-context.js';
import { contractIdOrNull } from '../../wire/values.js';

const request = z
  .object({ meta: z.record(z.string(), z.string()).optional(), excludeDebugFields: z.boolean().default(false) })
  .openapi('GetChoiceContextRequest');

const CHOICES = ['accept', 'reject', 'withdraw'] as const;
type Choice = (typeof CHOICES)[number];

export function registerInstructionContexts(api: Api, ledger: LedgerView, place: RegistryPlace): void {
  const { prefix, suffix } = place;
  for (const version of ['v2', 'v1'] as const)
    for (const choice of CHOICES) {
      api.openapi(
        createRoute({
          method: 'post',
          path: `${prefix}/registry/transfer-instruction/${version}/{transferInstructionId}/choice-contexts/${choice}`,
          operationId: `getTransferInstruction${capitalised(choice)}Context${suffix}${version === 'v2' ? '' : 'V1'}`,
          summary: `Get the context to ${choice} a transfer`,
          ...accessTo(place),
          request: { params: z.object({ transferInstructionId: z.string() }), ...jsonBody(request) },
          responses: {
            200: answer(`The context for exercising ${choice}.`, choiceContextSchema),
            ...problems(400, 404, 409),
            ...refusalsAt(place),
          },
        }),
        (c) => {
          const { transferInstructionId } = c.req.valid('param');
          const { excludeDebugFields } = c.req.valid('json');
          return c.json(instructionContext(choice, transferInstructionId, excludeDebugFields, ledger), 200);
        },
      );
    }
}

function instructionContext(
  choice: Choice,
  text: string,
  excludeDebugFields: boolean,
  ledger: LedgerView,
): ChoiceContext {
  const state = ledger.state;
  const id = contractIdOrNull(text);
  const instruction = id && find(state, 'TransferInstruction', id);
  if (!instruction) throw new Problem(404, `no active transfer instruction ${text}`);
  const locked = find(state, 'Holding', instruction.lockedHolding);
  if (locked) {
    const stamp = configState(ledger);
    const named = stamp.length > 0 ? stamp : rulesAndRound(ledger);
    return choiceContext({ named, disclosed: [locked], expiresLock: true }, excludeDebugFields, ledger);
  }
  if (choice === 'accept')
    throw new Problem(404, `the coin locked for ${text} is gone: its lock expired and the owner has taken it back`);
  return choiceContext({ named: [], disclosed: [], expiresLock: false }, excludeDebugFields, ledger);
}
