import type { z } from 'zod';
import type { ExitCode } from '../exit-code.js';
import type { Terminal } from '../terminal.js';

/** Runs a command line of this program. */
export type Run = (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;

/** A tool of an agent. An error that `call` throws is told to the agent. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /** Whether the tool changes nothing. */
  readonly readOnly: boolean;
  call(given: z.infer<Input>): Promise<unknown>;
}

/** Lets the fields of `call` follow from `input`. */
export function tool<Input extends z.ZodObject>(given: Tool<Input>): Tool {
  // Cast: the input is parsed with the same schema before `call`.
  return given as unknown as Tool;
}
