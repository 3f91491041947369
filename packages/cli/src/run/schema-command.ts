import { sweepJsonSchema } from '@coinlab/lab';
import { startJsonSchema } from '@coinlab/http';
import { scenarioJsonSchema } from '@coinlab/sim';
import { BadInput } from '../exit-code.js';
import type { Terminal } from '../terminal.js';

export const SCHEMAS: Readonly<Record<string, () => unknown>> = {
  scenario: scenarioJsonSchema,
  sweep: sweepJsonSchema,
  start: startJsonSchema,
};

export function schemaCommand(what: string, terminal: Terminal): void {
  const schema = Object.hasOwn(SCHEMAS, what) ? SCHEMAS[what] : undefined;
  if (!schema) throw new BadInput(`unknown schema '${what}'; expected one of ${Object.keys(SCHEMAS).join(', ')}`);
  terminal.out(`${JSON.stringify(schema(), null, 2)}\n`);
}
