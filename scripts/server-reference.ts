/* Generates the pages of the server: endpoints, from the OpenAPI document, and settings, from their schema. */
import { createServer, serverConfigSchema, type CoinlabServer, type ServerConfigInput } from '@coinlab/http';
import { fieldsList, rowOf, tableOf, type Schema } from './schema-table.ts';

export interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly deprecated?: boolean;
  readonly security?: readonly { readonly bearer: readonly string[] }[];
  readonly responses: { readonly [status: string]: { readonly description: string } };
}

export interface Page {
  readonly title: string;
  readonly intro: string;
  readonly body: string;
}

/** Settings with which the server has every endpoint. */
const SETTINGS: ServerConfigInput = { dev: true, clock: 'manual' };

export async function endpointsPage(): Promise<Page> {
  const server = await createServer(SETTINGS);
  const document = (await (await server.app.request('/openapi.json')).json()) as {
    paths: { [path: string]: { [method: string]: Operation } };
  };
  await server.close();
  const errors = commonErrors(Object.values(document.paths).flatMap((methods) => Object.values(methods)));
  return {
    title: 'Endpoints',
    intro: `Every endpoint has a section with an example on one of these pages: [registry](api/registry.md), [scan](api/scan.md),
[scan by way of the validator](api/scan-proxy.md), [wallet](api/wallet.md), [validator administration](api/validator-admin.md), [ledger](api/ledger.md),
[development and health](api/dev.md). The OpenAPI 3.1 document of the server (\`GET /openapi.json\`) describes every field. The server also serves all
endpoints under \`/api/scan\` and \`/api/validator\`. The examples are recorded: each request runs against a new server with \`--dev --clock manual\` at 2026-01-01.
\`$URL\` is \`http://127.0.0.1:5003\`. \`coinlab serve --dev\` prints the tokens \`$ALICE\`, \`$BOB\` and \`$OPERATOR\`. Long texts and lists are
shortened (\`…\`). A deprecated endpoint shows its request only. A successful request returns 200 and JSON. Every endpoint that takes a body returns 413 if the body is too large.

Each section names the required token and the declaring file in \`packages/http/src\`: **anyone** (no token), **token** (any valid token), **user** (a user of the participant, others get 403),
**wallet** (a user with a wallet, others get 404), **admin** (a user with the right \`ParticipantAdmin\`, others get 403),
**operator** (the user \`validatorWalletUser\`, others get 403). A missing or invalid token gets 401. \`Errors\` lists only the other statuses. The \`/dev\` endpoints exist only with the setting \`dev\`.`,
    body: [
      '## Errors\n\nThe usual meaning of each status; the API pages list exceptions.',
      tableOf(
        ['Status', 'Meaning'],
        [...errors].map(([status, text]) => rowOf([status, text])),
      ),
    ].join('\n\n'),
  };
}

/** Returns the most frequent description of each error status, by status. */
export function commonErrors(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { responses } of operations)
    for (const [status, { description }] of Object.entries(responses)) {
      if (status === '200') continue;
      const texts = counts.get(status) ?? new Map<string, number>();
      counts.set(status, texts.set(description, (texts.get(description) ?? 0) + 1));
    }
  return new Map(
    [...counts]
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([status, texts]) => [status, [...texts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '']),
  );
}

/** The file that declares each endpoint, such as `apis/dev/events.ts` for `get /dev/events`: read from the stack while a server registers it. */
export async function declaringFiles(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const byOperation = new Map<string | undefined, string>();
  const first = await createServer(SETTINGS);
  const registry: CoinlabServer['app']['openAPIRegistry'] = Object.getPrototypeOf(first.app.openAPIRegistry);
  const { registerPath } = registry;
  registry.registerPath = function (route) {
    const [, caller = ''] = /packages\/http\/src\/(apis\/[\w/-]+\.ts)/.exec(new Error().stack ?? '') ?? [];
    // `apis/index.ts` registers the routes of the ledger API a second time, for the combined document.
    const file = caller === 'apis/index.ts' ? (byOperation.get(route.operationId) ?? caller) : caller;
    byOperation.set(route.operationId, file);
    files.set(`${route.method} ${route.path}`, file);
    return registerPath.call(this, route);
  };
  const second = await createServer(SETTINGS);
  registry.registerPath = registerPath;
  await Promise.all([first.close(), second.close()]);
  return files;
}

export function purposeOf({ summary, deprecated = false }: Operation): string {
  return deprecated && !summary.includes('deprecated') ? `${summary} (deprecated)` : summary;
}

/** Returns the role that the token must have, as the OpenAPI document names it. */
export function whoMayCall({ security: [required] = [] }: Operation): string {
  return required ? (required.bearer[0] ?? 'token') : 'anyone';
}

/**
 * Returns the settings of the file for `coinlab serve --config`.
 * @param gap receives a message for each setting without a description
 */
export function settingsPage(gap: (fault: string) => void): Page {
  return {
    title: 'Settings of the server',
    intro: `The argument of \`createServer\` and the JSON file of \`coinlab serve --config FILE\`. Every setting is optional, except required fields inside a given object.
Unknown names are refused. A path with a dot is an object in an object, and \`[]\` means each entry of a list. Decimals are texts.
\`coinlab serve\` also reads each setting from an environment variable: \`limits.bodyBytes\` from \`COINLAB_LIMITS_BODY_BYTES\`.
[everything.json](../../packages/http/examples/everything.json) is an example with every setting.`,
    body: fieldsList(serverConfigSchema.toJSONSchema({ io: 'input' }) as Schema, (path) =>
      gap(`packages/http/src/config.ts: ${path} does not say what it is for`),
    ),
  };
}
