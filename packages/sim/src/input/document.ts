import { err, ok, type Result } from '@coinlab/core';
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
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
  // JSON is YAML, so one reader serves both.
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, merge: true });
  if (document.errors.length > 0)
    return err(
      document.errors.map(({ pos, message }) => {
        const { line, col } = lines.linePos(pos[0]);
        return fault(file, line, col, message.split(' at line')[0] ?? message).error;
      }),
    );
  return ok({
    value: document.toJS(),
    faultAt({ path, reason }) {
      const { line, col } = lines.linePos(startOf(document, path));
      const field = path.map(String).join('.');
      return fault(file, line, col, field === '' ? reason : `${field}: ${reason}`).error;
    },
  });
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
