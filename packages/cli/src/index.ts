/**
 * The coinlab command line program.
 * @module
 */
import { EXIT, type ExitCode } from './exit-code.js';
import { exitCodeOf, refuseUnknownCommand, run } from './dispatch.js';
import { programFor } from './program.js';
import type { Terminal } from './terminal.js';

export { EXIT, type ExitCode } from './exit-code.js';
export { run } from './dispatch.js';
export { settingVariables, withEnvironment, type Variable } from './serve/environment.js';
export type { Terminal } from './terminal.js';

/** Runs a synchronous command (arguments without interpreter and script) and returns its exit code. Never throws. */
export function main(args: readonly string[], terminal: Terminal): ExitCode {
  try {
    const program = programFor(terminal, run);
    refuseUnknownCommand(args, program);
    program.parse(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    return exitCodeOf(error, terminal);
  }
}
