import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault } from './fault.ts';
import { replacedOnce } from './replaced.ts';

const root = join(import.meta.dirname, '../..');
/** The packages that may have a fault. */
const PATCHED = ['core', 'automation'] as const;

/** Returns the changed files by their path below `packages`, with their new text. */
export function patchedFiles({ name, patches }: Pick<Fault, 'name' | 'patches'>): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const patch of patches) {
    const path = `${patch.package ?? 'core'}/src/${patch.file}`;
    const text = files.get(path) ?? readFileSync(join(root, 'packages', path), 'utf8');
    files.set(path, replacedOnce(text, patch, `fault ${name}, packages/${path}`));
  }
  return files;
}

let folder: string | null = null;

/**
 * Copies the test kit, the core and its automation, optionally with a fault, into a scratch folder. Each copy replaces the
 * previous one, so unchanged files are not compiled again. The folder is removed when the process ends.
 * @returns path of the entry of the copied test kit
 */
export function scratchKit(fault: Fault | null): string {
  const files = fault ? patchedFiles(fault) : new Map<string, string>();
  folder ??= newFolder();
  for (const name of PATCHED) {
    const src = join(folder, 'packages', name, 'src');
    rmSync(src, { recursive: true, force: true });
    cpSync(join(root, 'packages', name, 'src'), src, { recursive: true });
  }
  for (const [path, text] of files) writeFileSync(join(folder, 'packages', path), text);
  return join(folder, 'packages/testing/src/index.ts');
}

function newFolder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'coinlab-faults-')));
  const packages = join(made, 'packages');
  for (const name of [...PATCHED, 'testing'])
    cpSync(join(root, 'packages', name, 'package.json'), join(packages, name, 'package.json'));
  cpSync(join(root, 'packages/testing/src'), join(packages, 'testing/src'), { recursive: true });
  // In the copy, the core and its automation resolve to their copies and everything else to the installed packages.
  mkdirSync(join(packages, 'node_modules/@coinlab'), { recursive: true });
  for (const name of PATCHED) symlinkSync(join(packages, name), join(packages, 'node_modules/@coinlab', name));
  symlinkSync(join(root, 'node_modules'), join(made, 'node_modules'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}
