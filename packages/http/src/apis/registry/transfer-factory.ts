import { createRoute, z } from '@hono/zod-openapi';
import { featuredRightOf, preapprovalOf } from '@coinlab/core/rules';
import type { LedgerState, TransferPreapproval } from '@coinlab/core';
import type { Api } from '../../request.js';
import { problems } from '../../problem.js';
import { factoryWithContext } from './factory.js';
import { accessTo, refusalsAt, type RegistryPlace } from './place.js';
import { answer, jsonBody } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { partiesOf, transferArguments } from '../../wire/choice-arguments.js';
import { choiceContextSchema, nowOf, type ContextContract } from '../../wire/choice-context.js';

const request = z
  .object({
    choiceArguments: transferArguments.describe('The argument of TransferFactory_Transfer, version 1 or 2.'),
    excludeDebugFields: z.boolean().default(false),
  })
  .openapi('GetFactoryRequest');

const response = z
  .object({
    factoryId: z.string(),
    transferKind: z.enum(['self', 'direct', 'offer']),
    choiceContext: choiceContextSchema,
  })
  .openapi('TransferFactoryWithChoiceContext');

export function registerTransferFactory(api: Api, ledger: LedgerView, place: RegistryPlace): void {
  const { prefix, suffix } = place;
  for (const version of ['v2', 'v1'] as const)
    api.openapi(
      createRoute({
        method: 'post',
        path: `${prefix}/registry/transfer-instruction/${version}/transfer-factory`,
        operationId: `getTransferFactory${suffix}${version === 'v2' ? '' : 'V1'}`,
        summary: 'Get the transfer factory and its context',
        ...accessTo(place),
        request: jsonBody(request),
        responses: {
          200: answer('The factory contract, the kind of the resulting transfer and the choice context.', response),
          ...problems(400, 404, 409),
          ...refusalsAt(place),
        },
      }),
      (c) => {
        const { choiceArguments, excludeDebugFields } = c.req.valid('json');
        return c.json(transferFactory(choiceArguments, excludeDebugFields, ledger), 200);
      },
    );
}

function transferFactory(
  choiceArguments: z.output<typeof transferArguments>,
  excludeDebugFields: boolean,
  ledger: LedgerView,
): z.infer<typeof response> {
  const state = ledger.state;
  const { sender, receiver } = partiesOf(choiceArguments);
  const preapproval = sender === receiver ? null : preapprovalOf(state, receiver, nowOf(ledger));
  return {
    ...factoryWithContext(ledger, excludeDebugFields, preapproval ? featuredRight(preapproval, state) : []),
    transferKind: sender === receiver ? 'self' : preapproval ? 'direct' : 'offer',
  };
}

function featuredRight(preapproval: TransferPreapproval, state: LedgerState): readonly ContextContract[] {
  const right = featuredRightOf(state, preapproval.provider);
  return [
    ...(right ? [{ key: 'featured-app-right', contract: right }] : []),
    { key: 'transfer-preapproval', contract: preapproval },
  ];
}
