import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from 'coinlab';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coinlab, serve, tokenOf } from './coinlab.ts';

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'coinlab-'))));
afterEach(() => rmSync(folder, { recursive: true }));

describe('coinlab serve', () => {
  it('prints valid tokens, and recovers its log after being killed', async () => {
    const data = join(folder, 'log');
    const first = await serve('--data', data, '--dev', '--clock', 'manual');
    const headers = { authorization: `Bearer ${tokenOf(first.printed, 'ledger-api-user')}` };
    const answer = await fetch(`${first.url}/v0/admin/users`, { method: 'POST', headers, body: '{"name":"zoe"}' });
    const { party_id: party } = (await answer.json()) as { party_id: string };
    expect(await first.end('SIGKILL')).toBe(null);

    const second = await serve('--data', data, '--dev', '--clock', 'manual');
    const again = await fetch(`${second.url}/v0/admin/users`, { method: 'POST', headers, body: '{"name":"zoe"}' });
    expect(await again.json()).toEqual({ party_id: party });
    // One owner at a time; reading is always allowed.
    expect(await coinlab('serve', '--data', data, '--port', '0')).toMatchObject({ code: EXIT.badInput, out: '' });
    expect((await coinlab('log', 'head', data)).code).toBe(EXIT.ok);
    expect(await second.end('SIGTERM')).toBe(0);
  });

  it('logs each request as a line of JSON, and stops on a signal while connections are open', async () => {
    const { url, printed, told, end } = await serve('--dev', '--clock', 'manual');
    const token = tokenOf(printed, 'alice');
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'a-1' };
    expect((await fetch(`${url}/v0/wallet/balance`, { headers })).headers.get('x-request-id')).toBe('a-1');
    const stream = (await fetch(`${url}/dev/events?from=0`)).text();
    expect(await end('SIGTERM')).toBe(0);
    expect(await stream).toContain('\nid: 1\n');
    const lines = told()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toEqual({
      level: 'info',
      time: expect.stringMatching(/^20.+Z$/) as string,
      requestId: 'a-1',
      method: 'GET',
      route: '/v0/wallet/balance',
      status: 200,
      ms: expect.any(Number) as number,
      user: 'alice',
      msg: 'request',
    });
    expect(lines.map(({ msg }) => msg)).toEqual(['request', 'request', 'stopping', 'stopped']);
    expect(told()).not.toContain(token);
  });

  it('logs messages from the given level on', async () => {
    const { url, told, end } = await serve('--clock', 'manual', '--log-level', 'error');
    await fetch(`${url}/livez`);
    expect(await end('SIGTERM')).toBe(0);
    expect(told()).toBe('');
    expect(await coinlab('serve', '--log-level', 'loud')).toMatchObject({ code: EXIT.badInput });
  });

  it('reads settings from a file, which flags override', async () => {
    writeFileSync(
      join(folder, 'config.json'),
      '{"profile":"feeless-24h","clock":"manual","validatorWalletUser":"boss"}',
    );
    const { printed, end } = await serve('--config', join(folder, 'config.json'), '--profile', 'legacy-fees');
    expect(printed).toContain('profile legacy-fees, clock manual, log in memory');
    expect(tokenOf(printed, 'boss')).not.toBe('');
    expect(await end('SIGINT')).toBe(EXIT.stopped);
  });

  it('exits with code 2 for invalid settings', async () => {
    writeFileSync(join(folder, 'config.json'), '{"prot":1}');
    expect(await coinlab('serve', '--config', join(folder, 'config.json'))).toMatchObject({ code: EXIT.badInput });
    expect(await coinlab('serve', '--config', join(folder, 'nothing.json'))).toMatchObject({ code: EXIT.badInput });
    expect(await coinlab('serve', '--clock', 'slow')).toMatchObject({ code: EXIT.badInput });
    expect(await coinlab('serve', '--port', '70000')).toMatchObject({ code: EXIT.badInput });
    expect(await coinlab('serve', '--host', '0.0.0.0', '--port', '0')).toMatchObject({ code: EXIT.badInput });
  });
});

describe('coinlab log', () => {
  async function logged(): Promise<string> {
    const data = join(folder, 'log');
    const { end } = await serve('--data', data, '--clock', 'manual');
    await end('SIGTERM');
    return data;
  }

  it('verifies, exports and prints the head', async () => {
    const data = await logged();
    const head = await coinlab('log', 'head', data);
    const { offset, hash } = JSON.parse(head.out) as { offset: number; hash: string };
    const verified = await coinlab('log', 'verify', data);
    expect(verified).toMatchObject({ code: EXIT.ok, err: '' });
    expect(verified.out).toContain(hash);
    const all = (await coinlab('log', 'export', data)).out.trimEnd().split('\n');
    expect(all).toHaveLength(offset);
    expect((await coinlab('log', 'export', data, '--from', '3')).out.trimEnd().split('\n')).toEqual(all.slice(2));
  });

  it('exits with code 2 and the position for a modified log, without changing it', async () => {
    const data = await logged();
    const segment = join(data, readdirSync(data).find((name) => name.endsWith('.ndjson')) ?? '');
    const damaged = readFileSync(segment, 'utf8').replace('PartyAllocated', 'PartyAllocatex');
    writeFileSync(segment, damaged);
    const { code, err } = await coinlab('log', 'verify', data);
    expect(code).toBe(EXIT.badInput);
    expect(err).toMatch(/damaged in log-\d+\.ndjson at byte \d+, offset 3/);
    expect(readFileSync(segment, 'utf8')).toBe(damaged);
    expect((await coinlab('log', 'head', join(folder, 'nothing'))).code).toBe(EXIT.badInput);
  });
});
