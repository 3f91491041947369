import { describe, expect, it } from 'vitest';
import { read } from './source.ts';

interface Entry {
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}
type Packages = Record<string, Entry>;

describe('the lockfile', () => {
  const { packages }: { packages: Packages } = JSON.parse(read('package-lock.json'));

  it('contains the optional packages of every platform', () => {
    expect(absent(packages)).toEqual([]);
  });

  it('refers only to the public registry', () => {
    expect(strangers(packages)).toEqual([]);
  });

  it('pins every package by a content hash', () => {
    const unpinned = Object.entries(packages).filter(
      ([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.integrity,
    );
    expect(unpinned.map(([path]) => path)).toEqual([]);
  });
});

describe('the lockfile check', () => {
  it('reports an optional package that is missing', () => {
    const lock: Packages = {
      'node_modules/a': { optionalDependencies: { 'a-linux': '1', 'a-mac': '1', 'a-windows': '1' } },
      'node_modules/a-linux': {},
      'node_modules/a/node_modules/a-mac': {},
    };
    expect(absent(lock)).toEqual(['node_modules/a needs a-windows']);
  });

  it('reports a package from a private registry', () => {
    expect(strangers({ 'node_modules/a': { resolved: 'https://npm.example.org/a.tgz' } })).toHaveLength(1);
  });
});

/**
 * Returns the optional packages that the lockfile omits. npm writes the lockfile from the installed packages,
 * so it can omit those of other platforms; `npm ci` then fails there.
 */
function absent(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !resolves(packages, path, name))
      .map((name) => `${path} needs ${name}`),
  );
}

function resolves(packages: Packages, path: string, name: string): boolean {
  const folders = path.split('/');
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    if ([...folders.slice(0, depth), 'node_modules', name].join('/').replace(/^\//, '') in packages) return true;
  }
  return false;
}

function strangers(packages: Packages): string[] {
  return Object.entries(packages)
    .filter(
      ([, { resolved = '', link }]) => !link && resolved !== '' && !resolved.startsWith('https://registry.npmjs.org/'),
    )
    .map(([path, { resolved }]) => `${path} comes from ${resolved}`);
}
