// Mutation testing of the core in a copy of this checkout, with Stryker installed beside it: npm test needs neither.
//   npm run mutation                                                        all rules: about an hour on two cores
//   npm run mutation -- --mutate 'packages/core/src/rules/fees.ts'          one file, or with `:10-20` some of its lines
// The report is left in dist/mutation/: mutation.json and mutation.html.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const STRYKER = ['@stryker-mutator/core@^9.6.1', '@stryker-mutator/vitest-runner@^9.6.1'];
const NOT_COPIED = new Set(['node_modules', 'dist', 'coverage', '.git', '.failures', '.tmp']);

const root = fileURLToPath(new URL('../', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'coinlab-mutation-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

for (const name of readdirSync(root))
  if (!NOT_COPIED.has(name))
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !NOT_COPIED.has(path.split(/[\\/]/).at(-1)),
    });
// Workspaces are links in node_modules: installed in the copy, they lead to the copy's own packages.
run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
run('npm', 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...STRYKER);
const code = run('npx', 'stryker', 'run', 'scripts/mutation/stryker.json', ...process.argv.slice(2));
const report = join(root, 'dist', 'mutation');
mkdirSync(report, { recursive: true });
for (const name of ['mutation.json', 'mutation.html'])
  if (existsSync(join(copy, name))) cpSync(join(copy, name), join(report, name));
process.exitCode = code;

function run(command, ...args) {
  const { status } = spawnSync(command, args, { cwd: copy, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0 && command === 'npm') process.exit(status ?? 1);
  return status ?? 1;
}
