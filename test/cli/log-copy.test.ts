import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from 'coinlab';
import { afterAll, describe, expect, it } from 'vitest';
import { coinlab, serve, tokenOf } from './coinlab.ts';

const place = mkdtempSync(join(tmpdir(), 'coinlab-copy-'));
const at = (name: string): string => join(place, name);

afterAll(() => rmSync(place, { recursive: true }));

interface Copy {
  readonly offset: number;
  readonly state: string;
  readonly lines: readonly string[];
}

async function copied(source: string, file: string, ...flags: readonly string[]): Promise<Copy> {
  const { code, out, err } = await coinlab('log', 'copy', source, file, ...flags);
  expect({ code, err: err.replace(/^coinlab: left out .*\n/gm, '') }).toEqual({ code: EXIT.ok, err: '' });
  const [, updates = '', state = ''] = /^([\d,]+) updates[^]*^state {2}([0-9a-f]{64})$/m.exec(out) ?? [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(Number(updates.replaceAll(',', '')));
  return { offset: lines.length, state, lines };
}

async function stateHashOf(log: string, offset: number): Promise<unknown> {
  const { out } = await coinlab('state', log, '--at', String(offset), '--json', '--quiet');
  return (JSON.parse(out) as { readonly stateHash: string }).stateHash;
}

describe('coinlab log copy', () => {
  it('copies a log under load to files that serve --from opens in the same state', async () => {
    const folder = at('running');
    const { url, printed, end } = await serve('--dev', '--clock', 'manual', '--log-level', 'silent', '--data', folder);
    const headers = { authorization: `Bearer ${tokenOf(printed, 'alice')}` };
    let isOver = false;
    const acknowledged: string[] = [];
    const payer = async (): Promise<void> => {
      while (!isOver) {
        const answer = await fetch(`${url}/v0/wallet/tap`, { method: 'POST', headers, body: '{"amount":"1"}' });
        if (answer.status === 200) acknowledged.push(((await answer.json()) as { contract_id: string }).contract_id);
      }
    };
    const payers = Array.from({ length: 8 }, payer);
    const copies: Copy[] = [];
    for (let i = 0; i < 6; i++) {
      await expect.poll(() => acknowledged.length).toBeGreaterThan(i * 25);
      const source = i % 2 === 0 ? [folder] : [url, '--token', tokenOf(printed, 'ledger-api-user')];
      const [from = '', ...flags] = source;
      copies.push(await copied(from, at(`copy-${i}.ndjson`), ...flags));
    }
    isOver = true;
    await Promise.all(payers);
    expect(copies.at(-1)?.offset).toBeGreaterThan(copies[0]?.offset ?? Infinity);
    await end('SIGKILL');

    const whole = await copied(folder, at('whole.ndjson'));
    for (const { offset, state, lines } of copies) {
      expect(lines).toEqual(whole.lines.slice(0, offset));
      expect(await stateHashOf(folder, offset)).toBe(state);
    }
    const opened = await serve('--from', at('copy-5.ndjson'), '--data', at('again'));
    const { offset = 0, state, lines } = copies[5] ?? {};
    expect(opened.printed).toContain(`at offset ${offset} of ${offset}`);
    expect(await opened.end('SIGTERM')).toBe(0);
    expect(await stateHashOf(at('again'), offset)).toBe(state);
    expect((await copied(at('again'), at('again.ndjson'))).lines.slice(0, offset)).toEqual(lines);
  }, 60_000);

  it('copies the log of an in-memory server to a file that serve --from opens in the same state', async () => {
    const { url, printed, end } = await serve('--dev', '--clock', 'manual', '--log-level', 'silent');
    await fetch(`${url}/dev/advance`, { method: 'POST', body: '{"seconds":7200}' });
    const told = (await (await fetch(`${url}/dev/state`)).json()) as { readonly hash: string; readonly offset: number };
    const file = at('memory.ndjson');
    const { offset, state } = await copied(`${url}/`, file, '--token', tokenOf(printed, 'ledger-api-user'));
    await end('SIGTERM');
    expect({ offset, hash: state }).toEqual({ offset: told.offset, hash: told.hash });
    expect(await stateHashOf(file, offset)).toBe(told.hash);
  });

  it('leaves no file without an operator’s token or without a server', async () => {
    const { url, printed, end } = await serve('--dev', '--clock', 'manual', '--log-level', 'silent');
    const file = at('refused.ndjson');
    for (const flags of [[], ['--token', 'no'], ['--token', tokenOf(printed, 'alice')]]) {
      const { code, err } = await coinlab('log', 'copy', url, file, ...flags);
      expect({ code, err }).toEqual({ code: EXIT.badInput, err: expect.stringContaining('COINLAB_TOKEN') as string });
    }
    expect(await coinlab('log', 'copy', `${url}/v9`, file)).toMatchObject({ code: EXIT.badInput });
    await end('SIGTERM');
    expect(await coinlab('log', 'copy', url, file)).toMatchObject({ code: EXIT.badInput });
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
  });

  it('leaves no file when the connection ends early', async () => {
    const server = createServer((_, answer) => {
      answer.writeHead(200, { 'Content-Length': '1000' }).write('{"v":1,');
      setTimeout(() => answer.destroy(), 50);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { code, err } = await coinlab('log', 'copy', `http://127.0.0.1:${port}`, at('cut.ndjson'));
    server.close();
    expect({ code, err }).toEqual({ code: EXIT.badInput, err: expect.stringContaining('ended early') as string });
    expect([existsSync(at('cut.ndjson')), existsSync(at('cut.ndjson.part'))]).toEqual([false, false]);
  });

  it('leaves no file and names the record when the log is damaged', async () => {
    const folder = at('damaged');
    cpSync(at('running'), folder, { recursive: true });
    const [segment = ''] = readdirSync(folder).filter((name) => name.startsWith('log-'));
    const path = join(folder, segment);
    const text = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, text.with(9, (text[9] ?? '').replace('"kind":"', '"kind":"x')).join('\n'));
    const { code, err } = await coinlab('log', 'copy', folder, at('none.ndjson'));
    expect({ code, err }).toEqual({
      code: EXIT.badInput,
      err: expect.stringMatching(/log-0+1\.ndjson at byte \d+, offset 10: .*coinlab log repair/) as string,
    });
    expect([existsSync(at('none.ndjson')), existsSync(at('none.ndjson.part'))]).toEqual([false, false]);
    expect(await coinlab('log', 'copy', at('nothing'), at('none.ndjson'))).toMatchObject({ code: EXIT.badInput });
  });
});

describe('coinlab log repair', () => {
  it('reports the damage and the kept part, and a server opens the new folder', async () => {
    const [folder, out] = [at('damaged'), at('repaired')];
    const before = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
    const { code, out: said } = await coinlab('log', 'repair', folder, out);
    expect(code).toBe(EXIT.ok);
    expect(said).toMatch(/^damaged: log-0+1\.ndjson at byte \d+, offset 10: the hash does not match the record$/m);
    expect(said).toMatch(/^lost: acknowledged offsets 10 to \d+$/m);
    expect(said).toMatch(/^kept: 9 updates and 0 snapshots, head [0-9a-f]{64}$/m);
    expect(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])).toEqual(before);
    expect(await (await serve('--dev', '--data', out)).end('SIGTERM')).toBe(0);
    expect(await coinlab('log', 'repair', folder, out)).toMatchObject({ code: EXIT.badInput });
  });

  it('repairs a folder copied from a running server, with a head newer than its log', async () => {
    const folder = at('torn-copy');
    cpSync(at('running'), folder, { recursive: true });
    const segment = join(folder, readdirSync(folder).findLast((name) => name.startsWith('log-')) ?? '');
    truncateSync(segment, readFileSync(segment).length - 10);
    const { code, err } = await coinlab('serve', '--data', folder, '--port', '0');
    expect({ code, err }).toEqual({ code: EXIT.badInput, err: expect.stringMatching(/coinlab log repair/) as string });
    const { out } = await coinlab('log', 'repair', folder, at('whole-copy'));
    const [, lost, acknowledged] = /^lost: acknowledged offsets (\d+) to (\d+)$/m.exec(out) ?? [];
    expect(lost).toBe(acknowledged);
    expect((await coinlab('log', 'verify', at('whole-copy'))).code).toBe(EXIT.ok);
  });
});
