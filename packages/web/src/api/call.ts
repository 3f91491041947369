export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Relative to the address of the page, without a slash before it. */
  readonly path: string;
  readonly body?: unknown;
  readonly token: string | null;
  /** The answer is the same at every offset. */
  readonly isOfServer?: true;
}

export interface Problem {
  readonly kind: 'refused' | 'unauthorised' | 'absent' | 'failed' | 'unreachable' | 'slow';
  readonly status: number | null;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export type Answer<Body> =
  { readonly ok: true; readonly body: Body; readonly text: string } | { readonly ok: false; readonly problem: Problem };

export function get(path: string, token: string | null = null): Call {
  return { method: 'GET', path, token };
}

export function post(path: string, body: unknown, token: string | null = null): Call {
  return { method: 'POST', path, body, token };
}

export function control(method: Call['method'], path: string, body?: unknown): Call {
  return { method, path: `dev/${path}`, token: null, isOfServer: true, ...(body === undefined ? {} : { body }) };
}

/** A longer wait ends as a problem, so that no view shows a spinner without an end. */
const LONGEST_MILLIS = 20_000;

export async function send<Body>(call: Call, moment: number | null, gone?: AbortSignal): Promise<Answer<Body>> {
  const deadline = AbortSignal.timeout(LONGEST_MILLIS);
  try {
    const response = await fetch(pathAt(call.path, call.isOfServer ? null : moment), {
      method: call.method,
      headers: headersOf(call),
      signal: gone ? AbortSignal.any([gone, deadline]) : deadline,
      cache: 'no-store',
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    const text = await response.text();
    // Cast: the caller names the shape that the API documents for this path.
    if (response.ok) return { ok: true, body: (text === '' ? {} : JSON.parse(text)) as Body, text };
    return { ok: false, problem: problemOf(response.status, text) };
  } catch (error) {
    return { ok: false, problem: noAnswer(error, deadline.aborted) };
  }
}

/** Every API also answers under `dev/at/OFFSET`, as of that offset. */
export function pathAt(path: string, moment: number | null): string {
  return moment === null ? path : `dev/at/${moment}/${path}`;
}

function headersOf({ body, token }: Call): Record<string, string> {
  return {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  };
}

const KINDS: Readonly<Record<number, Problem['kind']>> = { 401: 'unauthorised', 403: 'unauthorised', 404: 'absent' };

function problemOf(status: number, text: string): Problem {
  const kind = KINDS[status] ?? (status >= 500 ? 'failed' : 'refused');
  const { error, cause, ...details } = recordIn(text);
  // The JSON Ledger API explains itself in `cause`, all others in `error`.
  const message = [cause, error].find((one) => typeof one === 'string');
  return { kind, status, message: typeof message === 'string' ? message : `the server answered ${status}`, details };
}

function recordIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function noAnswer(error: unknown, isSlow: boolean): Problem {
  const kind = isSlow ? 'slow' : 'unreachable';
  const message = isSlow
    ? `the server has not answered for ${LONGEST_MILLIS / 1000} seconds`
    : `the server cannot be reached (${error instanceof Error ? error.message : String(error)})`;
  return { kind, status: null, message, details: {} };
}
