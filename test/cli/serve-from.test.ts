import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT, main, run } from 'coinlab';
import { stateLines } from '@coinlab/core/codec';
import { allOf, walletBalanceOf } from '@coinlab/core/views';
import { Amount, codec, countOf, Engine, settingsOf, type LedgerState } from '@coinlab/core';
import { logLines } from '@coinlab/sim';
import { SAMPLE_NETWORK } from '@coinlab/sim/files';
import { createTestLedger } from '@coinlab/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coinlab, tokenOf, type Ended } from './coinlab.ts';

let folder: string;
let log: string;
let lines: readonly string[];

/** Writes the log of the bundled network, as `coinlab replay --log` does. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'coinlab-'));
  log = join(folder, 'run.log');
  const silent = { out: () => undefined, err: () => undefined, isInteractive: false };
  expect(main(['replay', SAMPLE_NETWORK, '--merge', '10', '--log', log, '--quiet'], silent)).toBe(EXIT.ok);
  lines = [...logLines([readFileSync(log)])];
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the state after some updates of the log. */
function stateAt(offset: number): LedgerState {
  const engine = new Engine();
  for (const [i, line] of lines.slice(0, offset).entries()) {
    const update = codec.decode(line, i + 1);
    if (!update.ok) throw new Error(update.error.reason);
    engine.apply(update.value);
  }
  return engine.snapshot();
}

/** Runs `coinlab serve` in this process, sends requests, and stops it. */
async function serving(args: readonly string[], ask: (url: string, printed: string) => Promise<void>): Promise<Ended> {
  let out = '';
  let err = '';
  let asked: Promise<void> | null = null;
  // The signal is meant for the server alone, but the test runner listens to it too.
  const others = process.listeners('SIGTERM');
  const stop = (): void => {
    for (const listener of process.listeners('SIGTERM')) if (!others.includes(listener)) listener('SIGTERM');
  };
  const terminal = {
    out(text: string) {
      out += text;
      const url = /^coinlab listens on (\S+)$/m.exec(out)?.[1];
      if (!url || asked) return;
      asked = ask(url, out).finally(stop);
      // Awaited once the server has stopped.
      asked.catch(() => undefined);
    },
    err: (text: string) => void (err += text),
    isInteractive: false,
  };
  const code = await run(['serve', '--port', '0', '--log-level', 'silent', ...args], terminal);
  await asked;
  return { code, out, err };
}

/** Uses node:http: the program owns its process and may replace fetch's implementation. */
function get(url: string, path: string, token: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    request(`${url}${path}`, { headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (data: Buffer) => (text += data.toString()));
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(JSON.parse(text) as Record<string, unknown>);
        else reject(new Error(`${path}: ${answer.statusCode} ${text}`));
      });
    })
      .on('error', reject)
      .end();
  });
}

function shown(state: LedgerState, printed: string) {
  const parties = [...allOf(state, 'KnownParty')].map(({ party }) => ({ user: party.split('::')[0] ?? '', party }));
  return parties.flatMap(({ user, party }) => {
    const token = tokenOf(printed, user);
    return token === '' ? [] : [{ party, token }];
  });
}

