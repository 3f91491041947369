import type { Route } from '../routes.ts';
import type { OddRequest } from './requests.ts';
import type { Answer } from './wire.ts';

const DEV_PATH = /^(\/api\/(scan|validator))?\/dev\//;
const PAST_PATH = /^(\/api\/(scan|validator))?\/dev\/at\/./;

/** Statuses that any route may return before it is matched. */
const BEFORE_ROUTES: readonly number[] = [413, 431];

/**
 * Returns the fault of a response, or null: the route must declare its status and media type, an error must be `{error}` unless the
 * route declares another error body or the path is one of the ledger API, and the status must not be a server error.
 */
export function faultOf({ method, path: sent }: OddRequest, answer: Answer, routes: readonly Route[]): string | null {
  const { status, mediaType, text } = answer;
  // The server reads /../api/ledger as /api/ledger.
  const path = decoded(new URL(`http://server${sent}`).pathname);
  if (method === 'HEAD') return status >= 500 ? `answers ${status}` : null;
  // Below a past moment other methods are refused as a write by POST is.
  const route = routeOf(method, path, routes) ?? (PAST_PATH.test(path) ? routeOf('POST', path, routes) : undefined);
  // Query and body of POST /v2/updates decide whether scan or the ledger API answers, and the document describes scan.
  const other = path === '/v2/updates' ? routeOf(method, '/v2/updates/flats', routes) : undefined;
  const declared = (route?.answers[status] ?? other?.answers[status])?.content;
  // A declared 501 is not a failure.
  if (status >= 500 && (status !== 501 || !declared)) return `answers ${status}: ${text}`;
  if (declared && !(mediaType in declared)) return `answers ${status} as ${mediaType}, which it does not declare`;
  const body = mediaType === 'application/json' ? parsed(text) : null;
  if (mediaType === 'application/json' && body === undefined) return `answers no JSON: ${text.slice(0, 200)}`;
  if (status < 400) return declared ? null : `answers ${status}, which nothing declares`;
  const isOfLedger = other !== undefined || (!route && path.startsWith('/api/ledger/'));
  // A refusal before the route is matched looks like the others of the route.
  const errors = declared ?? route?.answers[400]?.content;
  const isOwn = isOfLedger || (errors && !/schemas\/ErrorResponse"/.test(JSON.stringify(errors)));
  if (!isOwn && !isError(body)) return `is refused by something other than {error}: ${text.slice(0, 200)}`;
  if (declared || BEFORE_ROUTES.includes(status) || (!route && status === 404)) return null;
  // Access, and the content type of a body for /dev, are checked before the route is matched.
  if (!route && (status === 401 || status === 403 || (status === 415 && DEV_PATH.test(path)))) return null;
  return `answers ${status}, which ${route ? `${route.method} ${route.path}` : 'nothing'} declares: ${text.slice(0, 200)}`;
}

/** Matches a path to a route; a fixed path precedes one with parameters. */
function routeOf(method: string, whole: string, routes: readonly Route[]): Route | undefined {
  const plain = whole.replace(/^\/api\/(scan|validator)(?=\/)/, '');
  const fits = routes.filter((route) => {
    // A path that begins with /api has no other prefix.
    const path = route.path.startsWith('/api/') ? whole : plain;
    return route.method === method && patternOf(route).test(path);
  });
  return fits.find((route) => !route.path.includes('{')) ?? fits[0];
}

const PATTERNS = new Map<string, RegExp>();

function patternOf({ path }: Route): RegExp {
  const known = PATTERNS.get(path);
  if (known) return known;
  const pattern = new RegExp(`^${path.replace('{path}', '.+').replaceAll(/\{[\w-]+\}/g, '[^/]+')}$`, 's');
  PATTERNS.set(path, pattern);
  return pattern;
}

/** Decodes percent-encoded letters, but not `%2f`. */
function decoded(pathname: string): string {
  return pathname.replaceAll(/%[0-9a-f]{2}/gi, (digits) => {
    const letter = String.fromCharCode(Number.parseInt(digits.slice(1), 16));
    return /[\w.~-]/.test(letter) ? letter : digits;
  });
}

function isError(body: unknown): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    Object.keys(body).join() === 'error' &&
    typeof (body as { readonly error: unknown }).error === 'string'
  );
}

/** Undefined for malformed JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
