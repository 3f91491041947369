/*
 * The pages about the server: its endpoints, from the OpenAPI document that it answers itself, and its settings, from the schema
 * that reads them.
 */
import { createServer, serverConfigSchema, type CoinlabServer, type ServerConfigInput } from '@coinlab/http';
import { fieldsTable, rowOf, tableOf, type Schema } from './schema-table.ts';

/** What a page needs of one operation of the document. */
export interface Operation {
  readonly tags: readonly string[];
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly deprecated?: boolean;
  readonly security?: readonly { readonly bearer: readonly string[] }[];
  readonly responses: { readonly [status: string]: { readonly description: string } };
}

/** A page without its frame. */
export interface Page {
  readonly title: string;
  readonly intro: string;
  readonly body: string;
}

/** Every route of a server with `dev`, by tag. */
export async function endpointsPage(): Promise<Page> {
  const settings: ServerConfigInput = { dev: true, clock: 'manual' };
  const files = await declaringFiles(settings);
  const server = await createServer(settings);
  const document = (await (await server.app.request('/openapi.json')).json()) as {
    paths: { [path: string]: { [method: string]: Operation } };
  };
  await server.close();
  const groups = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = (operation.tags[0] ?? '').replace('-', ' ');
      groups.set(tag, [
        ...(groups.get(tag) ?? []),
        endpointRow(method.toUpperCase(), path, operation, files.get(`${method} ${path}`) ?? ''),
      ]);
    }
  const sections = [...groups].map(([tag, rows]) => `## ${tag}\n\n${tableOf(ENDPOINT_HEADS, rows)}`);
  return {
    title: 'Endpoints',
    intro: `What the server answers, from its own OpenAPI 3.1 document, which has every field: \`GET /openapi.json\`. An example of each is in the pages of
the APIs: [registry](api/registry.md), [scan](api/scan.md), [scan by way of the validator](api/scan-proxy.md), [wallet](api/wallet.md),
[validator administration](api/validator-admin.md), [ledger](api/ledger.md), [development and health](api/dev.md). All of it is served again under
\`/api/scan\` and \`/api/validator\`. Success is 200 and always JSON; beside the refusals listed, a body that is too large is refused with 413.

The last column names the file that declares the endpoint, below \`packages/http/src\`.

Who may call: **anyone**; **token**, any valid one; **wallet**, a token of a user who has a wallet (404 for others); **operator**, the token of
\`validatorWalletUser\` (403 for others). Without a valid token, all but the first are refused with 401. The \`/dev\` routes exist only with \`dev\`.`,
    body: sections.join('\n\n'),
  };
}

/** The file that declares each endpoint, such as `apis/dev/events.ts` for `get /dev/events`: read from the stack while a server registers it. */
async function declaringFiles(settings: ServerConfigInput): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const first = await createServer(settings);
  const registry: CoinlabServer['app']['openAPIRegistry'] = Object.getPrototypeOf(first.app.openAPIRegistry);
  const { registerPath } = registry;
  registry.registerPath = function (route) {
    const [, file = ''] = /packages\/http\/src\/(apis\/[\w/-]+\.ts)/.exec(new Error().stack ?? '') ?? [];
    files.set(`${route.method} ${route.path}`, file);
    return registerPath.call(this, route);
  };
  const second = await createServer(settings);
  registry.registerPath = registerPath;
  await Promise.all([first.close(), second.close()]);
  return files;
}

const ENDPOINT_HEADS = ['Endpoint', 'Who', 'Answer', 'Refusals', 'File'];

function endpointRow(method: string, path: string, operation: Operation, file: string): string {
  const { deprecated = false, responses } = operation;
  const refusals = Object.keys(responses).filter((status) => status !== '200' && status !== '401');
  const answer = `${deprecated ? 'Deprecated. ' : ''}${responses['200']?.description ?? ''}`;
  return rowOf([`\`${method} ${path}\``, whoMayCall(operation), answer, refusals.join(', '), `\`${file}\``]);
}

/** Who is answered, in a word: the role that the document names. */
export function whoMayCall({ security: [required] = [] }: Operation): string {
  return required ? (required.bearer[0] ?? 'token') : 'anyone';
}

/**
 * Every setting of the file of `coinlab serve --config`.
 * @param gap told of settings that do not say what they are for
 */
export function settingsPage(gap: (fault: string) => void): Page {
  return {
    title: 'Settings of the server',
    intro: `What \`createServer\` takes and the file of \`coinlab serve --config FILE\` holds, as JSON. Everything may be left out, but for what is required
inside a part that is given; a name that is not known is refused. A path with a dot is an object in an object, \`[]\` stands for each entry of a list.
Decimals are texts. [An example with everything](../guides/serve.md#settings) is in the guide.`,
    body: fieldsTable(serverConfigSchema.toJSONSchema({ io: 'input' }) as Schema, (path) =>
      gap(`packages/http/src/config.ts: ${path} does not say what it is for`),
    ),
  };
}
