// C0 without tab and line feed, delete, C1, and the marks that reverse the direction of text.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Escapes control characters as JSON does (`\u001b`), because names and messages may come from files of others and a terminal obeys
 * what they hold. JSON stays the same value.
 */
export function withoutControls(text: string): string {
  return text.replaceAll(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Where the program speaks: results on one side, everything else on the other. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person watches the other side, so that a progress bar makes sense. */
  readonly isInteractive: boolean;
}

/** The same terminal, which gets control characters only escaped. */
export function escaping({ out, err, isInteractive }: Terminal): Terminal {
  return { out: (text) => out(withoutControls(text)), err: (text) => err(withoutControls(text)), isInteractive };
}
