import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXIT } from 'coinlab';
import { describe, expect, it } from 'vitest';
import { coinlab, program, root, serve } from './coinlab.ts';

interface Report {
  readonly url: string;
  readonly seed: number;
  readonly rules: readonly { readonly id: string; readonly status: string; readonly source: string }[];
}

/** Passes all requests to a server, but returns an instrument for an unknown id. */
async function faultyProxy(url: string): Promise<{ readonly url: string; readonly close: () => void }> {
  const proxy = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const path = (request.url ?? '').replace('no-such-instrument', 'Amulet');
    const { authorization = '' } = request.headers;
    const headers = { 'content-type': 'application/json', ...(authorization === '' ? {} : { authorization }) };
    const answer = await fetch(url + path, { method: request.method ?? '', headers, ...(body === '' ? {} : { body }) });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  // Cast: a server on a port has an address object.
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => proxy.close().closeAllConnections() };
}

describe('coinlab conform', () => {
  it('reports each rule of a server in another process as text and as JSON', async () => {
    const { url, end } = await serve('--dev');
    const settings = [url, '--secret', 'unsafe', '--runs', '3', '--seed', '7'];
    const { code, out, err } = await coinlab('conform', ...settings);
    expect({ code, err }).toEqual({ code: EXIT.ok, err: expect.stringContaining('coinlab: checking: ') as string });
    expect(out).toContain(`${url} serves registry and wallet; seed 7`);
    expect(out).toMatch(/^✓ conservation +coin is made by mints alone and lost to fees alone \(\d+ checks\)$/m);
    expect(out).toMatch(/^- input-limit .*\(skipped: the wallet routes choose the coins\)$/m);
    expect(out).toMatch(/^\d+ held, 0 violated, \d+ skipped$/m);

    const json = await coinlab('conform', ...settings, '--format', 'json', '--quiet');
    const report = JSON.parse(json.out) as Report;
    expect(json).toMatchObject({ code: EXIT.ok, err: '' });
    expect(report).toMatchObject({ url, seed: 7 });
    expect(report.rules.filter(({ status }) => status === 'violated')).toEqual([]);
    expect(await end('SIGTERM')).toBe(0);
  });

  it('exits with code 1 and names the violated rule and its source', async () => {
    const { url, end } = await serve('--dev');
    const proxy = await faultyProxy(url);
    const { code, out, err } = await coinlab('conform', proxy.url, '--quiet');
    proxy.close();
    expect(code).toBe(EXIT.failed);
    expect(err).toBe('coinlab: violated: registry-instruments\n');
    expect(out).toMatch(/^✗ registry-instruments /m);
    expect(out).toContain('    source: docs/reference/api/registry.md\n');
    expect(await end('SIGTERM')).toBe(0);
  });

  it('exits with code 2 and names the missing answer, route, secret or user', async () => {
    const { url, end } = await serve('--dev');
    const silent = await faultyProxy(url);
    silent.close();
    const refused = (...args: readonly string[]): Promise<unknown> => coinlab('conform', ...args, '--quiet');
    const withText = (text: string): object => ({ code: EXIT.badInput, err: expect.stringContaining(text) as string });
    expect(await refused(silent.url)).toMatchObject(withText(`${silent.url}: no answer to GET /registry/metadata/v1/`));
    expect(await refused(`${url}/docs`)).toMatchObject(
      withText('neither GET /v0/wallet/user-status nor GET /registry/'),
    );
    expect(await refused(url, '--secret', 'wrong')).toMatchObject(withText('check the secret and the audience'));
    expect(await refused('localhost')).toMatchObject(withText('expected an address such as http://localhost:5003'));
    expect(await refused(url, '--party', 'a', 'b')).toMatchObject(withText('--party: expected 5 users, found 2'));
    expect(await refused(url, '--runs', 'many')).toMatchObject(withText('Expected an integer from 1 to 1000000'));
    expect(await end('SIGTERM')).toBe(0);
  });

  it('exits with code 130 when it is interrupted', async () => {
    const { url, end } = await serve('--dev');
    const args = [program(), 'conform', url, '--secret', 'unsafe', '--runs', '100000'];
    const child = spawn(process.execPath, args, { cwd: root });
    let err = '';
    child.stderr.on('data', (data: Buffer) => {
      if (!err.includes('random commands') && String(data).includes('random commands')) child.kill('SIGINT');
      err += String(data);
    });
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(EXIT.stopped);
    expect(err).toContain('coinlab: interrupted');
    expect(await end('SIGTERM')).toBe(0);
  });
});
