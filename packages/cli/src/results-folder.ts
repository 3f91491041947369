import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { FORMATS, MANIFEST_FILE, RUN_TABLES, runTables, SCENARIO_FILES, writeFiles, type Format } from '@coinlab/lab';
import type { RunResult } from '@coinlab/sim';
import { BadInput } from './exit-code.js';

export interface ResultsFolder {
  readonly folder: string;
  readonly formats: readonly Format[];
  readonly file: string;
  readonly manifest: string;
}

export const RESULT_FILES: readonly string[] = [
  MANIFEST_FILE,
  ...RUN_TABLES.flatMap((table) => FORMATS.map((format) => `${table}.${format}`)),
];

export function writeResults(results: readonly RunResult[], { folder, formats, file, manifest }: ResultsFolder): void {
  mkdirSync(folder, { recursive: true });
  const name = SCENARIO_FILES.find((known) => extname(known) === extname(file)) ?? SCENARIO_FILES[0];
  const others = new Map([
    [name, readFileSync(file, 'utf8')],
    [MANIFEST_FILE, manifest],
  ]);
  const tables = runTables(results);
  writeFiles(folder, tables, { formats, others });
  removeOthers(folder, (table, format) => tables.has(table) && formats.includes(format));
}

function removeOthers(folder: string, isKept: (table: string, format: Format) => boolean): void {
  for (const table of RUN_TABLES)
    for (const format of FORMATS)
      if (!isKept(table, format)) rmSync(join(folder, `${table}.${format}`), { force: true });
}

export function formatsOf(text: string): readonly Format[] {
  return text.split(',').map((name) => {
    const format = FORMATS.find((known) => known === name.trim());
    if (!format) throw new BadInput(`--format: got '${text}', expected a list of ${FORMATS.join(',')}`);
    return format;
  });
}
