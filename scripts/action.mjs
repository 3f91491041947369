// The step of the GitHub action (action.yml): starts a server, waits until it accepts commands, and sets the outputs.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { appendFileSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SECONDS = 120;
const { INPUT_PORT, INPUT_SETTINGS, INPUT_START_WITH, INPUT_USERS, INPUT_VERSION, INPUT_PROGRAM } = process.env;
const url = `http://127.0.0.1:${INPUT_PORT || 5003}`;
const folder = mkdtempSync(join(tmpdir(), 'coinlab-'));
const log = join(folder, 'server.log');
writeFileSync(log, '');
const settings = { dev: true, ...settingsIn(INPUT_SETTINGS || '{}') };
const child = start();

await untilReady();
const { secret = 'unsafe', audience = 'https://canton.network.global' } = settings.auth ?? {};
const users = (INPUT_USERS ?? '').split(/\s+/).filter((user) => user !== '');
setOutput('url', url);
setOutput('tokens', JSON.stringify(Object.fromEntries(users.map((user) => [user, tokenOf(user)]))));
process.stdout.write(`coinlab serves ${url}; process ${child.pid}, log ${log}\n`);

function start() {
  const file = join(folder, 'settings.json');
  writeFileSync(file, JSON.stringify(settings));
  const flags = ['serve', '--config', file, '--port', INPUT_PORT || '5003'];
  if (INPUT_START_WITH) flags.push('--start-with', INPUT_START_WITH);
  const [command, ...first] = INPUT_PROGRAM
    ? INPUT_PROGRAM.split(' ')
    : ['npx', '--yes', `coinlab@${INPUT_VERSION || 'latest'}`];
  const out = openSync(log, 'a');
  const started = spawn(command, [...first, ...flags], {
    detached: true,
    stdio: ['ignore', out, out],
    shell: process.platform === 'win32',
  });
  started.once('error', (error) => stop(error.message)).once('exit', (code) => stop(`it ended with exit code ${code}`));
  started.unref();
  return started;
}

async function untilReady() {
  const end = Date.now() + SECONDS * 1000;
  while (Date.now() < end) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill();
  stop(`it is not ready after ${SECONDS} seconds`);
}

function settingsIn(text) {
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The message below says what was expected.
  }
  return stop(`settings: got ${text}, expected a JSON object such as {"clock":"manual"}`);
}

function tokenOf(user) {
  const exp = Math.floor(Date.now() / 1000) + 24 * 3600;
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { sub: user, aud: audience, exp },
  ];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function setOutput(name, value) {
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `${name}=${value}\n`);
  else process.stdout.write(`${name}=${value}\n`);
}

function stop(reason) {
  process.stderr.write(`coinlab did not start: ${reason}\n${readFileSync(log, 'utf8')}`);
  process.exit(1);
}
