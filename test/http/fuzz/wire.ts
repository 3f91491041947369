import { Agent, request as ask } from 'node:http';
import type { OddRequest } from './requests.ts';

export interface Answer {
  readonly status: number;
  readonly mediaType: string;
  readonly text: string;
}

/** Sends requests unchanged to a local port. `fetch` would normalise them. */
export class Wire {
  readonly #agent: Agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  send({ method, path, headers: own, body }: OddRequest): Promise<Answer> {
    // Node sends no length for methods that usually have no body.
    const headers = body === null ? own : { ...own, 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const sent = ask(
        { host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path, headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const mediaType = response.headers['content-type']?.split(';')[0] ?? '';
            resolve({ status: response.statusCode ?? 0, mediaType, text: Buffer.concat(chunks).toString() });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body ?? undefined);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
