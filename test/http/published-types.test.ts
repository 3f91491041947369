import { createServer } from '@coinlab/http';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript-api';
import { expect, it } from 'vitest';
import type { Schema } from './routes.ts';

/*
 * Checks with the TypeScript compiler that our requests and responses match the types of the published clients: the routes of our
 * OpenAPI document are printed as types, and values of these and of the published types are assigned to each other.
 */

const modules = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), '..');
const GENERATED = '@canton-network/core-splice-client/dist/generated-clients';
const STANDARD = '@canton-network/core-token-standard/dist/generated-clients/splice-api-token';
const CLIENTS: Readonly<Record<string, string>> = {
  scan: `${GENERATED}/scan.d.ts`,
  proxy: `${GENERATED}/scan-proxy.d.ts`,
  validator: `${GENERATED}/validator-internal.d.ts`,
  metadata: `${STANDARD}-metadata-v1/token-metadata-v1.d.ts`,
  transfers: `${STANDARD}-transfer-instruction-v1/transfer-instruction-v1.d.ts`,
  allocations: `${STANDARD}-allocation-v1/allocation-v1.d.ts`,
  allocationInstructions: `${STANDARD}-allocation-instruction-v1/allocation-instruction-v1.d.ts`,
};

/** The published types write open objects as objects without fields. */
const HELPERS = `
type Open<T> = T extends unknown ? string extends keyof T ? [T[keyof T]] extends [never] ? any : { [K in keyof T]: Open<T[K]> }
  : T extends object ? { [K in keyof T]: Open<T[K]> } : T : never;
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Open<Body> : unknown;
type Answer<T> = T extends { responses: { 200: infer Ok } } ? Json<Ok> : unknown;
type Body<T> = T extends { requestBody?: infer Request } ? Json<NonNullable<Request>> : unknown;
`;

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

function typeOf(schema: Schema & { readonly additionalProperties?: Schema }): string {
  const { $ref, enum: choices, const: only, anyOf, oneOf, allOf, properties, required = [] } = schema;
  if ($ref !== undefined) return nameOf($ref.replace(/.*\//, ''));
  if (only !== undefined) return JSON.stringify(only);
  if (choices) return choices.map((one) => JSON.stringify(one)).join(' | ');
  const union = anyOf ?? oneOf;
  if (union) return union.map((part) => `(${typeOf(part)})`).join(' | ');
  if (allOf) return allOf.map((part) => `(${typeOf(part)})`).join(' & ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types
    .map((type) => {
      if (type === 'array') return `(${typeOf(schema.items ?? {})})[]`;
      if (type === 'integer') return 'number';
      if (type !== 'object') return type;
      const members = Object.entries(properties ?? {}).map(
        ([key, value]) => `${JSON.stringify(key)}${required.includes(key) ? '' : '?'}: ${typeOf(value)}`,
      );
      if (properties) return `{ ${members.join('; ')} }`;
      const { additionalProperties = {} } = schema;
      return Object.keys(additionalProperties).length === 0 ? 'any' : `Record<string, ${typeOf(additionalProperties)}>`;
    })
    .concat(types.length === 0 ? ['any'] : [])
    .join(' | ');
}

const nameOf = (schema: string): string => `Ours_${schema.replaceAll(/\W/g, '_')}`;

/** The routes in a client's types: the keys of its `paths` with their methods. */
function publishedRoutes(file: string): readonly (readonly [path: string, method: string])[] {
  const text = readFileSync(join(modules, file), 'utf8');
  const paths = /interface paths \{\n(.*?)\n\}/s.exec(text)?.[1] ?? '';
  return [...paths.matchAll(/^ {4}'(.+?)': \{\n(.*?)^ {4}\};/gms)].flatMap(([, path = '', body = '']) =>
    [...body.matchAll(/^ {8}(get|post|delete): /gm)].map(([, method = '']) => [path, method] as const),
  );
}

it('the OpenAPI document matches the types of the published clients', async () => {
  const server = await createServer({ clock: 'manual', release: '0.6.1' });
  const document = (await (await server.app.request('/openapi.json')).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  await server.close();
  const lines = Object.entries(document.components.schemas).map(
    ([name, schema]) => `type ${nameOf(name)} = ${typeOf(schema)};`,
  );
  const checked: string[] = [];
  for (const [client, file] of Object.entries(CLIENTS)) {
    lines.push(`import type { paths as ${client} } from ${JSON.stringify(join(modules, file))};`);
    for (const [path, method] of publishedRoutes(file)) {
      const ours = document.paths[path]?.[method];
      if (!ours) continue;
      const theirs = `${client}[${JSON.stringify(path)}][${JSON.stringify(method)}]`;
      const route = `${client}: ${method.toUpperCase()} ${path}`;
      const answer = ours.responses['200']?.content?.['application/json']?.schema;
      const body = ours.requestBody?.content['application/json']?.schema;
      checked.push(route);
      if (answer) lines.push(`export const a${lines.length}: Answer<${theirs}> = {} as ${typeOf(answer)}; // ${route}`);
      if (body) lines.push(`export const b${lines.length}: ${typeOf(body)} = {} as Body<${theirs}>; // ${route}`);
    }
  }
  // Control: the compiler reports a wrong response and a wrong request.
  lines.push(
    '// @ts-expect-error',
    "export const x: Answer<scan['/v0/dso-party-id']['get']> = {} as { dso_party_id: 1 };",
  );
  lines.push(
    '// @ts-expect-error',
    "export const y: { limit: string } = {} as Body<scan['/v0/admin/sv/voteresults']['post']>;",
  );
  const text = `${HELPERS}${lines.join('\n')}\n`;
  const name = join(import.meta.dirname, 'ours-and-theirs.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === name || fileExists(file);
  host.getSourceFile = (file, ...rest) =>
    file === name ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2022) : getSourceFile(file, ...rest);
  const program = ts.createProgram([name], options, host);
  const faults = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? (file.text.split('\n')[file.getLineAndCharacterOfPosition(start).line] ?? '') : '';
    return `${/\/\/ (.*)/.exec(line)?.[1] ?? line.slice(0, 200)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  expect(faults).toEqual([]);
  expect(checked.length).toBeGreaterThan(90);
});
