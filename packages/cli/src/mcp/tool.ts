import type { z } from 'zod';
import type { ExitCode } from '../exit-code.js';
import type { Terminal } from '../terminal.js';

export type Run = (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;

export interface Rights {
  /** Policy files are programs that can do anything. */
  readonly allowPolicyFiles: boolean;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly readOnly: boolean;
  call(given: unknown): Promise<unknown>;
}

export function tool<Input extends z.ZodObject>(
  given: Omit<Tool, 'call'> & { readonly input: Input; call(given: z.infer<Input>): Promise<unknown> },
): Tool {
  return { ...given, call: async (asked) => given.call(given.input.parse(asked)) };
}
