import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/*
 * The program as it is published: a few files, of which some are loaded only when somebody asks. Here they are made beside the ones that
 * are used, so that both can be there at once.
 */

const root = join(import.meta.dirname, '../..');
const temporary = join(root, 'test/.tmp');
let folder: string;

beforeAll(() => {
  mkdirSync(temporary, { recursive: true });
  folder = mkdtempSync(join(temporary, 'bundle-'));
  copyFileSync(join(root, 'packages/cli/package.json'), join(folder, 'package.json'));
  const made = spawnSync(process.execPath, [join(root, 'scripts/bundle.mjs'), join(folder, 'bin')]);
  expect(made.stderr.toString()).toBe('');
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the published server', () => {
  it('answers what it loads only when asked', async () => {
    const server = spawn(process.execPath, [join(folder, 'bin/coinlab.js'), 'serve', '--dev', '--port', '0']);
    const ended = new Promise((resolve) => server.once('exit', resolve));
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let printed = '';
        let told = '';
        server.stderr.on('data', (data: Buffer) => (told += data.toString()));
        server.stdout.on('data', (data: Buffer) => {
          printed += data.toString();
          const found = /listens on (\S+)/.exec(printed)?.[1];
          if (found !== undefined) resolve(found);
        });
        void ended.then((code) => reject(new Error(`ended with ${String(code)}: ${told}`)));
      });
      const metrics = await fetch(`${url}/metrics`);
      expect(await metrics.text()).toContain('coinlab_ledger_offset');
      for (const path of ['/metrics', '/docs', '/openapi.json', '/dev/events'])
        expect([path, (await headOf(url + path)).status]).toEqual([path, 200]);
    } finally {
      server.kill('SIGTERM');
      expect(await ended).toBe(0);
    }
  }, 30_000);
});

/** An answer without its body, which may have no end. */
async function headOf(url: string): Promise<Response> {
  const ended = new AbortController();
  const answer = await fetch(url, { signal: ended.signal });
  ended.abort();
  return answer;
}
