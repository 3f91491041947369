import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Handler, Next } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { LEDGER_PREFIX, registerApis, registerLedgerApi, type ApiNeeds } from './apis/index.js';
import { socketOpener, type OpenSocket, type OpenSocketNeeds } from './apis/ledger/open-socket.js';
import { accessTable } from './gates/access.js';
import { behind } from './gates/gate.js';
import { crossOrigin } from './gates/cross-origin.js';
import { CachingRouter } from './gates/caching-router.js';
import { HostUnavailable, isDamage } from './host/host.js';
import { cantonErrorOf } from './gates/ledger/errors.js';
import { bodyReaders } from './gates/request-body.js';
import { checksOf, guardedRoutes, type GuardedRoute, type GuardNeeds } from './gates/guarded-routes.js';
import { getPath } from 'hono/utils/url';
import { validateAtOnce } from './gates/validation.js';
import { withOffset } from './observe/offset-header.js';
import { observed, routeOf, type Observers } from './observe/observe.js';
import { Problem, type ProblemStatus } from './problem.js';
import { seenOf, type Api } from './request.js';
import { releaseUnusedSchemas } from './schema-metadata.js';

const PREFIXES: readonly string[] = ['/api/scan', '/api/validator', ''];
const PREFIX = /^\/api\/(scan|validator|ledger)(?=\/)/;
const HEALTH: ReadonlySet<string> = new Set(['GET /livez', 'GET /readyz']);

export type AppNeeds = ApiNeeds & GuardNeeds & Observers & OpenSocketNeeds;

export interface Apps {
  /** Answers a request that another app of the server has received, observed and allowed. */
  readonly passOn: Api['fetch'];
  readonly app: Api;
  readonly ledgerApp: Api;
  readonly openSocket: OpenSocket;
}

export function createApps(server: AppNeeds, pathOf: (request: Request) => string = getPath): Apps {
  releaseUnusedSchemas();
  const api = newApi();
  const ledger = newApi();
  registerApis(api, server);
  registerLedgerApi(ledger, api, server);
  for (const each of [api, ledger]) validateAtOnce(each);
  const access = accessTable(api);
  const others = guardedRoutes(api, server);
  const ofLedger = new Map(guardedRoutes(ledger, server).map((route) => [nameOf(route), route]));

  const shared = new Mount(server, pathOf);
  shared.app.openAPIRegistry = api.openAPIRegistry;
  for (const route of ofLedger.values()) shared.add(route, LEDGER_PREFIX, true);
  for (const prefix of PREFIXES)
    for (const route of others) {
      const twin = prefix === '' ? ofLedger.get(nameOf(route)) : undefined;
      if (twin) shared.addEither(twin, route);
      else shared.add(route, prefix, false);
    }
  const names = new Set(others.map(nameOf));
  for (const prefix of PREFIXES)
    for (const [name, route] of ofLedger) if (!names.has(name)) shared.add(route, prefix, true);

  const own = new Mount(server, pathOf);
  own.app.openAPIRegistry = ledger.openAPIRegistry;
  for (const route of ofLedger.values()) own.add(route, '', true);
  for (const route of others) if (HEALTH.has(nameOf(route))) own.add(route, '', true);
  const passOn = shared.app.fetch;
  return {
    passOn,
    app: shared.finish(
      (path) => checksOf(access.ofOther(path), path, server),
      (c) => c.req.path.startsWith(`${LEDGER_PREFIX}/`),
    ),
    ledgerApp: own.finish(
      () => [],
      () => true,
    ),
    openSocket: socketOpener(server),
  };
}

function newApi(): Api {
  return new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success)
        throw new Problem(
          400,
          result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; '),
        );
    },
  });
}

function nameOf({ method, declared }: GuardedRoute): string {
  return `${method} ${declared}`;
}

class Mount {
  readonly app: Api;
  readonly #server: AppNeeds;
  readonly #ofLedger: Set<string> = new Set();

  constructor(server: AppNeeds, pathOf: (request: Request) => string) {
    this.#server = server;
    this.app = new OpenAPIHono({ router: new CachingRouter(), getPath: pathOf });
  }

  add({ method, path, declared, handlers }: GuardedRoute, prefix: string, isOfLedger: boolean): void {
    const [first, ...others] = handlers;
    if (isOfLedger) this.#ofLedger.add(prefix + declared);
    this.app.on(method, prefix + path, this.#entered(prefix + declared, first), ...others);
  }

  addEither(ledger: GuardedRoute, other: GuardedRoute): void {
    const readBody = bodyReaders(this.#server).json;
    const [first, ...others] = ledger.handlers;
    const ofLedger = [this.#entered(LEDGER_PREFIX + ledger.declared, first), ...others];
    this.app.on(ledger.method, ledger.path, async (c, next) => {
      await readBody(c);
      if (!hasBegin(await c.req.text())) return next();
      await inTurn(ofLedger, c, next);
      return undefined;
    });
    this.add(other, '', false);
  }

  finish(checksOf: (path: string) => Parameters<typeof behind>[0], isOfLedger: (c: Context) => boolean): Api {
    const { app } = this;
    const server = this.#server;
    const noRoute = (c: Context): never => {
      throw new Problem(404, `no such route: ${c.req.method} ${c.req.path}`);
    };
    const answerNoRoute = this.#entered(null, (c, next) =>
      behind(checksOf(c.req.path.replace(PREFIX, '')), noRoute)(c, next),
    );
    app.notFound((c) => answerNoRoute(c, async () => undefined));
    app.onError((error, c) => this.#answerError(error, c, isOfLedger));
    app.fetch = observed(server, withOffset(server, crossOrigin(server, app.fetch)));
    return app;
  }

  #entered(route: string | null, then: Handler): Handler {
    const { faults } = this.#server;
    const isLedger = route !== null && this.#ofLedger.has(route);
    return (c, next) => {
      seenOf(c).route = route;
      return faults.isActive ? faults.around(c, then, next, isLedger) : then(c, next);
    };
  }

  /** Source: specification of the API §0.5, §8.2. */
  #answerError(error: Error, c: Context, isOfLedger: (c: Context) => boolean): Response {
    const isLedger = this.#ofLedger.has(routeOf(c)) || isOfLedger(c);
    const problem = problemOf(error);
    if (!problem) this.#server.onFault(`${c.req.method} ${routeOf(c)}`, error);
    if (problem && this.#server.config.dev) this.#server.refusals.note(c, problem, this.#server.host.now());
    const answered = problem ?? new Problem(500, 'internal error; the server has logged it');
    const { message, details, status, headers } = answered;
    const body = isLedger ? cantonErrorOf(answered) : { error: message, ...details };
    return c.json(body, status, headers);
  }
}

function hasBegin(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'beginExclusive' in body;
  } catch {
    return false;
  }
}

async function inTurn(handlers: readonly Handler[], c: Context, next: Next): Promise<void> {
  const [first, ...others] = handlers;
  if (!first) return next();
  const response: unknown = await first(c, () => inTurn(others, c, next));
  if (response instanceof Response) c.res = response;
}

function problemOf(error: Error): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException) {
    // Cast: Hono throws only the statuses of refused requests.
    const status = error.status as ProblemStatus;
    return new Problem(status, error.message || 'the request is malformed');
  }
  if (error instanceof HostUnavailable) return new Problem(503, error.message);
  return isDamage(error) ? new Problem(500, error.message) : null;
}
