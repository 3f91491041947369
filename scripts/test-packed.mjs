// Tests the published packages: packs them, checks the tarballs (publint, are the types wrong), installs them into
// copies of the projects in test/fixtures, and runs their tests. Slow; requires the npm registry.
//     npm run test:packed                all projects
//     npm run test:packed -- jest-ts     some of them
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const fixtures = join(root, 'test', 'fixtures');
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !readdirSync(fixtures).includes(name));
if (unknown.length > 0)
  stop(`no project ${unknown.join(', ')} in test/fixtures; there are ${readdirSync(fixtures).join(', ')}`);
const folder = mkdtempSync(join(tmpdir(), 'coinlab-packed-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

run(root, process.execPath, 'scripts/build.mjs');
const tarballs = {};
for (const name of readdirSync(join(root, 'packages'))) {
  const place = join(folder, 'tarballs', name);
  mkdirSync(place, { recursive: true });
  run(root, 'npm', 'pack', '--workspace', `packages/${name}`, '--pack-destination', place, '--loglevel=error');
  tarballs[name] = join(place, readdirSync(place)[0]);
}

if (wanted.length === 0) {
  for (const tarball of Object.values(tarballs)) run(root, 'npx', '--yes', 'publint@0.3', tarball);
  // The entry for vitest has no CommonJS, because vitest loads ES modules only.
  for (const [tarball, ...rest] of [
    [tarballs.collections],
    [tarballs.core],
    [tarballs.automation],
    [tarballs.testing, '--exclude-entrypoints', 'vitest'],
    ...['sim', 'store', 'lab', 'http'].map((name) => [tarballs[name], '--profile', 'esm-only']),
  ])
    run(root, 'npx', '--yes', '@arethetypeswrong/cli@0.18', tarball, ...rest);
  checkSize();
}
for (const name of readdirSync(fixtures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const project = join(folder, name);
  cpSync(join(fixtures, name), project, { recursive: true });
  const { coinlab } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  if (name === 'documents') writePrograms(join(project, 'programs'));
  install(project, coinlab);
  run(project, 'npm', 'test');
}
process.stdout.write('the packages work in other projects\n');

/** A project with the core, the automation and the test kit has at most 25 packages and 25 MB. */
function checkSize() {
  const project = join(folder, 'empty');
  mkdirSync(project);
  install(project, ['collections', 'core', 'automation', 'testing']);
  const { packages } = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8'));
  const count = Object.keys(packages).length;
  const bytes = readdirSync(join(project, 'node_modules'), { recursive: true })
    .map((path) => statSync(join(project, 'node_modules', path)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
  const text = `core, automation and testing install ${count} packages with ${(bytes / 1e6).toFixed(1)} MB`;
  if (count > 25 || bytes > 25e6) stop(`${text}; the limits are 25 packages and 25 MB`);
  process.stdout.write(`${text}\n`);
}

/** Writes the programs of the READMEs, with the output that follows each. */
function writePrograms(into) {
  mkdirSync(into);
  const pages = ['README.md', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`)];
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');
    const programs = text.matchAll(
      /^```ts (?:runnable|packages\/testing\/examples\/\S+)\n(.*?)^```\n+```text\n(.*?)^```$/gms,
    );
    for (const [index, [, code, output]] of [...programs].entries()) {
      const file = join(into, `${page.replaceAll('/', '-').replace('.md', '')}-${index + 1}`);
      writeFileSync(`${file}.ts`, code);
      writeFileSync(`${file}.txt`, output);
    }
  }
}

function install(project, names) {
  const files = names.map((name) => tarballs[name] ?? stop(`no package ${name}`));
  run(project, 'npm', 'install', '--no-audit', '--no-fund', '--no-save', '--loglevel=error', ...files);
}

function run(cwd, command, ...args) {
  process.stdout.write(`\n$ ${command} ${args.join(' ')}\n`);
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function stop(message) {
  process.stderr.write(`test:packed: ${message}\n`);
  process.exit(1);
}
