import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Folder of the peers' programs, relative to the root of the repository, because these programs also run
 * bundled.
 */
export const PROGRAMS: string = 'bench/peers';
const OUT = 'bench/out/peers';
const EDR = '0.22.0';

/** Packages of each peer with the measured versions. */
const PACKAGES = {
  litesvm: { litesvm: '1.5.0', '@solana/kit': '8.4.0', '@solana-program/system': '0.14.0' },
  hardhat: { hardhat: '3.18.0', '@nomicfoundation/edr': EDR, ...edrOfOldNode() },
  emmett: { '@event-driven-io/emmett': '0.42.0' },
} satisfies Record<string, Readonly<Record<string, string>>>;

/** Peers that have a program in `bench/peers/`. */
export type Peer = keyof typeof PACKAGES;

/**
 * Returns the path of a peer's program in a folder with its packages. Installs missing packages from npm
 * without install scripts. Throws if the installation fails.
 */
export function installed(peer: Peer): string {
  const folder = join(OUT, peer);
  const packages: Readonly<Record<string, string>> = PACKAGES[peer];
  mkdirSync(folder, { recursive: true });
  if (!Object.entries(packages).every(([name, version]) => versionIn(folder, name) === version)) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
    const { status, stderr, error } = spawnSync(
      'npm',
      [
        'install',
        '--prefix',
        '.',
        '--ignore-scripts',
        // `npm run` passes our engine-strict down; peers that declare Node 22 also run on Node 20.
        '--engine-strict=false',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
      ],
      { cwd: folder, encoding: 'utf8', timeout: 300_000, shell: process.platform === 'win32' },
    );
    if (status !== 0) throw new Error(`npm did not install it: ${error?.message ?? stderr.trim().split('\n')[0]}`);
  }
  for (const file of ['pace.mjs', `${peer}.mjs`]) copyFileSync(join(PROGRAMS, file), join(folder, file));
  return join(folder, `${peer}.mjs`);
}

export function versionOf(peer: Peer): string {
  return Object.values(PACKAGES[peer])[0] as string;
}

function versionIn(folder: string, name: string): string | null {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : null;
}

/** Returns the native part of EDR for Node 20. It declares Node 22, so npm omits it there although it runs. */
function edrOfOldNode(): Readonly<Record<string, string>> {
  if (Number(process.versions.node.split('.')[0]) >= 22) return {};
  const toolchain = { linux: '-gnu', win32: '-msvc' }[process.platform as string] ?? '';
  return { [`@nomicfoundation/edr-${process.platform}-${process.arch}${toolchain}`]: EDR };
}
