import type { z } from 'zod';
import type { ExitCode } from '../exit-code.js';
import type { Terminal } from '../terminal.js';

/** Runs a command line of this program. */
export type Run = (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;

/** Permissions that the user of the program gives the agent. */
export interface Rights {
  /** Policy files are programs, which may do anything. */
  readonly allowPolicyFiles: boolean;
}

/** A tool that an agent can call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Whether the tool changes nothing. */
  readonly readOnly: boolean;
  /** Checks the arguments with `input`. The agent receives the message of an error that this throws. */
  call(given: unknown): Promise<unknown>;
}

/** Returns a tool whose `call` has the types of its `input`. */
export function tool<Input extends z.ZodObject>(
  given: Omit<Tool, 'call'> & { readonly input: Input; call(given: z.infer<Input>): Promise<unknown> },
): Tool {
  return { ...given, call: async (asked) => given.call(given.input.parse(asked)) };
}
