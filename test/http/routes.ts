import type { CoinlabServer } from '@coinlab/http';

/*
 * The routes in a server's OpenAPI document, and valid requests to them:
 *
 *   const routes = await routesOf(server);
 *   const { path, init } = requestTo(routes[0]);
 */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Operation {
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Declaration>>;
}

interface Declaration {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly needsToken: boolean;
  readonly parameters: readonly Parameter[];
  readonly statuses: readonly number[];
  /** By status. */
  readonly answers: Readonly<Record<string, Declaration>>;
  /** A valid body with the required fields; null if the route has none. */
  readonly body: unknown;
  readonly fullBody: unknown;
}

/** The routes of a server's document, in its order. */
export async function routesOf(server: CoinlabServer): Promise<readonly Route[]> {
  const document = (await (await server.app.request('/openapi.json')).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  const { schemas } = document.components;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security = [], parameters = [], requestBody, responses }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      return {
        method: method.toUpperCase(),
        path,
        needsToken: security.length > 0,
        parameters,
        statuses: Object.keys(responses).map(Number),
        answers: responses,
        body: schema ? sampleOf(schema, schemas) : null,
        fullBody: schema ? sampleOf(schema, schemas, '', true) : null,
      };
    }),
  );
}

export function requestTo(route: Route): { readonly path: string; readonly init: RequestInit } {
  const path = route.path.replaceAll(/\{([\w-]+)\}/g, (_, name: string) => encodeURIComponent(textFor(name)));
  const query = new URLSearchParams(
    route.parameters
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name, schema }): [string, string] => [name, String(sampleOf(schema ?? {}, {}, name))]),
  );
  return {
    path: query.size === 0 ? path : `${path}?${query.toString()}`,
    init: { method: route.method, ...(route.body === null ? {} : { body: JSON.stringify(route.body) }) },
  };
}

/** Returns a valid value with the required fields only, or with all fields. */
function sampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>, name = '', isFull = false): unknown {
  const { $ref, enum: choices, const: only, anyOf, oneOf, allOf, properties = {}, required = [] } = schema;
  if ($ref !== undefined) return sampleOf(schemas[$ref.replace(/.*\//, '')] ?? {}, schemas, name, isFull);
  if (only !== undefined) return only;
  if (choices) return choices[0];
  const choice = (anyOf ?? oneOf)?.[0];
  if (choice) return sampleOf(choice, schemas, name, isFull);
  if (allOf) return Object.assign({}, ...allOf.map((part) => sampleOf(part, schemas, name, isFull))) as unknown;
  const type = typeof schema.type === 'object' ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return Object.fromEntries(
        (isFull ? Object.keys(properties) : required).map((key) => [
          key,
          sampleOf(properties[key] ?? {}, schemas, key, isFull),
        ]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? (isFull ? 1 : 0) }, () =>
        sampleOf(schema.items ?? {}, schemas, name, isFull),
      );
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1);
    case 'boolean':
      return false;
    case 'string':
      return textFor(name);
    default:
      return {};
  }
}

const HASH = `1220${'ab'.repeat(32)}`;

/** Returns a valid text for the format that a field name implies. */
export function textFor(name: string): string {
  if (/amount/.test(name)) return '1.0';
  if (/contract|_id$|Id$/.test(name) && !/party|tracking|member|domain|update/.test(name))
    return `00${'0'.repeat(136)}`;
  if (/party|receiver|sender|provider|domain|owner/.test(name)) return `nobody::${HASH}`;
  if (/update/.test(name)) return HASH;
  if (/time|before|after|_at$/.test(name)) return '2026-01-01T00:00:00Z';
  return 'name';
}
