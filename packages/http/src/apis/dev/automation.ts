import { createRoute, z } from '@hono/zod-openapi';
import { serverConfigSchema } from '../../config.js';
import type { AutomationDriver } from '../../network/automation-driver.js';
import { problems } from '../../problem.js';
import type { Register } from '../../request.js';
import { answer, jsonBody } from '../../route-parts.js';

const { pollSeconds, rewardPollSeconds, ...habits } = serverConfigSchema.shape.automation.unwrap().shape;
const settings = z.strictObject({ pollSeconds, rewardPollSeconds, ...habits }).openapi('DevAutomation');
/** Settings without defaults: an absent field keeps its current value. */
const changes = z
  .strictObject(
    // Cast: Object.fromEntries loses the keys.
    Object.fromEntries(Object.entries(habits).map(([name, field]) => [name, withoutDefault(field)])) as {
      [Name in keyof typeof habits]: z.ZodOptional<z.ZodType<z.output<(typeof habits)[Name]>>>;
    },
  )
  .openapi('DevAutomationChanges', { example: { mergeDelegations: false } });
const path = '/dev/automation';
const tags = ['dev'];

export interface AutomationNeeds {
  readonly automation: AutomationDriver;
}

export const registerAutomation: Register<AutomationNeeds> = (api, { automation }) => {
  api.openapi(
    createRoute({
      method: 'get',
      path,
      operationId: 'devAutomation',
      summary: 'Get the settings of automation',
      tags,
      responses: { 200: answer('The settings in force.', settings), ...problems(400, 403, 415) },
    }),
    (c) => c.json(automation.settings, 200),
  );

  api.openapi(
    createRoute({
      method: 'post',
      path,
      operationId: 'devChangeAutomation',
      summary: 'Replace settings of automation',
      description:
        'Changes the given settings of this ledger until the server ends; absent ones keep their value. `pollSeconds` and `rewardPollSeconds` cannot be changed.',
      tags,
      request: jsonBody(changes),
      responses: { 200: answer('The new settings.', settings), ...problems(400, 403, 409, 415) },
    }),
    (c) => {
      const given = Object.entries(c.req.valid('json')).filter(([, value]) => value !== undefined);
      automation.configure({ ...automation.settings, ...Object.fromEntries(given) });
      return c.json(automation.settings, 200);
    },
  );
};

function withoutDefault(field: z.ZodType): z.ZodType {
  const inner = field instanceof z.ZodDefault ? field.unwrap() : field;
  return inner instanceof z.ZodOptional ? inner : z.optional(inner);
}
