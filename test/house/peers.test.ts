import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const SOURCES = ['--conditions=source', '--import=tsx'];

/** `start` ends after the first transfer, which throws if it is refused. */
function told(...args: readonly string[]): unknown {
  const printed = execFileSync(process.execPath, [...SOURCES, 'bench/peers/coinlab.mjs', 'start', ...args], {
    encoding: 'utf8',
  });
  return JSON.parse(printed);
}

describe('the program that is compared with other systems', () => {
  it.each([[[]], [['numbers']]])('uses names that the core exports: %j', { timeout: 60_000 }, (args) => {
    expect(told(...args)).toEqual({ importToFirstMs: expect.any(Number) as number });
  });
});
