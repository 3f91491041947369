/*
 * Starts a program of this repository from its sources, and first installs missing dependencies:
 *
 *   node scripts/run.mjs [NODE OPTION …] FILE [ARGUMENT …]
 */
import './setup.mjs';
import { spawn } from 'node:child_process';

const words = process.argv.slice(2);
const at = words.findIndex((word) => !word.startsWith('--'));
const [options, [file, ...args]] = [words.slice(0, at), words.slice(at)];
const sources = file.endsWith('.ts') ? ['--conditions=source', '--import=tsx'] : [];

const child = spawn(process.execPath, [...sources, ...options, file, ...args], { stdio: 'inherit' });
// The terminal sends Ctrl-C to the child too; npm and process managers signal only this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void child.kill(signal));
child.once('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
