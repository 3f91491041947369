import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Result } from '@coinlab/core';
import type { Grown, LogFilesOptions, LogWriter, Standing } from './log-files.js';
import type { StoreRefusal } from './port.js';

/** The updates are JSON lines in one string, because one string is cheaper to transfer than many. */
export type Asked = { readonly expected: number; readonly lines: string } | 'close';

export type Answered = Result<Grown, StoreRefusal> | 'closed';

/** A group needs three consecutive syncs; in the thread they do not wait for the main thread's event loop. */
export class LogThread implements LogWriter {
  readonly #worker: Worker;
  #standing: Standing;
  #waiting: ((answer: Answered) => void)[] = [];
  #ended: string | null = null;

  constructor(address: URL, options: LogFilesOptions) {
    this.#standing = options.standing;
    this.#worker = new Worker(address, { workerData: options });
    this.#worker.on('message', (answer: Answered) => this.#answer(answer));
    this.#worker.on('error', ({ message }) => this.#end(message));
    this.#worker.on('exit', (code) => this.#end(`exit code ${code}`));
    // An open log must not keep the program alive.
    this.#worker.unref();
  }

  get standing(): Standing {
    return this.#standing;
  }

  async append(expected: number, jsons: readonly string[]): Promise<Result<Grown, StoreRefusal>> {
    const answer = await this.#ask({ expected, lines: jsons.join('\n') });
    if (answer === 'closed') throw new Error('the thread of the log answered another request');
    if (answer.ok) {
      const { head, segment, end } = answer.value;
      this.#standing = { head, segment, end };
    }
    return answer;
  }

  async close(): Promise<void> {
    if (this.#ended === null) await this.#ask('close');
    await this.#worker.terminate();
  }

  #ask(asked: Asked): Promise<Answered> {
    if (this.#ended !== null) return Promise.resolve(endedAnswer(this.#ended));
    // A pending request keeps the program alive until it is answered.
    if (this.#waiting.length === 0) this.#worker.ref();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#worker.postMessage(asked);
    });
  }

  #answer(answer: Answered): void {
    const resolve = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    resolve?.(answer);
  }

  /** As after a failed sync, it is unknown whether the pending writes reached the disk. */
  #end(why: string): void {
    this.#ended ??= why;
    while (this.#waiting.length > 0) this.#answer(endedAnswer(this.#ended));
  }
}

function endedAnswer(why: string): Answered {
  return { ok: false, error: { code: 'STOPPED', reason: `the thread of the log ended: ${why}` } };
}

export function threadAddress(): URL | null {
  const [extension = ''] = /\.m?js$/.exec(import.meta.url) ?? [];
  const address = new URL(`./log-thread-program${extension}`, import.meta.url);
  return extension !== '' && existsSync(fileURLToPath(address)) ? address : null;
}
