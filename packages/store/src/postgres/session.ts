import { Socket } from 'node:net';
import type pg from 'pg';
import { loadPg } from './load-pg.js';

/** The connection failed during a statement, or the server did not answer in time: the statement may have been executed. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** A failed statement without effect: the database answered with an error. */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed';
}

/** How to connect to a database, and what to do with each connection. */
export interface SessionOptions {
  readonly connection: string;
  /** Statements of each new connection. */
  readonly setUp: string;
  readonly onNotification?: () => void;
}

/** Enough for a busy database to create tables or to return a page of records. */
const TIMEOUT_MILLIS = 30_000;

export type Row = Readonly<Record<string, unknown>>;

interface Open {
  readonly client: pg.Client;
  readonly socket: Socket;
}

/** One connection at a time to a database, opened again after a failure. Statements execute in the order of their calls. */
export class Session {
  /** Milliseconds after which a silent server counts as gone. */
  timeoutMillis: number = TIMEOUT_MILLIS;
  readonly #options: SessionOptions;
  #open: Promise<Open> | null = null;
  #closed = false;
  #losses = 0;
  /** The driver executes one statement at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /**
   * Executes a statement after all earlier ones. Throws {@link StatementFailed} or {@link ConnectionLost}; a lost connection also fails the
   * statements that wait.
   */
  query(text: string, values: readonly unknown[] = [], name?: string): Promise<readonly Row[]> {
    const losses = this.#losses;
    const answer = this.#last.then(() => {
      if (losses !== this.#losses) throw new ConnectionLost('the connection was lost during an earlier statement');
      return this.#execute(text, values, name);
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #execute(text: string, values: readonly unknown[], name: string | undefined): Promise<readonly Row[]> {
    if (this.#closed) throw new ConnectionLost('the connection is closed');
    const opening = (this.#open ??= this.#connected());
    try {
      const { client } = await opening;
      const config = {
        text,
        values: [...values],
        query_timeout: this.timeoutMillis,
        ...(name !== undefined && { name }),
      };
      return (await client.query<Record<string, unknown>>(config)).rows;
    } catch (error) {
      if (isRefusal(error)) throw new StatementFailed(messageOf(error));
      this.#losses += 1;
      if (this.#open === opening) this.#open = null;
      opening.then(({ socket }) => socket.destroy()).catch(() => undefined);
      throw error instanceof Error && error.name === 'MissingDriver' ? error : new ConnectionLost(messageOf(error));
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const open = await this.#open?.catch(() => null);
    open?.socket.destroy();
  }

  async #connected(): Promise<Open> {
    const { connection, setUp, onNotification } = this.#options;
    const driver = await loadPg();
    // A socket of our own: the driver's `end` waits for a server that may be silent.
    const socket = new Socket();
    const client = new driver.Client({
      connectionString: connection,
      stream: () => socket,
      connectionTimeoutMillis: this.timeoutMillis,
      query_timeout: this.timeoutMillis,
      application_name: 'coinlab',
    });
    // Without a listener, a lost idle connection would end the process. The next statement reports it.
    client.on('error', () => undefined);
    client.on('end', () => {
      this.#open = null;
    });
    if (onNotification) client.on('notification', onNotification);
    try {
      await client.connect();
      if (setUp !== '') await client.query(setUp);
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return { client, socket };
  }
}

/** Errors of the severity FATAL end the connection, so the effect of a statement is unknown. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
