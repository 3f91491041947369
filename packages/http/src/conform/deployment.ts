import { SignJWT } from 'jose';

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A deployment of the wallet and registry routes, which `conform` uses through its public routes only. */
export interface Deployment {
  /** Sends a request: `server.app.request` in process, or a `fetch` with the base URL. */
  readonly send: (path: string, init: Sent) => Response | Promise<Response>;
  /** Returns the bearer token of a user; null: no tokens are available. */
  readonly tokenOf: ((user: string) => Promise<string>) | null;
  /** Five existing users: four parties and the one that funds them; null: new users for every run. */
  readonly users: readonly string[] | null;
  /** Time of the ledger in milliseconds since 1970, and a wait until it has passed; default: the machine's. */
  readonly clock?: LedgerTime;
}

/** The clock of a deployment, in milliseconds. */
export interface LedgerTime {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

const MACHINE_TIME: LedgerTime = {
  now: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

export interface Reply {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

/** The deployment does not answer, or lacks what the check needs. The message names it. */
export class Unreachable extends Error {}

export class ServerFault extends Error {}

const BUSY = new Set([429, 503]);
const ATTEMPTS = 6;

export class Connection {
  readonly deployment: Deployment;
  readonly #signal: AbortSignal | undefined;
  requests = 0;
  lost: Unreachable | null = null;

  constructor(deployment: Deployment, signal?: AbortSignal) {
    this.deployment = deployment;
    this.#signal = signal;
  }

  get time(): LedgerTime {
    return this.deployment.clock ?? MACHINE_TIME;
  }

  async send(path: string, init: Sent): Promise<Response> {
    if (this.#signal?.aborted) this.lost ??= new Unreachable('the check was stopped');
    if (this.lost) throw this.lost;
    this.requests += 1;
    try {
      return await this.deployment.send(path, init);
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
      throw (this.lost ??= new Unreachable(`no answer to ${init.method} ${path}: ${reason}`));
    }
  }
}

export class Client {
  readonly #connection: Connection;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(connection: Connection, token: string | null) {
    this.#connection = connection;
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    this.#headers = { 'content-type': 'application/json', ...authorization };
  }

  get(path: string): Promise<Reply> {
    return this.#sent(path, { method: 'GET', headers: this.#headers });
  }

  post(path: string, body: object = {}, attempts: number = ATTEMPTS): Promise<Reply> {
    return this.#sent(path, { method: 'POST', headers: this.#headers, body: JSON.stringify(body) }, attempts);
  }

  async #sent(path: string, init: Sent, attempts: number = ATTEMPTS): Promise<Reply> {
    const request = `${init.method} ${path}`;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#connection.send(path, init);
      const { status } = answer;
      const text = await answer.text();
      if (BUSY.has(status) && attempt < attempts) {
        await MACHINE_TIME.wait(50 * 2 ** attempt);
        continue;
      }
      if (status >= 500 && !BUSY.has(status))
        throw new ServerFault(`${request} answered ${status}: ${text.slice(0, 200)}`);
      return { status, json: jsonOf(text, request, status) };
    }
  }
}

/** A refusal may have a body in another format. */
function jsonOf(text: string, request: string, status: number): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text);
    // Cast: an object that is no array has string keys.
    if (typeof json === 'object' && json !== null) return json as Readonly<Record<string, unknown>>;
  } catch {
    // Below.
  }
  if (status < 400)
    throw new ServerFault(`${request} answered ${status} with a body that is no JSON object: ${text.slice(0, 200)}`);
  return { error: text };
}

/** Returns a signer of HS256 tokens, as LocalNet and coinlab accept them. */
export function tokensSignedWith(secret: string, audience: string): (user: string) => Promise<string> {
  const key = new TextEncoder().encode(secret);
  return (user) =>
    new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setSubject(user).setAudience(audience).sign(key);
}
