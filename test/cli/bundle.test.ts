import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { program, root, serve } from './coinlab.ts';

describe('the published bundle', () => {
  it('answers requests to routes that load their modules on demand', async () => {
    const { url, end } = await serve('--dev');
    try {
      const metrics = await fetch(`${url}/metrics`);
      expect(await metrics.text()).toContain('coinlab_ledger_offset');
      for (const path of ['/metrics', '/docs', '/openapi.json', '/dev/events'])
        expect([path, (await headOf(url + path)).status]).toEqual([path, 200]);
    } finally {
      expect(await end('SIGTERM')).toBe(0);
    }
  });
});

describe('the code that the published bundle loads', () => {
  it.each([
    ['run', '--help'],
    ['log', '--help'],
    ['--version', ''],
  ])('does not have the server for %s %s', (...args) => {
    const files = loadedBy(...args.filter((word) => word !== ''));
    expect(files.filter((file) => readFileSync(file, 'utf8').includes('/readyz'))).toEqual([]);
  });

  it('does not have the simulation for serve, and has the server', () => {
    const files = loadedBy('serve', '--help');
    expect(files.filter((file) => file.includes('packages/sim/'))).toEqual([]);
    expect(files.some((file) => readFileSync(file, 'utf8').includes('/readyz'))).toBe(true);
  });
});

/** Returns the files that a command line loads, by Node's record of the code that it ran. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(root, 'test/.tmp/loaded-'));
  try {
    const { status } = spawnSync(process.execPath, [program(), ...args], { env: { NODE_V8_COVERAGE: folder } });
    expect(status).toBe(0);
    const [name = ''] = readdirSync(folder);
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] };
    return result
      .map(({ url }) => url)
      .filter((url) => url.startsWith('file:'))
      .map((url) => fileURLToPath(url));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a response without reading its body, which may be endless. */
async function headOf(url: string): Promise<Response> {
  const ended = new AbortController();
  const answer = await fetch(url, { signal: ended.signal });
  ended.abort();
  return answer;
}
