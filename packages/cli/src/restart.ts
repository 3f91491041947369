import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ExitCode, RunsFailed } from './exit-code.js';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs this program again, in a process with flags of Node, and returns its exit code. Flags of a heap have no effect once a process has
 * begun.
 */
export async function restartWith(flags: readonly string[]): Promise<ExitCode> {
  const child = spawn(process.execPath, [...process.execArgv, ...flags, ...process.argv.slice(1)], {
    stdio: 'inherit',
    // A group of its own, so that a signal of the terminal reaches it once, from here.
    detached: process.platform !== 'win32',
  });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  // Cast: the types of the event.
  const [code, signal] = (await once(child, 'exit')) as [ExitCode | null, NodeJS.Signals | null];
  for (const each of SIGNALS) process.off(each, pass);
  if (code !== null) return code;
  // As if there was one process: it ends by the same signal.
  if (SIGNALS.some((each) => each === signal)) process.kill(process.pid, signal ?? 'SIGTERM');
  throw new RunsFailed(
    `${signal} ended the run${signal === 'SIGKILL' ? '; the system does so if it lacks memory' : ''}`,
  );
}
