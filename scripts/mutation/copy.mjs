import { cpSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NOT_COPIED = new Set(['node_modules', 'dist', 'coverage', '.git', '.failures', '.tmp']);

/** A copy that resolves the workspaces to its packages, and everything else to the installed modules. */
export function copied(root) {
  const copy = mkdtempSync(join(tmpdir(), 'coinlab-mutants-'));
  const filter = (path) => !NOT_COPIED.has(path.split(/[\\/]/).at(-1));
  for (const name of readdirSync(root))
    if (filter(name)) cpSync(join(root, name), join(copy, name), { recursive: true, filter });
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@coinlab'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@coinlab' && name !== 'coinlab' && (name === '.bin' || !name.startsWith('.')))
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  for (const name of readdirSync(join(copy, 'packages')))
    symlinkSync(join(copy, 'packages', name), join(modules, ...(name === 'cli' ? ['coinlab'] : ['@coinlab', name])));
  return copy;
}

export function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((file) => `${folder}/${file}`.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && statSync(join(root, file)).isFile())
    .sort();
}
