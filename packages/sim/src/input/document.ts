import { err, ok, type Result } from '@coinlab/core';
import { isNode, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { z } from 'zod';
import { nearestTo } from '@coinlab/core/workflows';
import { fault, type FileFault } from './fault.js';
import { knownKeys } from './known-keys.js';

/** A fault of one field of a value. */
export interface FieldFault {
  readonly path: readonly PropertyKey[];
  readonly reason: string;
}

/** The value of a YAML or JSON file, with the source position of each field. */
export interface DataDocument {
  readonly value: unknown;
  /** Returns a fault with the line of the field, or of the deepest existing part of its path. */
  readonly faultAt: (found: FieldFault) => FileFault;
}

/** Parses the text of a YAML or JSON file; `file` names it in faults. */
export function parseData(text: string, file: string): Result<DataDocument, readonly FileFault[]> {
  const lines = new LineCounter();
  let document: Document;
  try {
    // YAML is a superset of JSON, so one parser reads both.
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

const MOST_ALIASED = 100;

function valueOf(document: Document): Result<unknown, { readonly at: number; readonly reason: string }> {
  try {
    return ok(document.toJS({ maxAliasCount: MOST_ALIASED }));
  } catch (error) {
    if (error instanceof RangeError) return err({ at: 0, reason: 'is nested too deeply' });
    // The library's error for aliases without an anchor, circular ones, or ones that expand to too many values.
    if (!(error instanceof ReferenceError)) throw error;
    let at = 0;
    visit(document, { Alias: (_, { range }) => void (at = range?.[0] ?? at) });
    return err({ at, reason: `aliases have no anchor or expand to too many values: ${error.message}` });
  }
}

/** Converts schema issues to faults, each with the given value, the expectation and the nearest valid name. */
export function fieldFaults(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  schema: z.ZodType,
): readonly FieldFault[] {
  return issues.flatMap((issue): readonly FieldFault[] => {
    if (issue.code === 'unrecognized_keys') return unknownFields(issue, schema);
    const { path, message } = issue;
    if (message.startsWith('got')) return [{ path, reason: message }];
    const found = path.length === 0 ? undefined : valueAt(value, path);
    const shown =
      found === undefined || (typeof found === 'object' && found !== null) ? '' : `got ${JSON.stringify(found)}, `;
    const near =
      issue.code === 'invalid_value' && typeof found === 'string' ? nearestText(found, issue.values.map(String)) : '';
    return [
      {
        path,
        reason: `${shown}${message.replace(/^Invalid (?:input|option): /, '').replaceAll('"|"', '", "')}${near}`,
      },
    ];
  });
}

function unknownFields({ path, keys }: z.core.$ZodIssueUnrecognizedKeys, schema: z.ZodType): readonly FieldFault[] {
  const known = knownKeys(schema, path);
  return keys.map((key) => ({
    path: [...path, key],
    reason: `got an unknown field, expected one of ${known.join(', ')}${nearestText(key, known)}`,
  }));
}

/** Returns a text with the nearest of several names, to end the reason of a fault; empty without names. */
export function nearestText(given: string, names: readonly string[]): string {
  const nearest = nearestTo(given, names);
  return nearest === null ? '' : `; the nearest is ${nearest}`;
}

/** Returns the value at a path, or undefined. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found: unknown = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

function startOf(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const node: unknown = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
