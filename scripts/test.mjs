/*
 * `npm test` checks formatting, lint, types, unused code and the CommonJS build, then runs the tests. `npm run check` passes
 * `--quick`: the same without unused code and CommonJS, and with the fast tests only. Other arguments go to vitest: `npm test -- test/core -t 'two-step'`.
 */
import './setup.mjs';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { heartbeat } from './heartbeat.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const isQuick = process.argv.includes('--quick');
const asked = process.argv.slice(2).filter((word) => word !== '--quick');
const QUICK = [
  ...['boundaries', 'purity', 'names', 'lockfile', 'laws'].map((name) => `test/house/${name}`),
  ...['kernel', 'contracts', 'rules', 'workflows', 'log'].map((name) => `test/core/${name}`),
];

const running = new Set();
const pulse = heartbeat(() => [...running].join(', '));

const areChecked = await Promise.all([
  inTurn(
    ['format', 'prettier', '--check', '--log-level=warn', '--cache', '--cache-strategy=content', '.'],
    ['lint', 'oxlint', '--quiet'],
    ...(isQuick ? [] : [['unused', 'knip', '--no-config-hints']]),
  ),
  // By path, because two packages have a `tsc`: `typescript-api` (5.9) only parses source, which version 7 has no API for.
  inTurn(
    ['types', process.execPath, 'node_modules/typescript/bin/tsc', '-b'],
    ['bundle', process.execPath, 'scripts/bundle-core.mjs'],
    ...(isQuick ? [] : [['CommonJS', process.execPath, 'scripts/build-cjs.mjs']]),
  ),
]);
if (areChecked.every(Boolean)) {
  // On a terminal vitest shows its own progress.
  if (process.stdout.isTTY) pulse.stop();
  running.add('tests');
  const vitest = start(
    'vitest',
    ['run', ...(isQuick ? QUICK : []), ...asked],
    process.stdout.isTTY ? 'inherit' : 'pipe',
  );
  for (const stream of ['stdout', 'stderr'])
    vitest[stream]?.on('data', (part) => {
      pulse.heard();
      process[stream].write(part);
    });
  process.exitCode = await codeOf(vitest);
} else process.exitCode = 1;
pulse.stop();

/** Runs steps one after the other until one fails; returns whether all passed. */
async function inTurn(...steps) {
  for (const [name, command, ...args] of steps) if (!(await passes(name, command, args))) return false;
  return true;
}

/** Runs a step and prints its output in one piece, because two steps run in parallel. */
async function passes(name, command, args) {
  const began = performance.now();
  const child = start(command, args, 'pipe');
  running.add(name);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  const code = await codeOf(child);
  running.delete(name);
  pulse.heard();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(code === 0 ? `✓ ${name} ${seconds} s\n` : `${said}✗ ${name} ${seconds} s\n`);
  return code === 0;
}

function start(command, args, stdio) {
  const isOwn = command === process.execPath;
  const file = isOwn ? command : `${root}node_modules/.bin/${command}`;
  return spawn(file, args, {
    cwd: root,
    stdio: ['inherit', stdio, stdio],
    shell: !isOwn && process.platform === 'win32',
  });
}

function codeOf(child) {
  return new Promise((resolve, reject) => child.once('error', reject).once('close', (code) => resolve(code ?? 1)));
}
