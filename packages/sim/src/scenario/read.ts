import { readFileSync } from 'node:fs';
import { err, ok, type Result } from '@coinlab/core';
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { fault, type FileFault } from '../input/fault.js';
import { crossFaults } from './cross.js';
import { completed, type Scenario } from './scenario.js';
import { scenarioSchema } from './schema.js';

/** Reads a scenario file, YAML or JSON. Every fault names its line, its field, what was there and what was expected. */
export function readScenario(file: string): Result<Scenario, readonly FileFault[]> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return err([fault(file, null, null, `cannot be read: ${(error as Error).message}`).error]);
  }
  return parseScenario(text, file);
}

/** Reads the text of a scenario; `file` names it in faults. */
export function parseScenario(text: string, file: string): Result<Scenario, readonly FileFault[]> {
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
  const parsed = scenarioSchema.safeParse(document.toJS());
  const faultAt = (path: readonly PropertyKey[], reason: string): FileFault => {
    const { line, col } = lines.linePos(startOf(document, path));
    const field = path.map(String).join('.');
    return fault(file, line, col, field === '' ? reason : `${field}: ${reason}`).error;
  };
  if (!parsed.success) return err(parsed.error.issues.map((issue) => faultAt(issue.path, told(issue, document))));
  const scenario = completed(parsed.data);
  const crossed = crossFaults(scenario).map(({ path, reason }) => faultAt(path, reason));
  return crossed.length > 0 ? err(crossed) : ok(scenario);
}

/** What is wrong, beside what stands there. */
function told(issue: z.core.$ZodIssue, document: Document): string {
  const found: unknown = issue.path.length === 0 ? undefined : document.getIn(issue.path);
  const shown = found === undefined || isNode(found) ? '' : `got ${JSON.stringify(found)}, `;
  return issue.message.startsWith('got') ? issue.message : `${shown}${issue.message.replace(/^Invalid input: /, '')}`;
}

/** Where the value of a path begins, or the deepest part of the path that is there. */
function startOf(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const node: unknown = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
