import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BadInput, messageOf } from './exit-code.js';

/** The tables of a run take about a megabyte. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024;

/**
 * Call it before a run, so that no result is lost at the end.
 * @param kept files whose presence means earlier results; none with `--overwrite`
 */
export function requireOutFolder(flag: string, folder: string, kept: readonly string[]): void {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new BadInput(`${flag}: ${folder} is a file, expected a folder`);
  requireWritable(flag, folder);
  const earlier = kept.find((name) => existsSync(join(folder, name)));
  if (earlier !== undefined)
    throw new BadInput(
      `${flag}: ${folder} has results (${earlier}); choose another folder, or replace them with --overwrite`,
    );
}

export function requireOutFile(
  flag: string,
  file: string,
  { overwrite }: { readonly overwrite?: true | undefined },
): void {
  if (existsSync(file) && statSync(file).isDirectory())
    throw new BadInput(`${flag}: ${file} is a folder, expected a file`);
  if (overwrite !== true && existsSync(file))
    throw new BadInput(`${flag}: ${file} exists; choose another file, or replace it with --overwrite`);
  const folder = dirname(resolve(file));
  requireWritable(flag, folder);
  if (!existsSync(folder)) throw new BadInput(`${flag}: ${file}: the folder ${folder} does not exist; create it first`);
}

const JSON_NAME = /\.(ndjson|jsonl|json)$/i;

export function requireLogFile(file: string, options: { readonly overwrite?: true | undefined }): void {
  const name = file.replace(JSON_NAME, '.log');
  if (name !== file)
    throw new BadInput(
      `--log: got ${file}, expected a name without the ending of JSON, because the log is compact; ` +
        `write ${name}, then print JSON lines with coinlab log export ${name}`,
    );
  requireOutFile('--log', file, options);
}

function requireWritable(flag: string, folder: string): void {
  let existing = resolve(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    if (!statSync(existing).isDirectory()) throw new Error(`${existing} is a file`);
    accessSync(existing, constants.W_OK);
  } catch (error) {
    throw new BadInput(`${flag}: ${folder} cannot be written: ${messageOf(error)}`);
  }
  const { bavail, bsize } = statfsSync(existing);
  if (bavail * bsize < LEAST_FREE_BYTES)
    throw new BadInput(`${flag}: ${folder} has ${bavail * bsize} bytes free, expected at least ${LEAST_FREE_BYTES}`);
}