describe('coinlab serve --from', () => {
  it.each([5_000, null])('opens a simulated network after update %s with the same balances as the core', async (at) => {
    const state = stateAt(at ?? lines.length);
    const before = readFileSync(log);
    const { code } = await serving(['--from', log, ...(at === null ? [] : ['--at', `${at}`])], async (url, printed) => {
      expect(printed).toContain(`opened ${log} at offset ${state.offset} of ${lines.length}`);
      expect(printed).toContain('clock manual');
      const users = shown(state, printed);
      expect(users).toHaveLength(10);
      for (const { party, token } of users) {
        const balance = await get(url, '/v0/wallet/balance', token);
        const { amulets } = (await get(url, '/v0/wallet/amulets', token)) as { amulets: unknown[] };
        const expected = walletBalanceOf(state, party, state.time);
        expect(amulets).toHaveLength(countOf(state, party));
        expect(balance).toMatchObject({
          effective_unlocked_qty: Amount.format(expected?.unlocked ?? Amount.zero),
          total_holding_fees: Amount.format(expected?.holdingFees ?? Amount.zero),
        });
      }
      const operator = tokenOf(printed, 'ledger-api-user');
      const { usernames } = (await get(url, '/v0/admin/users', operator)) as { usernames: string[] };
      const { dso } = settingsOf(state);
      expect(usernames).toHaveLength(1 + [...allOf(state, 'KnownParty')].filter(({ party }) => party !== dso).length);
    });
    expect(code).toBe(EXIT.ok);
    expect(readFileSync(log).equals(before)).toBe(true);
  });

  it('continues in a new folder that starts with the copied log, and reopens that folder', async () => {
    const data = join(folder, 'data');
    expect((await serving(['--from', log, '--at', '300', '--data', data], async () => undefined)).code).toBe(EXIT.ok);
    const segment = readdirSync(data).find((name) => name.startsWith('log-')) ?? '';
    const kept = readFileSync(join(data, segment), 'utf8').trimEnd().split('\n');
    expect(kept.slice(0, 300).map((line) => line.slice(line.indexOf('"update":') + 9, -1))).toEqual(
      lines.slice(0, 300),
    );
    expect(kept.length).toBeGreaterThan(300);
    expect(await serving(['--from', data, '--at', '200'], async () => undefined)).toMatchObject({ code: EXIT.ok });
    // A folder that has a log is not overwritten.
    const again = await serving(['--from', log, '--data', data], async () => undefined);
    expect(again).toMatchObject({ code: EXIT.badInput, out: '' });
  });

  it('serves the parties of a saved test ledger with their balances, and prints the addresses of the page and the API', async () => {
    const world = createTestLedger();
    const { alice, bob } = world.parties;
    world.as(alice).pay(bob, '2.5');
    const file = join(folder, 'world');
    writeFileSync(file, world.save());
    const { code } = await serving(['--from', file], async (url, printed) => {
      expect(printed).toContain(`use the page: ${url}/\ntry the API: ${url}/docs\n`);
      for (const [user, coin] of [
        ['alice', '9997.5000000000'],
        ['bob', '10002.5000000000'],
      ] as const)
        expect(await get(url, '/v0/wallet/balance', tokenOf(printed, user))).toMatchObject({
          effective_unlocked_qty: coin,
        });
    });
    expect(code).toBe(EXIT.ok);
  });

  it('exits with code 2 for an offset beyond the log and for a file that is not a log', async () => {
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const refused = async (...args: readonly string[]): Promise<string> => {
      const { code, out, err } = await serving(args, async () => undefined);
      expect({ code, out }).toEqual({ code: EXIT.badInput, out: '' });
      return err;
    };
    expect(await refused('--from', log, '--at', '99999')).toContain(`ends at offset ${lines.length}`);
    await refused('--from', join(folder, 'nothing'));
    await refused('--from', SAMPLE_NETWORK);
    await refused('--from', write('empty', ''));
    await refused('--at', '5');
    const swapped = [lines[0], lines[2], lines[1]].join('\n');
    expect(await refused('--from', write('swapped', swapped))).toContain('line 2');
    const cut = `${lines.slice(0, 9).join('\n')}\n${(lines[9] ?? '').slice(0, 50)}`;
    expect(await refused('--from', write('cut', cut))).toContain('line 10');
    const state = [...stateLines(stateAt(10)), ''].join('\n');
    expect(await refused('--from', write('state', state))).toContain('a saved state, not an update');
  });
});

describe('coinlab log verify with a snapshot', () => {
  it('reports the snapshot, and refuses a snapshot that contradicts the log', async () => {
    const data = join(folder, 'verified');
    await serving(['--from', log, '--at', '100', '--data', data], async () => undefined);
    expect(JSON.parse((await coinlab('log', 'head', data)).out)).toMatchObject({ snapshot: 100 });
    expect((await coinlab('log', 'verify', data)).out).toContain('snapshot at offset 100 matches the log');
    const name = readdirSync(data).find((file) => file.startsWith('state-')) ?? '';
    const file = join(data, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"displayName":""', '"displayName":"x"'));
    expect(await coinlab('log', 'verify', data)).toMatchObject({
      code: EXIT.badInput,
      err: expect.stringContaining(name) as string,
    });
    expect(JSON.parse((await coinlab('log', 'head', data)).out)).toMatchObject({ snapshot: null });
    // The server reports it too, and replays the log.
    expect((await serving(['--data', data, '--clock', 'manual'], async () => undefined)).code).toBe(EXIT.ok);
  });
});
