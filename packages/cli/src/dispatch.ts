import { type Command, CommanderError } from 'commander';
import { BadInput, Differs, EXIT, type ExitCode, Stopped, ThresholdMissed } from './exit-code.js';
import { escaping, type Terminal } from './terminal.js';

/**
 * Runs a command with its arguments (without the interpreter and the script): at once, after waiting for a disk, or until it is told to
 * stop. Never rejects: the exit code says how it went. What a command does not need is not loaded.
 */
export async function run(args: readonly string[], given: Terminal): Promise<ExitCode> {
  const terminal = escaping(given);
  try {
    await (await programWith(args, terminal)).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    return exitCodeOf(error, terminal);
  }
}

async function programWith(args: readonly string[], terminal: Terminal): Promise<Command> {
  if (args[0] === 'serve') return (await import('./serve/program.js')).serveProgramFor(terminal);
  const program = (await import('./program.js')).programFor(terminal);
  refuseUnknownCommand(args, program);
  return program;
}

/** How a command went that ended with an error; tells the user why. */
export function exitCodeOf(error: unknown, terminal: Terminal): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
  terminal.err(`coinlab: ${described(error)}\n`);
  if (error instanceof ThresholdMissed) return EXIT.threshold;
  if (error instanceof Stopped) return EXIT.stopped;
  return error instanceof BadInput ? EXIT.badInput : EXIT.failed;
}

/** The default command takes no arguments, so a word that is no command would get a puzzling answer. */
export function refuseUnknownCommand(args: readonly string[], { commands }: Command): void {
  const [first] = args;
  const known = commands.map((command) => command.name());
  if (first === undefined || first.startsWith('-') || first === 'help' || known.includes(first)) return;
  throw new BadInput(
    `unknown command '${first}'; expected one of ${known.join(', ')}. To replay a file: coinlab replay ${first}`,
  );
}

/** What the user or the system did wrong needs no more than its message; a mistake of ours shows where it happened. */
function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected = [BadInput, ThresholdMissed, Stopped, Differs].some((expected) => error instanceof expected);
  return isExpected || 'code' in error ? error.message : (error.stack ?? error.message);
}
