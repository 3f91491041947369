// Tests the Dockerfile. With a container engine: builds the image and waits until it is healthy. Without one: runs the
// steps of the file in clean folders, starts its command with its environment, and runs its health check.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const SECONDS = 60;
const folder = mkdtempSync(join(tmpdir(), 'coinlab-container-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

run('npx', ['--yes', 'dockerfile-utils@0.16', 'lint', join(root, 'Dockerfile')]);
const hasEngine = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
await (hasEngine ? withEngine() : bySteps());
process.stdout.write('the container works\n');

async function withEngine() {
  run('docker', ['build', '--tag', 'coinlab:test', root]);
  const { stdout } = spawnSync('docker', ['run', '--detach', '--rm', 'coinlab:test'], { encoding: 'utf8' });
  const id = stdout.trim();
  const state = () =>
    spawnSync('docker', ['inspect', '--format', '{{.State.Health.Status}}', id], { encoding: 'utf8' }).stdout.trim();
  const healthy = await until(() => state() === 'healthy');
  run('docker', ['stop', id]);
  if (!healthy) stop('the container did not become healthy');
}

async function bySteps() {
  process.stdout.write(
    'no container engine: the steps of the Dockerfile run in clean folders, without its base image\n',
  );
  const env = { ...process.env };
  const check = {};
  // The folders of the image, below a clean folder of this machine.
  const placed = (text) => text.replaceAll(/(?<![\w./-])\/(src|packed|data)\b/g, `${folder}/$1`);
  let cwd = folder;
  for (const { word, text } of instructions()) {
    if (word === 'WORKDIR') mkdirSync((cwd = placed(text)), { recursive: true });
    if (word === 'COPY' && text === '. .') copySources(cwd);
    if (word === 'ENV') for (const [, name, value] of text.matchAll(/(\w+)=(\S+)/g)) env[name] = value;
    if (word === 'RUN') {
      // Only the image has the user `node`, and this machine keeps its global packages.
      const step = placed(text)
        .replace(/&& chown \S+ \S+/, '')
        .replace('--global', `--global --prefix ${folder}/usr`);
      run('sh', ['-c', step], { cwd });
    }
    if (word === 'HEALTHCHECK') check.args = JSON.parse(text.slice(text.indexOf('[')));
  }
  await servesAndIsHealthy(check.args, env);
}

async function servesAndIsHealthy([command, ...args], environment) {
  const env = { ...environment, COINLAB_HOST: '127.0.0.1', COINLAB_PORT: '5079' };
  const server = spawn(join(folder, 'usr/bin/coinlab'), ['serve'], {
    env,
    cwd: join(folder, 'data'),
    stdio: 'inherit',
  });
  const healthy = await until(() => spawnSync(command, args, { env }).status === 0);
  server.kill();
  if (!healthy) stop('the health check failed');
}

function instructions() {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ word: line.slice(0, line.indexOf(' ')), text: line.slice(line.indexOf(' ') + 1).trim() }));
}

/** Copies the files that git tracks or would track. */
function copySources(into) {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of stdout
    .trim()
    .split('\n')
    .filter((name) => !/^(test|bench)\//.test(name))) {
    mkdirSync(dirname(join(into, path)), { recursive: true });
    cpSync(join(root, path), join(into, path));
  }
}

async function until(holds) {
  for (const end = Date.now() + SECONDS * 1000; Date.now() < end;) {
    if (holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return false;
}

function run(command, args, options = {}) {
  process.stdout.write(`\n$ ${command} ${args.join(' ')}\n`);
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (error || status !== 0) stop(error?.message ?? `exit code ${status}`);
}

function stop(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
