import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault, Patch } from './fault.ts';

const root = join(import.meta.dirname, '../..');
const core = join(root, 'packages/core');

/** The source of a file of the core with a patch. Throws when the text to replace is not there exactly once. */
export function patched(text: string, { file, find, replace }: Patch, name: string): string {
  const [before, after, ...more] = text.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    const times = after === undefined ? 'no longer' : `${more.length + 1} times`;
    throw new Error(`fault ${name}: its text stands ${times} in packages/core/src/${file}:\n${find}`);
  }
  return `${before}${replace}${after}`;
}

/** The files of the core that a fault changes, as they are then. */
export function patchedFiles({ name, patches }: Pick<Fault, 'name' | 'patches'>): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const patch of patches) {
    const text = files.get(patch.file) ?? readFileSync(join(core, 'src', patch.file), 'utf8');
    files.set(patch.file, patched(text, patch, name));
  }
  return files;
}

let folder: string | null = null;

/**
 * A copy of the core with a fault planted in it, or without any: the folder of its sources. Every copy takes the place of the one
 * before, so that what was compiled of the others need not be compiled again; the last goes with the process.
 */
export function scratchCore(fault: Fault | null): string {
  const files = fault ? patchedFiles(fault) : new Map<string, string>();
  folder ??= newFolder();
  const src = join(folder, 'src');
  rmSync(src, { recursive: true, force: true });
  cpSync(join(core, 'src'), src, { recursive: true });
  for (const [file, text] of files) writeFileSync(join(src, file), text);
  return src;
}

function newFolder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'coinlab-faults-')));
  cpSync(join(core, 'package.json'), join(made, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(made, 'node_modules'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}
