import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** From the root of the repository: these programs are run bundled, too. */
export const PROGRAMS: string = 'bench/peers';
const OUT = 'bench/out/peers';
const EDR = '0.22.0';

/** Packages of each peer with the versions that are measured. */
const PACKAGES = {
  litesvm: { litesvm: '1.5.0', '@solana/kit': '8.4.0', '@solana-program/system': '0.14.0' },
  hardhat: { hardhat: '3.18.0', '@nomicfoundation/edr': EDR, ...edrOfOldNode() },
  emmett: { '@event-driven-io/emmett': '0.42.0' },
} satisfies Record<string, Readonly<Record<string, string>>>;

/** Whom `bench/peers/` has a program for. */
export type Peer = keyof typeof PACKAGES;

/**
 * The program of a peer in a folder with its packages, which are fetched from npm when they are not yet there. Throws when npm does not
 * give them. No program of theirs runs at installation.
 */
export function installed(peer: Peer): string {
  const folder = join(OUT, peer);
  const packages: Readonly<Record<string, string>> = PACKAGES[peer];
  mkdirSync(folder, { recursive: true });
  if (!Object.entries(packages).every(([name, version]) => versionIn(folder, name) === version)) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
    const { status, stderr, error } = spawnSync(
      'npm',
      ['install', '--prefix', '.', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      { cwd: folder, encoding: 'utf8', timeout: 300_000, shell: process.platform === 'win32' },
    );
    if (status !== 0) throw new Error(`npm did not install it: ${error?.message ?? stderr.trim().split('\n')[0]}`);
  }
  for (const file of ['pace.mjs', `${peer}.mjs`]) copyFileSync(join(PROGRAMS, file), join(folder, file));
  return join(folder, `${peer}.mjs`);
}

/** Version of a peer, as its figures name it. */
export function versionOf(peer: Peer): string {
  return Object.values(PACKAGES[peer])[0] as string;
}

function versionIn(folder: string, name: string): string | null {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : null;
}

/** The native part of EDR asks for Node 22, so that npm leaves it out on Node 20, where it runs too. */
function edrOfOldNode(): Readonly<Record<string, string>> {
  if (Number(process.versions.node.split('.')[0]) >= 22) return {};
  const toolchain = { linux: '-gnu', win32: '-msvc' }[process.platform as string] ?? '';
  return { [`@nomicfoundation/edr-${process.platform}-${process.arch}${toolchain}`]: EDR };
}
