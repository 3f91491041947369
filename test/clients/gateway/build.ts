import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const SCOPE = '@canton-network/';
const GATEWAY = 'wallet-gateway/remote';
const MIGRATIONS = 'src/migrations';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** All modules of other packages stay imports, so that each package keeps its own files next to it. */
const external: Plugin = {
  name: 'external packages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => (kind === 'entry-point' ? null : { path, external: true })),
};

/**
 * Builds the Wallet Gateway of a checkout into a folder, without its web page, and installs what it imports from npm. Returns its
 * program, or null when npm fails. A folder that was built before keeps its installed packages.
 */
export async function buildGateway(checkout: string, folder: string): Promise<string | null> {
  for (const part of ['core', GATEWAY]) {
    rmSync(join(folder, part), { recursive: true, force: true });
    cpSync(join(checkout, part), join(folder, part), { recursive: true });
  }
  const packages = workspace(folder);
  const program = join(GATEWAY, 'dist/index.js');
  const imported = new Set(await bundle(folder, join(GATEWAY, 'src/index.ts'), program));
  const built: string[] = [GATEWAY];
  // A set yields the names that are added while it is read.
  for (const name of imported) {
    const home = packages.get(name);
    if (home === undefined) continue;
    built.push(home);
    for (const further of await bundlePackage(folder, home)) imported.add(further);
  }
  if (
    !install(
      folder,
      imported,
      built.map((home) => manifestIn(join(folder, home))),
    )
  )
    return null;
  for (const name of imported) link(folder, name, packages.get(name));
  return join(folder, program);
}

function workspace(folder: string): ReadonlyMap<string, string> {
  const homes = readdirSync(join(folder, 'core')).map((name) => join('core', name));
  return new Map(
    homes
      .filter((home) => existsSync(join(folder, home, 'package.json')))
      .map((home) => [manifestIn(join(folder, home)).name, home]),
  );
}

function manifestIn(home: string): Manifest {
  // Cast: the manifests of the checkout have these fields.
  return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Manifest;
}

/** Bundles a package and the migrations of its database, which it looks for next to itself. */
async function bundlePackage(folder: string, home: string): Promise<readonly string[]> {
  const { exports } = manifestIn(join(folder, home));
  const entry = exports?.['.'];
  const target = join(home, (typeof entry === 'object' ? entry['import'] : entry) ?? 'dist/index.js');
  const imported = await bundle(folder, join(home, 'src/index.ts'), target);
  const migrations = join(home, MIGRATIONS);
  if (!existsSync(join(folder, migrations))) return imported;
  const further = readdirSync(join(folder, migrations)).map((file) =>
    bundle(folder, join(migrations, file), join(dirname(target), 'migrations', file.replace(/\.ts$/, '.js'))),
  );
  return [...imported, ...(await Promise.all(further)).flat()];
}

/** Bundles a module with its files. Returns the names of the packages that it imports. */
async function bundle(folder: string, entry: string, outfile: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    outfile,
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    plugins: [external],
    logLevel: 'error',
  });
  const paths = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return paths.map((path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'));
}

function install(folder: string, imported: ReadonlySet<string>, manifests: readonly Manifest[]): boolean {
  const ranges = Object.assign({}, ...manifests.map(({ dependencies }) => dependencies).toReversed()) as Record<
    string,
    string
  >;
  const ofNpm = [...imported].filter((name) => !name.startsWith(SCOPE) && !name.startsWith('node:'));
  const names = ofNpm.filter((name) => !builtinModules.includes(name)).sort();
  // `pino` loads its formatter by name.
  const dependencies = Object.fromEntries([...names, 'pino-pretty'].map((name) => [name, ranges[name] ?? '*']));
  const wanted = JSON.stringify({ private: true, type: 'module', dependencies }, null, 2);
  const file = join(folder, 'package.json');
  const installed = join(folder, 'node_modules/.installed');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return true;
  process.stderr.write(`installing ${names.length} packages of the gateway; better-sqlite3 may be compiled: minutes\n`);
  writeFileSync(file, wanted);
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status === 0) writeFileSync(installed, wanted);
  return status === 0;
}

function link(folder: string, name: string, home: string | undefined): void {
  if (home === undefined) return;
  const at = join(folder, 'node_modules', name);
  mkdirSync(dirname(at), { recursive: true });
  rmSync(at, { force: true });
  symlinkSync(join(folder, home), at, 'junction');
}
