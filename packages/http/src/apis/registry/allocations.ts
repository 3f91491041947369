import { createRoute, z } from '@hono/zod-openapi';
import { Problem, problems } from '../../problem.js';
import { factoryWithContext } from './factory.js';
import { accessTo, refusalsAt, type RegistryPlace } from './place.js';
import { answer, jsonBody } from '../../route-parts.js';
import type { Api } from '../../request.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { allocationArguments } from '../../wire/choice-arguments.js';
import { choiceContextSchema } from '../../wire/choice-context.js';

const options = { excludeDebugFields: z.boolean().default(false) };
const allocateRequest = z
  .object({ choiceArguments: allocationArguments, ...options })
  .openapi('GetAllocationFactoryRequest');
/** The arguments of version 2 are not specified. */
const anyRequest = z
  .object({ choiceArguments: z.record(z.string(), z.unknown()), ...options })
  .openapi('GetSettlementFactoryRequest');
const contextRequest = z
  .object({ meta: z.record(z.string(), z.string()).optional(), ...options })
  .openapi('GetAllocationChoiceContextRequest');
const response = z
  .object({ factoryId: z.string(), choiceContext: choiceContextSchema })
  .openapi('FactoryWithChoiceContext');

const FACTORIES = [
  {
    path: 'allocation-instruction/v1/allocation-factory',
    operation: 'getAllocationFactory',
    request: allocateRequest,
    factory: 'allocation',
  },
  {
    path: 'allocation-instruction/v2/allocation-factory',
    operation: 'getAllocationFactoryV2',
    request: anyRequest,
    factory: 'allocation',
  },
  {
    path: 'allocation/v2/settlement-factory',
    operation: 'getSettlementFactory',
    request: anyRequest,
    factory: 'settlement',
  },
] as const;
const CHOICES = [
  ['v1', 'execute-transfer', 'getAllocationTransferContext'],
  ['v1', 'withdraw', 'getAllocationWithdrawContext'],
  ['v1', 'cancel', 'getAllocationCancelContext'],
  ['v2', 'withdraw', 'getAllocationWithdrawContextV2'],
  ['v2', 'cancel', 'getAllocationCancelContextV2'],
] as const;

/**
 * Allocations use the factory of transfers. Nothing on this network creates an allocation, so every request with an allocation id
 * returns 404.
 * Source: specification of the API §2.4. Assumption: A-99.
 */
export function registerAllocations(api: Api, ledger: LedgerView, place: RegistryPlace): void {
  const { prefix, suffix } = place;
  for (const { path, operation, request, factory } of FACTORIES)
    api.openapi(
      createRoute({
        method: 'post',
        path: `${prefix}/registry/${path}`,
        operationId: `${operation}${suffix}`,
        summary: `Get the ${factory} factory`,
        ...accessTo(place),
        request: jsonBody(request),
        responses: {
          200: answer('The factory contract and the choice context.', response),
          ...problems(400, 404, 409),
          ...refusalsAt(place),
        },
      }),
      (c) => c.json(factoryWithContext(ledger, c.req.valid('json').excludeDebugFields), 200),
    );
  for (const [version, choice, operation] of CHOICES)
    api.openapi(
      createRoute({
        method: 'post',
        path: `${prefix}/registry/allocations/${version}/{allocationId}/choice-contexts/${choice}`,
        operationId: `${operation}${suffix}`,
        summary: `Get the context of the allocation choice ${choice}`,
        ...accessTo(place),
        request: { params: z.object({ allocationId: z.string() }), ...jsonBody(contextRequest) },
        responses: {
          200: answer(`The context for exercising ${choice}.`, choiceContextSchema),
          ...problems(400, 404),
          ...refusalsAt(place),
        },
      }),
      (c) => {
        throw new Problem(404, `no active allocation ${c.req.valid('param').allocationId}`);
      },
    );
}
