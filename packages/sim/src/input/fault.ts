import type { Err } from '@coinlab/core';

/** A fault in a file, with its position. */
export interface FileFault {
  readonly file: string;
  /** Line number from 1; null when the fault concerns the whole file, for example because it cannot be read. */
  readonly line: number | null;
  /** Column number in characters, from 1; null when `line` is null. */
  readonly column: number | null;
  readonly reason: string;
}

/** Formats the fault as one line: `payments.csv:17:3: …`. */
export function describeFault({ file, line, column, reason }: FileFault): string {
  return line === null ? `${file}: ${reason}` : `${file}:${line}:${column ?? 1}: ${reason}`;
}

export function fault(file: string, line: number | null, column: number | null, reason: string): Err<FileFault> {
  return { ok: false, error: { file, line, column, reason } };
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
