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
    const given = typeof reason === 'string' ? headers : reason;
    if (Array.isArray(given)) for (const name in this.#late) this.setHeader(name, String(this.#late[name]));
    const all = Array.isArray(given) ? given : Object.assign({}, given, this.#late);
    return typeof reason === 'string' ? super.writeHead(status, reason, all) : super.writeHead(status, all);
  }
}

/** Sets a header of a response that has not begun. */
export function setHeader(response: ServerResponse, name: string, value: string): void {
  if (response instanceof ResponseWithLateHeaders) response.setLateHeader(name, value);
  else response.setHeader(name, value);
}
