// Tests the published packages: packs them, checks the tarballs (publint, are the types wrong), installs them into
// copies of the projects in test/fixtures, and runs their tests. Slow; requires the npm registry.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const fixtures = join(root, 'test', 'fixtures');
const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'coinlab-packed-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

run(root, process.execPath, 'scripts/build.mjs');
run(root, 'npm', 'pack', '--workspaces', '--pack-destination', folder, '--loglevel=error');
const tarballs = readdirSync(folder).map((name) => join(folder, name));
const [core, testing] = ['core', 'testing'].map((name) => {
  const tarball = tarballs.find((path) => path.includes(`coinlab-${name}-`));
  if (!tarball) throw new Error(`npm pack made no tarball of ${name}, but ${tarballs.join(', ')}`);
  return tarball;
});

if (wanted.length === 0) {
  for (const tarball of tarballs) run(root, 'npx', '--yes', 'publint@0.3', tarball);
  // The entry for vitest has no CommonJS, because vitest loads ES modules only.
  for (const [tarball, ...rest] of [[core], [testing, '--exclude-entrypoints', 'vitest']])
    run(root, 'npx', '--yes', '@arethetypeswrong/cli@0.18', tarball, '--profile', 'node16', ...rest);
}
for (const name of readdirSync(fixtures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const project = join(folder, name);
  cpSync(join(fixtures, name), project, { recursive: true });
  run(project, 'npm', 'install', '--no-audit', '--no-fund', '--no-save', '--loglevel=error', core, testing);
  run(project, 'npm', 'test');
}
process.stdout.write('coinlab works for others\n');

function run(cwd, command, ...args) {
  process.stdout.write(`\n$ ${command} ${args.join(' ')}\n`);
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
