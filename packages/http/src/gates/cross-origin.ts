import { getPath } from 'hono/utils/url';
import type { Configured } from '../config.js';
import { type Api, type Seen, soon } from '../request.js';
import { allowedOrigins } from './allowed-hosts.js';

/** Methods, exposed headers and age as the network's validator and scan apps send them; X-Request-Id and the last two are ours. */
const METHODS = 'GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS';
const EXPOSED = 'traceparent, X-Request-Id, Deprecation, WWW-Authenticate';
const MAX_AGE_SECONDS = 1_800;

/** Clients may send the path within a fork as one segment, with `%2F`. */
const OF_DEV = /^(\/api\/(scan|validator|ledger)|\/fork\/[^/]+)*\/dev(\/|$)/;

/** Preflights of unknown routes are answered, too. Assumption: A-120. */
export function crossOrigin({ config }: Configured<'corsOrigins'>, answer: Api['fetch']): Api['fetch'] {
  const isAllowed = allowedOrigins(config);
  return (request, env, executionCtx) => {
    // Cast: `observed` gives every request this environment; Hono leaves its type open.
    const { incoming, outgoing } = env as Seen;
    const header = (name: string): string | null => {
      const value = incoming ? incoming.headers[name] : request.headers.get(name);
      return typeof value === 'string' ? value : null;
    };
    const origin = header('origin');
    if (origin === null) return answer(request, env, executionCtx);
    const mayCall = !OF_DEV.test(getPath(request).replaceAll(/%2f/gi, '/')) && isAllowed(origin);
    if (request.method === 'OPTIONS' && header('access-control-request-method') !== null)
      return preflight(mayCall ? origin : null, header('access-control-request-headers'));
    return soon(answer(request, env, executionCtx), (response) => {
      if (!mayCall) return response;
      const headers = { ...grantTo(origin), 'Access-Control-Expose-Headers': EXPOSED };
      for (const [name, value] of Object.entries(headers))
        // On a socket, set the headers on Node's response: web headers would be created for them alone.
        if (outgoing) outgoing.setHeader(name, value);
        else response.headers.set(name, value);
      return response;
    });
  };
}

function preflight(origin: string | null, requested: string | null): Response {
  if (origin === null)
    return Response.json(
      { error: 'pages of this origin may not call this route; the setting corsOrigins allows all routes except /dev' },
      { status: 403 },
    );
  return new Response(null, {
    headers: {
      ...grantTo(origin),
      'Access-Control-Allow-Methods': METHODS,
      ...(requested !== null && { 'Access-Control-Allow-Headers': requested }),
      'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
    },
  });
}

function grantTo(origin: string): Readonly<Record<string, string>> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    Vary: 'Origin',
  };
}
