/**
 * The coinlab program: parses flags, asks the simulation, prints.
 * @module
 */
import { CommanderError, type Command } from 'commander';
import { BadInput, EXIT, type ExitCode } from './exit-code.js';
import { programFor } from './program.js';
import type { Terminal } from './terminal.js';

export { EXIT, type ExitCode } from './exit-code.js';
export type { Terminal } from './terminal.js';

/** Runs a command that is done at once, with its arguments (without the interpreter and the script). Never throws: the exit code says how it went. */
export function main(args: readonly string[], terminal: Terminal): ExitCode {
  try {
    programWith(args, terminal).parse(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    return exitCodeOf(error, terminal);
  }
}

/** As {@link main}, of any command: also those that wait for a disk, or go on until they are told to stop. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await programWith(args, terminal).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    return exitCodeOf(error, terminal);
  }
}

function programWith(args: readonly string[], terminal: Terminal): Command {
  const program = programFor(terminal);
  refuseUnknownCommand(
    args,
    program.commands.map((command) => command.name()),
  );
  return program;
}

function exitCodeOf(error: unknown, terminal: Terminal): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
  terminal.err(`coinlab: ${described(error)}\n`);
  return error instanceof BadInput ? EXIT.badInput : EXIT.failed;
}

/** The default command takes no arguments, so a word that is no command would get a puzzling answer. */
function refuseUnknownCommand(args: readonly string[], known: readonly string[]): void {
  const [first] = args;
  if (first === undefined || first.startsWith('-') || first === 'help' || known.includes(first)) return;
  throw new BadInput(
    `unknown command '${first}'; known are ${known.join(', ')}. To replay a file: coinlab replay ${first}`,
  );
}

/** What the user or the system did wrong needs no more than its message; a mistake of ours shows where it happened. */
function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof BadInput || 'code' in error ? error.message : (error.stack ?? error.message);
}
