import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Result } from '@coinlab/core';
import type { Grown, LogFilesOptions, LogWriter, Standing } from './log-files.js';
import type { StoreRefusal } from './port.js';

/** What the thread is asked for: to append updates as JSON, one a line, which is one text to hand over and not many. */
export type Asked = { readonly expected: number; readonly lines: string } | 'close';

/** What it answers. */
export type Answered = Result<Grown, StoreRefusal> | 'closed';

/**
 * Log files that are written by a thread of their own. A group takes three syncs one after the other: there, none of them waits until
 * this thread, which may be busy with requests, has a turn for it.
 */
export class LogThread implements LogWriter {
  readonly #worker: Worker;
  #standing: Standing;
  /** Who waits for an answer, in the order of what was asked. */
  #waiting: ((answer: Answered) => void)[] = [];
  /** Why the thread is no more. */
  #ended: string | null = null;

  /** @param address see {@link threadAddress} */
  constructor(address: URL, options: LogFilesOptions) {
    this.#standing = options.standing;
    this.#worker = new Worker(address, { workerData: options });
    this.#worker.on('message', (answer: Answered) => this.#answer(answer));
    this.#worker.on('error', ({ message }) => this.#end(message));
    this.#worker.on('exit', (code) => this.#end(`exit code ${code}`));
    // Nobody has to close a log for the program to end.
    this.#worker.unref();
  }

  get standing(): Standing {
    return this.#standing;
  }

  async append(expected: number, jsons: readonly string[]): Promise<Result<Grown, StoreRefusal>> {
    const answer = await this.#ask({ expected, lines: jsons.join('\n') });
    if (answer === 'closed') throw new Error('the thread of the log did not answer what it was asked');
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
    // What was asked keeps the program alive until it is answered.
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

  /** Nobody knows what it has written: as after a sync that failed. */
  #end(why: string): void {
    this.#ended ??= why;
    while (this.#waiting.length > 0) this.#answer(endedAnswer(this.#ended));
  }
}

function endedAnswer(why: string): Answered {
  return { ok: false, error: { code: 'STOPPED', reason: `the thread of the log ended: ${why}` } };
}

/** Where the program of the thread is: beside this one once it was built; null where it runs from its sources. */
export function threadAddress(): URL | null {
  const [extension = ''] = /\.m?js$/.exec(import.meta.url) ?? [];
  const address = new URL(`./log-thread-program${extension}`, import.meta.url);
  return extension !== '' && existsSync(fileURLToPath(address)) ? address : null;
}
