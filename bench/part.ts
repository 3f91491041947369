import { spawnSync } from 'node:child_process';

/**
 * Runs a part of this program in a process of its own, so that neither the memory nor the compiled code of another part affects it. Returns
 * what the part printed as JSON.
 * @param flags further flags of Node
 */
export function inProcess<Found>(name: string, flags: readonly string[] = []): Found {
  const [program = '', ...args] = process.argv.slice(1);
  const { stdout, status } = spawnSync(
    process.execPath,
    [...process.execArgv, ...flags, program, '--part', name, ...args],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
  // Cast: the part is of this program.
  return JSON.parse(stdout) as Found;
}

/** Returns the part that this process is to run; undefined in the process that runs all. */
export function partOf(args: readonly string[]): string | undefined {
  const at = args.indexOf('--part');
  return at < 0 ? undefined : args[at + 1];
}
