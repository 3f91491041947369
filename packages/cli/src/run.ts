import type { Command } from 'commander';
import { EXIT, type ExitCode } from './exit-code.js';
import { exitCodeOf, refuseUnknownCommand } from './parsing.js';
import type { Terminal } from './terminal.js';

/**
 * Runs a command with its arguments (without the interpreter and the script): at once, after waiting for a disk, or until it is told to
 * stop. Never rejects: the exit code says how it went. What a command does not need is not loaded.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await (await programWith(args, terminal)).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    return exitCodeOf(error, terminal);
  }
}

async function programWith(args: readonly string[], terminal: Terminal): Promise<Command> {
  if (args[0] === 'serve') return (await import('./serve/serve-program.js')).serveProgramFor(terminal);
  const program = (await import('./program.js')).programFor(terminal);
  refuseUnknownCommand(args, program);
  return program;
}
