import type { ExitCode } from './exit-code.js';

// C0 without tab and line feed, delete, C1, and the bidirectional text controls.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Escapes control characters as JSON does, because names and messages of foreign files may contain terminal control
 * sequences. JSON text keeps its value.
 */
export function withoutControls(text: string): string {
  return text.replaceAll(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Output of the program: results to `out`, messages to `err`. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` is a terminal, so that a progress bar makes sense. */
  readonly isInteractive: boolean;
  /** Runs the command in a process with flags of Node and returns its exit code. Default: commands run in this process. */
  readonly restart?: (flags: readonly string[]) => Promise<ExitCode>;
}

export function escaping({ out, err, ...rest }: Terminal): Terminal {
  return { ...rest, out: (text) => out(withoutControls(text)), err: (text) => err(withoutControls(text)) };
}
