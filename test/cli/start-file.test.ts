import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileStore } from '@coinlab/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coinlab, program, root, serve, untilReady } from './coinlab.ts';

let folder: string;
const file = (name: string): string => join(folder, name);
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'coinlab-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const START = `
parties:
  - { name: payer, coins: 1500 x 0.5 }
  - { name: shop, coins: [20] }
offers:
  - { from: payer, to: shop, amount: 2 }
`;

function hasRecords(log: string): boolean {
  if (!existsSync(log)) return false;
  return readdirSync(log).some((name) => name.endsWith('.ndjson') && statSync(join(log, name)).size > 0);
}

describe('coinlab serve --start-with', () => {
  it('fills a new ledger once, and answers pages of the origins in COINLAB_CORS_ORIGINS', async () => {
    writeFileSync(file('start.yaml'), START);
    process.env['COINLAB_CORS_ORIGINS'] = 'https://wallet.example, https://*.apps.example';
    try {
      for (const restarts of [0, 1]) {
        const args = ['--start-with', file('start.yaml'), '--data', file('log'), '--clock', 'manual'];
        const serving = await serve(...args);
        const token = /ledger-api-user +(\S+)/.exec(serving.printed)?.[1];
        const headers = { origin: 'https://a.apps.example', authorization: `Bearer ${token}` };
        const answer = await fetch(`${serving.url}/log`, { headers });
        expect(answer.headers.get('access-control-allow-origin')).toBe('https://a.apps.example');
        const updates = (await answer.text()).split('\n');
        expect(updates.filter((line) => line.includes('"kind":"Tapped"'))).toHaveLength(1_501);
        expect(await serving.end('SIGTERM')).toBe(0);
        expect(serving.told().includes('the start file is not applied')).toBe(restarts === 1);
      }
    } finally {
      delete process.env['COINLAB_CORS_ORIGINS'];
    }
  });

  it.each([
    [
      'a malformed coin',
      START.replace('[20]', '[20, 1y]'),
      ':4:31: parties.1.coins.1: got "1y", expected a positive decimal',
    ],
    [
      'an unknown field',
      START.replace('coins: [', 'coin: ['),
      ':4:25: parties.1.coin: got "coin", expected a known field; the nearest is coins',
    ],
    [
      'an unknown party',
      START.replace('to: shop', 'to: shpo'),
      ':6:24: offers.0.to: got "shpo", expected the name of a party, or a party id; the nearest is shop',
    ],
    ['an offer beyond the balance', START.replace('amount: 2', 'amount: 751'), ':6:5: offers.0: INSUFFICIENT_FUNDS'],
    ['a text that is no YAML', 'parties: [', ':1:11: '],
  ])('refuses %s with file, line and field, and writes no log', async (_, text, message) => {
    writeFileSync(file('start.yaml'), text);
    const { code, err } = await coinlab(
      'serve',
      '--port',
      '0',
      '--start-with',
      file('start.yaml'),
      '--data',
      file('log'),
    );
    expect(code).toBe(2);
    expect(err).toContain(`${file('start.yaml')}${message}`);
    const written = existsSync(file('log')) ? readdirSync(file('log')) : [];
    expect(written.filter((name) => name !== 'head.json')).toEqual([]);
  });

  it('refuses the next start after it was killed while it applied the file, and fills a new folder', async () => {
    writeFileSync(file('start.yaml'), START.replace('1500', '5000'));
    const args = ['serve', '--port', '0', '--start-with', file('start.yaml'), '--clock', 'manual', '--data'];
    const killed = spawn(process.execPath, [program(), ...args, file('log')], { cwd: root });
    const ended = new Promise((resolve) => killed.once('exit', resolve));
    // The first updates are those of the founding.
    while (!hasRecords(file('log')) && killed.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
    killed.kill('SIGKILL');
    await ended;
    const next = untilReady(spawn(process.execPath, [program(), ...args, file('log')], { cwd: root }));
    await expect(next).rejects.toThrow('delete the folder and start again');
    const serving = await untilReady(spawn(process.execPath, [program(), ...args, file('other')], { cwd: root }));
    expect(readdirSync(file('other'))).not.toContain('start-file-pending');
    expect(await serving.end('SIGTERM')).toBe(0);
  });

  it('names the owner of the folder while another server applies its start file', async () => {
    const owned = await openFileStore({ folder: file('log') });
    if (!owned.ok) throw new Error(owned.error.code);
    writeFileSync(join(file('log'), 'start-file-pending'), '');
    const { code, err } = await coinlab('serve', '--port', '0', '--data', file('log'));
    expect(code).toBe(2);
    expect(err).toContain(String(process.pid));
    expect(err).not.toContain('delete the folder');
    await owned.value.close();
  });

  it('is refused together with --from', async () => {
    writeFileSync(file('start.yaml'), START);
    const { code, err } = await coinlab('serve', '--start-with', file('start.yaml'), '--from', file('log'));
    expect([code, err]).toEqual([2, expect.stringContaining('--start-with: needs a new ledger; leave out --from')]);
  });

  it('has a JSON schema', async () => {
    const { code, out } = await coinlab('schema', 'start');
    expect(code).toBe(0);
    const { properties } = JSON.parse(out) as { properties: object };
    expect(Object.keys(properties)).toEqual(['$schema', 'validators', 'parties', 'users', 'offers']);
  });
});
