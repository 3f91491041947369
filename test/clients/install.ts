import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The published clients have an installation of their own, so that `npm start` and other tests do not download them. */
export const SDK = join(import.meta.dirname, 'sdk');
const INSTALLED = join(SDK, 'node_modules', '.installed');

/**
 * Installs the published clients unless the versions of the lockfile are there. Returns false when that fails, for example without a
 * network.
 */
export function installClients(): boolean {
  const wanted = createHash('sha256')
    .update(readFileSync(join(SDK, 'package-lock.json')))
    .digest('hex');
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === wanted) return true;
  process.stderr.write('installing the published clients for test/clients (about 100 MB)\n');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: SDK,
    stdio: 'ignore',
    shell: process.platform === 'win32',
  });
  if (status === 0) writeFileSync(INSTALLED, wanted);
  return status === 0;
}
