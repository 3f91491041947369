// Builds the documents as a site in site/dist: npm run docs:site. VitePress is installed in `site` on the first run.
// COINLAB_REPOSITORY is the address of the repository, for links to its files; COINLAB_SITE_BASE the path of the site on its host.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const site = fileURLToPath(new URL('../site/', import.meta.url));
if (!existsSync(`${site}node_modules/vitepress`)) run('npm', 'install', '--no-package-lock', '--loglevel=error');
// Inside `site`, because VitePress resolves its libraries from the folder of a page.
rmSync(`${site}pages`, { recursive: true, force: true });
cpSync(new URL('../docs/', import.meta.url), `${site}pages`, { recursive: true });
run('npx', 'vitepress', 'build');

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, {
    cwd: site,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
