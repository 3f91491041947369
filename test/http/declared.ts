import type { CoinlabServer } from '@coinlab/http';
import { expect } from 'vitest';

/** A schema that parses a value and drops undeclared fields. */
interface Reader {
  parse(value: unknown): unknown;
}

interface Declared {
  readonly method: string;
  readonly path: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Reader }>> }>
  >;
}

/**
 * Sends a request, and expects a response that the route declares: status, media type and body without undeclared fields.
 * @param path path with its query, at the root
 */
export async function askDeclared(
  server: CoinlabServer,
  path: string,
  init: RequestInit = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await server.app.request(path, init);
  const text = await answer.text();
  const mediaType = answer.headers.get('content-type')?.split(';')[0] ?? '';
  const body: unknown = mediaType === 'application/json' ? JSON.parse(text) : text;
  const route = routeOf(server, init.method ?? 'GET', new URL(path, 'http://server').pathname);
  const schema = route.responses[answer.status]?.content?.[mediaType]?.schema;
  expect(schema, `${route.method} ${route.path} declares ${answer.status} ${mediaType}`).toBeDefined();
  expect(schema?.parse(body)).toEqual(body);
  return { status: answer.status, body };
}

function routeOf(server: CoinlabServer, method: string, path: string): Declared {
  const routes = server.app.openAPIRegistry.definitions.flatMap((one) =>
    one.type === 'route' ? [one.route as unknown as Declared] : [],
  );
  const pattern = (route: Declared): RegExp => new RegExp(`^${route.path.replaceAll(/\{[\w-]+\}/g, '[^/]+')}$`);
  const ofMethod = routes.filter((one) => one.method === method.toLowerCase());
  const route = ofMethod.find((one) => one.path === path) ?? ofMethod.find((one) => pattern(one).test(path));
  if (!route) throw new Error(`no route for ${method} ${path}`);
  return route;
}
