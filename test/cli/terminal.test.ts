import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coinlab } from './coinlab.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'coinlab-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the terminal', () => {
  it.each(['\u001b[2J', '\u009b2J', '\u0007', '\r', '\u007f', '\u202e'])(
    'prints %j from a file with escaped control characters',
    async (control) => {
      const file = join(folder, 'scenario.yaml');
      writeFileSync(file, JSON.stringify({ [`a${control}b`]: 1, name: `x${control}y` }));
      const { code, out, err } = await coinlab('run', file);
      expect(code).toBe(2);
      expect(err).toContain(file);
      // oxlint-disable-next-line no-control-regex
      expect(`${out}${err}`).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    },
  );

  it('prints a name from the command line with escaped control characters', async () => {
    const { err } = await coinlab('run', join(folder, 'a\u001b]0;title\u0007.yaml'));
    expect(err).toContain('a\\u001b]0;title\\u0007.yaml');
  });
});

describe('a YAML file with nested aliases', () => {
  it.each([
    [
      'a billion values',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
        .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`)
        .join('\n')}\n`,
      9,
    ],
    ['an alias without an anchor', 'name: x\na: *nothing\n', 2],
    ['deep nesting', '['.repeat(100_000), 1],
  ])('is refused with file and line: %s', async (_, text, line) => {
    const file = join(folder, 'bomb.yaml');
    writeFileSync(file, text);
    const { code, err } = await coinlab('run', file);
    expect(code).toBe(2);
    expect(err).toMatch(new RegExp(`bomb\\.yaml:${line}\\b`));
    expect(err).not.toMatch(/ at .*\.js/);
  });
});
