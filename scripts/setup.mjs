// Checks the version of Node, installs missing dependencies and builds the page. It runs before node_modules exists, so it uses only
// Node; it prints only to stderr, so that the output of `npm start -- … --json` stays machine-readable.
import { spawn } from 'node:child_process';
import { readFileSync, statSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildWeb } from './build-web.mjs';
import { heartbeat } from './heartbeat.mjs';

const root = new URL('../', import.meta.url);
const installed = new URL('node_modules/.package-lock.json', root);

requireNode();
if (modifiedAt(installed) < modifiedAt(new URL('package-lock.json', root))) await install();
await buildWeb();

function requireNode() {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const [major, minor] = engines.node.match(/\d+/g).map(Number);
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  stop(`coinlab needs Node ${engines.node}; this is ${process.versions.node}. Newer versions: https://nodejs.org`);
}

async function install() {
  process.stderr.write('coinlab: installing dependencies (npm ci), about half a minute …\n');
  // The path of npm that npm passes to scripts: on Windows `npm` is not an executable file.
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const pulse = heartbeat(() => 'coinlab: installing dependencies');
  const child = spawn(command, [...first, 'ci', '--ignore-scripts', '--loglevel=error'], {
    cwd: fileURLToPath(root),
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  });
  const status = await new Promise((resolve) => {
    child.once('error', (error) => stop(`coinlab: npm could not be started: ${error.message}`)).once('exit', resolve);
  });
  pulse.stop();
  if (status !== 0) stop(`coinlab: npm ci failed (exit code ${status}); its message is above`);
  const now = new Date();
  utimesSync(installed, now, now);
}

function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1;
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
