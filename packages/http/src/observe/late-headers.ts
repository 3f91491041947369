import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * A response whose late headers are added when its head is written. After `setHeader` Node stores all headers of a response one by one,
 * which takes it several microseconds.
 */
export class ResponseWithLateHeaders<Asked extends IncomingMessage = IncomingMessage> extends ServerResponse<Asked> {
  readonly #late: OutgoingHttpHeaders = {};

  /** Replaces a header of the same name that `writeHead` receives. */
  setLateHeader(name: string, value: string): void {
    this.#late[name] = value;
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    const isShort = headers === undefined && typeof reason !== 'string' && !Array.isArray(reason);
    if (isShort) return super.writeHead(status, Object.assign({}, reason, this.#late));
    for (const name in this.#late) this.setHeader(name, String(this.#late[name]));
    return typeof reason === 'string' ? super.writeHead(status, reason, headers) : super.writeHead(status, reason);
  }
}

/** Sets a header of a response that has not begun. */
export function setHeader(response: ServerResponse, name: string, value: string): void {
  if (response instanceof ResponseWithLateHeaders) response.setLateHeader(name, value);
  else response.setHeader(name, value);
}
