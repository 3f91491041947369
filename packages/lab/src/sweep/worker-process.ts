import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Assignment, Orders, Outcome } from './play.js';
import type { Answer, Told } from './worker.js';

/**
 * A run makes garbage all the time. A larger young generation (in MiB) lets more of it die before a collection. Threads that
 * help with collections would wait for processors that other workers use.
 */
const HEAP_FLAGS: readonly string[] = ['--min-semi-space-size=32', '--max-semi-space-size=32', '--single-threaded-gc'];

export class WorkerProcess {
  readonly #orders: Orders;
  #child: ChildProcess | null = null;

  constructor(orders: Orders) {
    this.#orders = orders;
  }

  async play(assignments: readonly Assignment[], signal: AbortSignal): Promise<readonly Outcome[]> {
    signal.throwIfAborted();
    const child = (this.#child ??= this.#started());
    const heard = new AbortController();
    try {
      const answered = once(child, 'message', { signal: heard.signal });
      const ended = once(child, 'exit', { signal: heard.signal }).then(([code, name]: readonly unknown[]) => {
        this.#child = null;
        return { error: `a worker ended with ${String(name ?? code)}` };
      });
      const stopped = once(signal, 'abort', { signal: heard.signal });
      tell(child, { assignments });
      // The worker is our own program.
      const answer = answered.then(([message]) => message as Answer);
      const first = await Promise.race([answer, ended, stopped.then(() => ({ error: 'stopped' }))]);
      signal.throwIfAborted();
      if ('error' in first) throw new Error(first.error);
      return first.outcomes;
    } finally {
      heard.abort();
    }
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }

  #started(): ChildProcess {
    // From sources the worker is TypeScript, which the forked process needs a loader for.
    const isSource = import.meta.url.endsWith('.ts');
    const program = new URL(isSource ? 'worker-from-sources.mjs' : 'worker.js', import.meta.url);
    const child = fork(fileURLToPath(program), [], {
      // Structured clone instead of JSON: orders contain bigints and maps.
      serialization: 'advanced',
      execArgv: [...HEAP_FLAGS, ...(isSource ? ['--conditions=source'] : process.execArgv)],
    });
    tell(child, { orders: this.#orders });
    return child;
  }
}

/** Sending to an ended process fails silently; its exit event is handled elsewhere. */
function tell(child: ChildProcess, told: Told): void {
  child.send(told, () => undefined);
}
