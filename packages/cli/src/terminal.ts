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
}

export function escaping({ out, err, isInteractive }: Terminal): Terminal {
  return { out: (text) => out(withoutControls(text)), err: (text) => err(withoutControls(text)), isInteractive };
}
