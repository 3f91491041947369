import type { Context } from 'hono';
import type { Configured } from '../config.js';
import { Problem } from '../problem.js';
import { seenOf } from '../request.js';
import { allowedHosts } from './allowed-hosts.js';
import type { Check } from './gate.js';

type Settings = Configured<'allowedHosts' | 'auth' | 'host'>;

/**
 * `/dev` needs no token. `Host` must be an allowed name, against DNS rebinding; and the request must not be cross-site, because a
 * page can post without reading the response.
 */
export function requireOwnPage({ config }: Settings): Check {
  const isAllowed = allowedHosts(config);
  return (c) => {
    requireHost(c, isAllowed);
    const origin = headerOf(c, 'origin');
    if (headerOf(c, 'sec-fetch-site') === 'cross-site' || (origin !== undefined && !isAllowed(hostOf(origin))))
      throw new Problem(403, 'pages of other sites may not call /dev');
  };
}

/** With the default secret, every page could sign tokens. */
export function requireOwnPageForKnownSecret({ config }: Settings): Check {
  const { auth } = config;
  const isKnown = auth.algorithm === 'hs-256-unsafe' && auth.secret === 'unsafe';
  const isAllowed = allowedHosts(config);
  return (c) => {
    if (isKnown && headerOf(c, 'origin') !== undefined) requireHost(c, isAllowed);
  };
}

/**
 * A browser sends JSON to another origin only with the server's permission. Requests in this process come from no browser.
 */
export function requireJsonType(c: Context): void {
  const { incoming } = seenOf(c);
  if (!incoming) return;
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
  const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
  if (hasBody && !/^application\/json\s*(;|$)/i.test(type ?? ''))
    throw new Problem(415, 'a body for /dev needs Content-Type: application/json; with curl: --json instead of -d');
}

function requireHost(c: Context, isAllowed: (host: string) => boolean): void {
  const host = headerOf(c, 'host');
  if (host !== undefined && !isAllowed(host))
    throw new Problem(403, `Host ${host} is not allowed; add its name to the setting allowedHosts`);
}

function headerOf(c: Context, name: 'host' | 'origin' | 'sec-fetch-site'): string | undefined {
  const { incoming } = seenOf(c);
  if (!incoming) return c.req.header(name);
  const value = incoming.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** `null` and malformed origins give an empty text, which no list contains. */
function hostOf(origin: string): string {
  return /^https?:\/\/([^/]+)$/.exec(origin)?.[1] ?? '';
}
