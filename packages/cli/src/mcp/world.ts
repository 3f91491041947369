import { createServer, type CoinlabServer, type ServerOptions } from '@coinlab/http';

export class World {
  #server: Promise<CoinlabServer> | null = null;

  async start(settings: ServerOptions): Promise<CoinlabServer> {
    const started = await createServer({ dev: true, clock: 'manual', ...settings });
    await this.close();
    this.#server = Promise.resolve(started);
    return started;
  }

  get server(): Promise<CoinlabServer> {
    return (this.#server ??= createServer({ dev: true, clock: 'manual' }));
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await (await server)?.close();
  }
}

interface Request {
  readonly user?: string | undefined;
  readonly body?: object | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export async function ask(
  server: CoinlabServer,
  method: string,
  path: string,
  { user, body }: Request = {},
): Promise<Answer> {
  const headers = {
    ...(user !== undefined && { authorization: `Bearer ${await server.token(user)}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const answer = await server.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  return { status: answer.status, body: isJson ? await answer.json() : await answer.text() };
}
