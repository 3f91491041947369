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
const core = join(root, 'packages/core');

/** Returns the changed files of the core by path, with their new text. */
export function patchedFiles({ name, patches }: Pick<Fault, 'name' | 'patches'>): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const patch of patches) {
    const text = files.get(patch.file) ?? readFileSync(join(core, 'src', patch.file), 'utf8');
    files.set(patch.file, replacedOnce(text, patch, `fault ${name}, packages/core/src/${patch.file}`));
  }
  return files;
}

let folder: string | null = null;

/**
 * Copies the test kit and the core, optionally with a fault, into a scratch folder. Each copy replaces the
 * previous one, so unchanged files are not compiled again. The folder is removed when the process ends.
 * @returns path of the entry of the copied test kit
 */
export function scratchKit(fault: Fault | null): string {
  const files = fault ? patchedFiles(fault) : new Map<string, string>();
  folder ??= newFolder();
  const src = join(folder, 'packages/core/src');
  rmSync(src, { recursive: true, force: true });
  cpSync(join(core, 'src'), src, { recursive: true });
  for (const [file, text] of files) writeFileSync(join(src, file), text);
  return join(folder, 'packages/testing/src/index.ts');
}

function newFolder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'coinlab-faults-')));
  const packages = join(made, 'packages');
  for (const name of ['core', 'testing'])
    cpSync(join(root, 'packages', name, 'package.json'), join(packages, name, 'package.json'));
  cpSync(join(root, 'packages/testing/src'), join(packages, 'testing/src'), { recursive: true });
  // In the copy, `@coinlab/core` resolves to the copied core and everything else to the installed packages.
  mkdirSync(join(packages, 'node_modules/@coinlab'), { recursive: true });
  symlinkSync(join(packages, 'core'), join(packages, 'node_modules/@coinlab/core'));
  symlinkSync(join(root, 'node_modules'), join(made, 'node_modules'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}
