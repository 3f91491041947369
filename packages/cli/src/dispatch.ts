import { type Command, CommanderError } from 'commander';
import {
  BadInput,
  Differs,
  EXIT,
  type ExitCode,
  RanElsewhere,
  RunsFailed,
  Stopped,
  ThresholdMissed,
} from './exit-code.js';
import { escaping, type Terminal } from './terminal.js';

/**
 * Runs a command line (without interpreter and script) and returns its exit code. Never rejects. Loads only the code that the
 * command needs.
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
  if (args[0] === 'serve') {
    // Both together: a server starts a little later if its code is loaded after the flags were read.
    const [{ serveProgramFor }] = await Promise.all([import('./serve/program.js'), import('./serve/serve-command.js')]);
    return serveProgramFor(terminal);
  }
  const program = (await import('./program.js')).programFor(terminal, run);
  refuseUnknownCommand(args, program);
  return program;
}

export function exitCodeOf(error: unknown, terminal: Terminal): ExitCode {
  if (error instanceof RanElsewhere) return error.code;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
  terminal.err(`coinlab: ${described(error)}\n`);
  if (error instanceof ThresholdMissed) return EXIT.threshold;
  if (error instanceof Stopped) return EXIT.stopped;
  return error instanceof BadInput ? EXIT.badInput : EXIT.failed;
}

export function refuseUnknownCommand(args: readonly string[], { commands }: Command): void {
  const [first] = args;
  const known = commands.map((command) => command.name());
  if (first === undefined || first.startsWith('-') || first === 'help' || known.includes(first)) return;
  throw new BadInput(
    `unknown command '${first}'; expected one of ${known.join(', ')}. To replay a file: coinlab replay ${first}`,
  );
}

function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected = [BadInput, ThresholdMissed, Stopped, Differs, RunsFailed].some(
    (expected) => error instanceof expected,
  );
  return isExpected || 'code' in error ? error.message : (error.stack ?? error.message);
}
