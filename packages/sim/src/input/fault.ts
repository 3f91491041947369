import type { Err } from '@coinlab/core';

/** What is wrong with a file, and where. */
export interface FileFault {
  readonly file: string;
  /** From 1; null when the fault concerns no line (the file cannot be read). */
  readonly line: number | null;
  /** Character in the line, from 1; null with the line. */
  readonly column: number | null;
  readonly reason: string;
}

/** The fault as one line: `payments.csv:17:3: …`. */
export function describeFault({ file, line, column, reason }: FileFault): string {
  return line === null ? `${file}: ${reason}` : `${file}:${line}:${column ?? 1}: ${reason}`;
}

/** A fault as the outcome of reading. */
export function fault(file: string, line: number | null, column: number | null, reason: string): Err<FileFault> {
  return { ok: false, error: { file, line, column, reason } };
}

/** A piece of the file for a message: quoted, cut when long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
