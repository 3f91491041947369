import { err, ok, type Result } from '@coinlab/core';
import { isNode, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { z } from 'zod';
import { fault, type FileFault } from './fault.js';

/** What is wrong with a value, and which field of it. */
export interface FieldFault {
  readonly path: readonly PropertyKey[];
  readonly reason: string;
}

/** The value of a YAML or JSON file, and where in the file each of its fields stands. */
export interface DataDocument {
  readonly value: unknown;
  /** A fault with the line of its field, or of the deepest part of the path that is there. */
  readonly faultAt: (found: FieldFault) => FileFault;
}

/** Reads the text of a YAML or JSON file; `file` names it in faults. */
export function parseData(text: string, file: string): Result<DataDocument, readonly FileFault[]> {
  const lines = new LineCounter();
  let document: Document;
  try {
    // JSON is YAML, so one reader serves both.
    document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, merge: true });
  } catch (error) {
    if (error instanceof RangeError) return err([fault(file, 1, 1, 'is nested too deeply').error]);
    throw error;
  }
  if (document.errors.length > 0)
    return err(
      document.errors.map(({ pos, message }) => {
        const { line, col } = lines.linePos(pos[0]);
        return fault(file, line, col, message.split(' at line')[0] ?? message).error;
      }),
    );
  const read = valueOf(document);
  if (!read.ok) {
    const { line, col } = lines.linePos(read.error.at);
    return err([fault(file, line, col, read.error.reason).error]);
  }
  return ok({
    value: read.value,
    faultAt({ path, reason }) {
      const { line, col } = lines.linePos(startOf(document, path));
      const field = path.map(String).join('.');
      return fault(file, line, col, field === '' ? reason : `${field}: ${reason}`).error;
    },
  });
}

/** Values that aliases may stand for in all; a few nested ones can stand for billions. */
const MOST_ALIASED = 100;

/** The plain value of a document. Refuses aliases that stand for too much, with the place of the last one. */
function valueOf(document: Document): Result<unknown, { readonly at: number; readonly reason: string }> {
  try {
    return ok(document.toJS({ maxAliasCount: MOST_ALIASED }));
  } catch (error) {
    if (error instanceof RangeError) return err({ at: 0, reason: 'is nested too deeply' });
    // The library's error for aliases without an anchor, inside themselves, or that stand for too much.
    if (!(error instanceof ReferenceError)) throw error;
    let at = 0;
    visit(document, { Alias: (_, { range }) => void (at = range?.[0] ?? at) });
    return err({ at, reason: `aliases stand for too much or for nothing: ${error.message}` });
  }
}

/** Faults of a schema by field, each beside what stands there. */
export function fieldFaults(issues: readonly z.core.$ZodIssue[], value: unknown): readonly FieldFault[] {
  return issues.map(({ path, message }) => {
    if (message.startsWith('got')) return { path, reason: message };
    const found = path.length === 0 ? undefined : valueAt(value, path);
    const shown =
      found === undefined || (typeof found === 'object' && found !== null) ? '' : `got ${JSON.stringify(found)}, `;
    return { path, reason: `${shown}${message.replace(/^Invalid input: /, '')}` };
  });
}

/** What stands in a field; undefined: nothing does. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found: unknown = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

/** Where the value of a path begins, or the deepest part of the path that is there. */
function startOf(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const node: unknown = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
