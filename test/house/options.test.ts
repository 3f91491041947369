import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

it.each([
  ['fuzz', ['--help'], 0, /^Sends malformed and unusual commands/],
  ['fuzz', ['--commands', 'many'], 2, /^--commands: got "many", expected a whole number\nSends malformed/],
  ['properties', ['--scenarios=-1'], 2, /^--scenarios: got "-1", expected a whole number\nPlays random/],
  ['coverage-study', ['--rounds', '7'], 2, /^Unknown option '--rounds'.*\nMeasures how often/],
  [
    'faults',
    ['--only', 'nothing-of-this'],
    2,
    /^--only: got "nothing-of-this", expected a part of one of these names:\n/,
  ],
])('npm run %s -- %j ends with %i and says why', (script, args, code, text) => {
  const command = ['scripts/run.mjs', `scripts/${script}.ts`, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  expect([status, code === 0 ? stdout : stderr]).toEqual([code, expect.stringMatching(text)]);
});
