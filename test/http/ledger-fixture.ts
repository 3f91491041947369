import { createServer, type CoinlabServer, type ServerOptions, type ServerPorts } from '@coinlab/http';
import { expect } from 'vitest';
import { askDeclared } from './declared.ts';

/*
 * A server and requests to its ledger API, each with an answer that the route declares:
 *
 *   const ledger = await ledgerServer();
 *   await ledger.done('POST', '/v2/users', { user: { id: 'ann' } });             // as the operator; the body of the answer
 *   await ledger.refused(404, 'USER_NOT_FOUND', 'GET', '/v2/users/missing');       // the body of the error
 *   await ledger.as('ann').ask('GET', '/v2/authenticated-user');                  // status and body
 */

export const OPERATOR = 'ledger-api-user';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export type Body = Readonly<Record<string, unknown>>;

export class LedgerCaller {
  readonly server: CoinlabServer;
  readonly #user: string;

  constructor(server: CoinlabServer, user: string = OPERATOR) {
    this.server = server;
    this.#user = user;
  }

  as(user: string): LedgerCaller {
    return new LedgerCaller(this.server, user);
  }

  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { authorization: `Bearer ${await this.server.token(this.#user)}` };
    const content = body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body);
    return askDeclared(this.server, path, { method, headers, ...(body === undefined ? {} : { body: content }) });
  }

  async done(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.ask(method, path, body);
    expect(answer, `${method} ${path}`).toMatchObject({ status: 200 });
    return answer.body as Body;
  }

  async refused(status: number, code: string, method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.ask(method, path, body);
    expect(answer, `${method} ${path}`).toMatchObject({ status, body: { code } });
    return answer.body as Body;
  }
}

export async function ledgerServer(options: ServerOptions = {}, ports: ServerPorts = {}): Promise<LedgerCaller> {
  return new LedgerCaller(await createServer({ clock: 'manual', ...options }, ports));
}
